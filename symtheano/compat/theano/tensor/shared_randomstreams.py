"""``theano.tensor.shared_randomstreams``."""

from __future__ import annotations

from symtheano.tensor.shared_randomstreams import *

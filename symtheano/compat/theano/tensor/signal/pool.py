"""``theano.tensor.signal.pool``."""

from __future__ import annotations

from symtheano.tensor.signal.pool import *

"""``theano.tensor.inplace``."""

from __future__ import annotations

from symtheano.tensor.inplace import *

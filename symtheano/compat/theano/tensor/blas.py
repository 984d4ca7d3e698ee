"""``theano.tensor.blas``."""

from __future__ import annotations

from symtheano.tensor.blas import *

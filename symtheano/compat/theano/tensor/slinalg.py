"""``theano.tensor.slinalg``."""

from __future__ import annotations

from symtheano.tensor.slinalg import *

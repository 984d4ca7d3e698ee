"""``theano.tensor.nlinalg``."""

from __future__ import annotations

from symtheano.tensor.nlinalg import *

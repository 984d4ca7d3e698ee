"""``theano.tensor.sort``."""

from __future__ import annotations

from symtheano.tensor.sort import *

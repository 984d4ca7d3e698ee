"""``theano.tensor.xlogx``."""

from __future__ import annotations

from symtheano.tensor.xlogx import *

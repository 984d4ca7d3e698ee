"""``theano.tensor.extra_ops``."""

from __future__ import annotations

from symtheano.tensor.extra_ops import *

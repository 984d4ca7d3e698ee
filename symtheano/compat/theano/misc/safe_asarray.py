"""``theano.misc.safe_asarray``."""

from __future__ import annotations

from symtheano.tensor.arrays import _asarray

"""``theano.tensor.elemwise``."""

from __future__ import annotations

from symtheano.tensor import CAReduce, DimShuffle, Elemwise

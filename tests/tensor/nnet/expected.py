"""What functions of networks are, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from tests.support.compare import Array

REDUCING = [T.nnet.softmax, T.nnet.logsoftmax, T.logsumexp]


def tolerance(dtype: str) -> float | None:
    """Return how far results may be off, relative to the largest."""
    return {"float16": 1e-2, "float32": 1e-5}.get(dtype, 1e-12)


def exact_logsumexp(x: Array, axis: Any) -> Array:
    """Return logsumexp, shifted by the maximum where that is finite."""
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(all="ignore"):
        return np.log(np.exp(x - top).sum(axis=axis, keepdims=True)) + top

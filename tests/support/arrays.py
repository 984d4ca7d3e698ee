"""Arrays of moderate random numbers, and the shapes with which every op is tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import dtypes

Array = np.ndarray[Any, Any]


def random_array(random: np.random.Generator, dtype: str, shape: Sequence[int]) -> Array:
    """Return moderate numbers of a dtype."""
    values = random.uniform(-4, 4, shape)
    if dtypes.is_complex(dtype):
        values = values + 1j * random.uniform(-4, 4, shape)
    if dtype[0] == "u":
        values = np.abs(values)
    return np.asarray(values > 0 if dtype == "bool" else values).astype(dtype)


def fit(pattern: Sequence[int | None], dims: Sequence[int]) -> list[int]:
    """Return ``dims``, replaced by one where the pattern is broadcast."""
    return [dim if known is None else known for known, dim in zip(pattern, dims, strict=True)]


def sizes(ndim: int) -> list[tuple[int, ...]]:
    """Return shapes: one that is ordinary, ones, and an empty one for every axis."""
    ordinary = (3, 4, 2, 5, 3)[:ndim]
    empty = [(*ordinary[:axis], 0, *ordinary[axis + 1 :]) for axis in range(ndim)]
    single = [(*ordinary[:axis], 1, *ordinary[axis + 1 :]) for axis in range(ndim)]
    return [ordinary, *empty, *single, (1,) * ndim, (0,) * ndim]

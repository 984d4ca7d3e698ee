"""Operands and comparisons of reductions."""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from tests.support.arrays import random_array
from tests.support.compare import Array


def small(random: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    """Return numbers whose sums and products stay in the range of every dtype."""
    values = random_array(random, dtype, shape)
    return values if dtypes.is_discrete(dtype) else (values / 4 + 1).astype(dtype)

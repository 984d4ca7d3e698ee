"""Dtypes of sums."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.tensor.reductions.accumulators import ACCUMULATE, accumulated_dtype


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_sums_have_the_dtypes_of_numpys(dtype: str) -> None:
    assert accumulated_dtype(dtype) == np.sum(np.zeros(1, dtype)).dtype


def test_accumulators_have_at_least_twice_the_bits() -> None:
    assert all(
        np.dtype(wide).itemsize == 2 * np.dtype(d).itemsize for d, wide in ACCUMULATE.items()
    )

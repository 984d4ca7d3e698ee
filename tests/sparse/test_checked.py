"""Checks of indices in axes at the limits of their dtypes."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import BoundsError
from symtheano.sparse.checked import CheckedIndices

MODES = pytest.mark.parametrize(
    "mode", [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]
)


@MODES
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_at_the_limits(dtype: str, mode: str) -> None:
    indices, data, places = T.vector("i", dtype), T.dvector("x"), T.lscalar("n")
    f = function([indices, data, places], CheckedIndices()(indices, data, places), mode=mode)
    most = 2**31 - 1
    for index, length in ((most, 2**31), (most, 2**63 - 1), (most - 1, most), (0, 1)):
        given = np.array([0, index, 0], dtype)
        np.testing.assert_array_equal(f(given, np.ones(3), length), given)
    for index, length in ((most, most), (0, 0), (0, -(2**63)), (-1, 2**62), (5, 5), (0, -1)):
        with pytest.raises(BoundsError, match="outside its axis"):
            f(np.array([index], dtype), np.ones(1), length)
    assert f(np.array([], dtype), np.ones(0), 0).size == 0

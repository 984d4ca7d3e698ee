"""Factors of Gaussian elimination, and exponentials of matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from symtheano.tensor.linalg.expm import expm
from symtheano.tensor.linalg.lu import lu
from tests.support.compare import assert_same, oracle
from tests.tensor.linalg.matrices import (
    DTYPES,
    LOOSE,
    arrays,
    same,
    variables,
)


@pytest.mark.parametrize("dtype", DTYPES)
def test_lu_and_expm(dtype: str) -> None:
    for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 3), (0, 2), (1, 1)):
        (a,) = arrays(dtype, shape)
        (x,) = variables(a)
        got = oracle([x], [*lu(x), *lu(x, permute_l=True)])(a)
        p, low, up, moved, again = got
        one = low[(0,) * (low.ndim - 2)]
        assert np.array_equal(np.tril(one), one)
        assert np.array_equal(np.triu(up), up)
        assert_same(np.asarray(p @ low @ up, dtype), a, LOOSE[dtype])
        assert_same(np.asarray(moved @ again, dtype), a, LOOSE[dtype])
        assert (np.maximum(abs(low.real), abs(low.imag)) <= 1.5).all()
    (a,) = arrays(dtype, (2, 3, 3))
    (x,) = variables(a)
    same(expm(x), [x], [a], np.stack([scipy.linalg.expm(m) for m in a]), tolerance=LOOSE[dtype])

"""Least squares of any number of equations."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.tensor.linalg.lstsq import lstsq
from tests.support.compare import oracle
from tests.tensor.linalg.matrices import (
    DTYPES,
    LOOSE,
    arrays,
    same,
    variables,
)


@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares(dtype: str) -> None:
    for m, n in ((5, 3), (3, 3), (2, 4), (3, 1)):
        a, b, v = arrays(dtype, (m, n), (m, 2), (m,))
        x, y, w = variables(a, b, v)
        for right, value in ((y, b), (w, v)):
            wanted = list(np.linalg.lstsq(a, value))
            wanted[2] = np.asarray(wanted[2], "int64")
            outputs = list(lstsq()(x, right, None))
            same(outputs, [x, right], [a, value], wanted, tolerance=LOOSE[dtype])
    a = np.ones((4, 3), dtype)
    x, w = T.matrix("x", dtype), T.vector("w", dtype)
    got = oracle([x, w], list(lstsq(x, w, 0.1)))(a, np.arange(4).astype(dtype))
    assert got[1].shape == (0,)
    assert got[2] == 1
    with pytest.raises(TypeError, match="rcond is a real number"):
        lstsq(x, w, T.vector())
    with pytest.raises(ShapeError, match="a has 4 rows, but b has 3"):
        oracle([x, w], lstsq(x, w)[0])(a, np.ones(3, dtype))

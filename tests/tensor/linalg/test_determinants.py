"""Determinants near the ends of the range of a dtype, and of singular matrices."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.tensor.linalg.determinants import det, slogdet
from symtheano.tensor.linalg.qr import qr
from tests.support.compare import oracle
from tests.tensor.linalg.matrices import DTYPES


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", DTYPES)
def test_determinants_whose_factors_leave_the_range(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    far = 1e-30 if dtype in ("float32", "complex64") else 1e-200
    a = np.zeros((3, 4, 4), dtype)
    for matrix, diagonal in zip(
        a, ([far, far, 1 / far, 3 / far], [1 / far, -2 / far, far, far], [far, far, 1, 1]),
        strict=True,
    ):  # fmt: skip
        np.fill_diagonal(matrix, diagonal)
    got = function([x], det(x))(a)
    np.testing.assert_allclose(got, np.array([3, -2, 0], dtype), rtol=1e-6)


def test_a_gradient_of_a_singular_matrix_raises() -> None:
    a = T.matrix("a")
    value = oracle([a], slogdet(a)[1])(np.ones((2, 2)))
    assert value == -np.inf
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        oracle([a], grad(slogdet(a)[1], a))(np.ones((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="diagonal is zero"):
        oracle([a], grad(qr(a)[0].sum(), a))(np.zeros((2, 2)))

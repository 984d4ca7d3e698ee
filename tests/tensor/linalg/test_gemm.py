"""Products with factors and a summand, as BLAS has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm

RNG = np.random.default_rng(0)
X, Y, Z = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2))


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_values(mode: Any) -> None:
    x, y, z, a, b = T.matrix(), T.matrix(), T.matrix(), T.scalar(), T.scalar()
    f = function([x, y, z, a, b], [Gemm()(z, a, x, y, b), Dot22Scalar()(x, y, a)], mode=mode)
    total, product = f(X, Y, Z, 0.5, -2.0)
    assert_allclose(total, 0.5 * X @ Y - 2 * Z)
    assert_allclose(product, 0.5 * X @ Y)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_a_summand_with_the_factor_zero_is_not_read(mode: Any) -> None:
    x, y, z, b = T.matrix(), T.matrix(), T.matrix(), T.scalar()
    f = function([x, y, z, b], Gemm()(z, T.constant(1.0, dtype="float64"), x, y, b), mode=mode)
    assert_allclose(f(X, Y, np.full((3, 2), np.nan), 0.0), X @ Y)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_shapes_that_do_not_fit(mode: Any) -> None:
    x, y, z, one = T.matrix(), T.matrix(), T.matrix(), T.constant(1.0, dtype="float64")
    f = function([x, y, z], Gemm()(z, one, x, y, one), mode=mode)
    for factors in ((X, Y[:3], Z), (X, Y, Z[:2])):
        with pytest.raises((ShapeError, ValueError)):
            f(*factors)


def test_gradients() -> None:
    half = np.array(0.5)
    verify_grad(lambda *args: Gemm()(*args), [Z, half, X, Y, half], mode="INTERPRET")
    verify_grad(lambda *args: Dot22Scalar()(*args), [X, Y, half], mode="INTERPRET")

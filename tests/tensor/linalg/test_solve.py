"""Solutions of systems: structures, batches, dtypes and layouts."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.linalg.cholesky import cholesky
from symtheano.tensor.linalg.determinants import det
from symtheano.tensor.linalg.eigen import eigh
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.solve import (
    solve,
    solve_lower_triangular,
    solve_symmetric,
    solve_triangular,
    solve_upper_triangular,
)
from symtheano.tensor.linalg.svd import svd
from tests.support.compare import assert_same, oracle
from tests.support.layouts import layouts
from tests.tensor.linalg.matrices import (
    DTYPES,
    LOOSE,
    arrays,
    definite,
    same,
    variables,
)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve(dtype: str) -> None:
    for left, right in (((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 4, 4), (2, 4, 3)), ((1, 1), (1, 0)),
                        ((0, 2, 2), (0, 2, 2))):  # fmt: skip
        a, b = arrays(dtype, left, right)
        x, y = variables(a, b)
        low, up = np.tril(a), np.triu(a)
        symmetric = up + np.triu(a, 1).swapaxes(-1, -2)
        other = low + np.tril(a, -1).swapaxes(-1, -2)
        eye = np.eye(left[-1], dtype=dtype)
        unit = np.tril(a, -1) + eye
        tolerance = LOOSE[dtype] * 10
        same(
            [
                solve(x, y), solve_lower_triangular(x, y), solve_upper_triangular(x, y),
                solve_symmetric(x, y), solve(x, y, "symmetric", lower=True),
                solve_triangular(x, y, unit_diagonal=True, lower=True),
                solve_triangular(x, y, trans=1), solve_triangular(x, y, "C", lower=True),
            ],
            [x, y], [a, b],
            [np.linalg.solve(m, b) for m in (
                a, low, up, symmetric, other, unit, up.swapaxes(-1, -2),
                low.conj().swapaxes(-1, -2))],
            tolerance=tolerance,
        )  # fmt: skip


def test_solve_repeats_batches() -> None:
    a, b = arrays("float64", (3, 3), (4, 3, 2))
    x, y = variables(a, b)
    same(solve(x, y), [x, y], [a, b], np.linalg.solve(a, b), tolerance=1e-10)
    many, one = arrays("float64", (4, 3, 3), (3,))
    x, y = variables(many, one)
    wanted = np.stack([np.linalg.solve(m, one) for m in many])
    same(solve(x, y), [x, y], [many, one], wanted, tolerance=1e-10)


def test_solve_promotes() -> None:
    a, b = np.array([[2, 1], [1, 3]]), np.array([1.0, 2.0], "float32")
    x, y = variables(a, b)
    assert solve(x, y).dtype == "float64"
    same(solve(x, y), [x, y], [a, b], np.linalg.solve(a, b.astype("float64")), tolerance=1e-12)
    same(det(x), [x], [a], 5.0, tolerance=1e-12)
    with pytest.raises(TypeError, match="half precision is not supported"):
        det(T.matrix("h", "float16"))


@pytest.mark.needs_cc
def test_operands_in_any_layout() -> None:
    a, (b,) = definite("float64", 3, 3), arrays("float64", (3, 2))
    x, y = T.matrix("x"), T.matrix("y")
    outputs = [
        solve(x, y), solve_upper_triangular(x.T, y), cholesky(x[::-1, ::-1]), svd(y)[1],
        eigh(x.T)[0], solve(x, y[::-1]), solve_symmetric(x.T, y), *lstsq(x[:, ::2], y)[::2],
    ]  # fmt: skip
    f, g = function([x, y], outputs), oracle([x, y], outputs)
    for (_, first), (_, second) in zip(layouts(a), layouts(b), strict=True):
        for mine, its in zip(f(first, second), g(a, b), strict=True):
            assert_same(mine, its, 1e-10)

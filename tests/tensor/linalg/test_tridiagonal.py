"""Tridiagonal matrices: factors, solutions, exchanges of rows, batches, lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from symtheano.tensor.linalg.tridiagonal import tridiagonal_lu_factor, tridiagonal_lu_solve
from tests.support.compare import assert_same
from tests.tensor.linalg.matrices import DTYPES, LOOSE, arrays, variables

INTERPRETED, COMPILED = "INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)


def whole(below: Any, d: Any, above: Any) -> Any:
    """Return a matrix with three diagonals."""
    return np.diag(below, -1) + np.diag(d) + np.diag(above, 1)


def diagonals(dtype: str, n: int, exchanges: bool) -> list[Any]:
    below, d, above = arrays(dtype, (max(n - 1, 0),), (n,), (max(n - 1, 0),))
    return [below, d if exchanges else d + 9, above]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_solutions_with_and_without_exchanges(dtype: str, mode: str) -> None:
    inputs = [*variables(*diagonals(dtype, 3, True)), T.TensorType(dtype, (None,))(),
              T.TensorType(dtype, (None, None))()]  # fmt: skip
    factors = tridiagonal_lu_factor(*inputs[:3])
    outputs = [tridiagonal_lu_solve(factors, b, trans) for trans in "NTC" for b in inputs[3:]]
    f = function(inputs, [*outputs, *factors], mode=mode)
    for n in (1, 2, 3, 4, 9):
        for exchanges in (True, False):
            parts = diagonals(dtype, n, exchanges)
            vector, matrix = arrays(dtype, (n,), (n, 3))
            results = f(*parts, vector, matrix)
            a = whole(*parts)
            loose = LOOSE[dtype] * max(1, np.linalg.cond(a))
            wanted = [np.linalg.solve(m, b) for m in (a, a.T, a.conj().T) for b in (vector, matrix)]
            for mine, its in zip(results, wanted, strict=False):
                assert_same(mine, np.asarray(its, dtype), loose)
            assert (results[-1] >= np.arange(n)).all()
            if not exchanges:
                assert list(results[-1]) == list(range(n))
    empty = f(*diagonals(dtype, 0, True), *arrays(dtype, (0,), (0, 3)))
    assert [item.shape for item in empty[:2]] == [(0,), (0, 3)]


@pytest.mark.needs_cc
def test_factors_are_those_of_lapack() -> None:
    inputs = variables(*diagonals("complex128", 9, True))
    f = function(inputs, tridiagonal_lu_factor(*inputs))
    g = function(inputs, tridiagonal_lu_factor(*inputs), mode="INTERPRET")
    for n in (1, 2, 3, 20):
        parts = diagonals("complex128", n, True)
        mine, its = f(*parts), g(*parts)
        for result, wanted in zip(mine, its, strict=True):
            assert_same(result, wanted, 1e-12)
        assert n < 20 or (mine[-1] != np.arange(n)).any()


@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_batches(mode: str) -> None:
    below, d, above, b = arrays("float64", (2, 3), (2, 4), (3,), (2, 4, 2))
    inputs = variables(below, d, above, b)
    x = tridiagonal_lu_solve(tridiagonal_lu_factor(*inputs[:3]), inputs[3])
    result = function(inputs, x, mode=mode)(below, d, above, b)
    for k in range(2):
        assert_same(result[k], np.linalg.solve(whole(below[k], d[k], above), b[k]), 1e-9)


@pytest.mark.parametrize("mode", [INTERPRETED, COMPILED])
def test_singular_matrices_and_nan(mode: str) -> None:
    inputs = variables(*diagonals("float64", 3, True))
    factors = tridiagonal_lu_factor(*inputs)
    f = function(inputs, [factors[1], tridiagonal_lu_solve(factors, [1.0, 1.0])], mode=mode)
    pivots, x = f([0.0], [0.0, 1.0], [0.0])
    assert list(pivots) == [0, 1]
    assert not np.isfinite(x).all()
    _, x = f([0.0], [np.nan, 1.0], [0.0])
    assert np.isnan(x).any()


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="diagonal 0 has length 2, but must have length 3"):
        function([], tridiagonal_lu_factor([1.0, 2.0], np.ones(4), np.ones(3)), mode="INTERPRET")()
    x = T.dvector("x")
    f = function([x], tridiagonal_lu_factor(x, x, x), mode="INTERPRET")
    with pytest.raises(ValueError, match="diagonal 0 has length 3, but must have length 2"):
        f([1.0, 2.0, 3.0])
    factors = tridiagonal_lu_factor([0.0], [2.0, 5.0], [1.0])
    with pytest.raises(ValueError, match="trans='H' is not N, T or C"):
        tridiagonal_lu_solve(factors, x, "H")
    with pytest.raises(ValueError, match="b has 3 rows or items, but the matrix has 2"):
        function([x], tridiagonal_lu_solve(factors, x), mode="INTERPRET")([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="takes vectors"):
        tridiagonal_lu_factor(1.0, x, x)
    with pytest.raises(NullTypeGradError, match="has no gradient"):
        grad(tridiagonal_lu_solve(factors, x).sum(), x)

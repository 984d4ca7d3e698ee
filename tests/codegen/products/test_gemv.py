"""Our own products of a small matrix and a vector, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as TT
from symtheano import function
from tests.codegen.products.test_kernels import (
    Kernels,
    N,
    T,
    kernels as kernels,
    with_padding,
)

pytestmark = pytest.mark.needs_cc

LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 72, 73, 90)
FACTORS = [(1, 0, 0), (2, 3, 3), (-1, 1, 1), (0, 2, 0)]


def column(values: Any, gap: int) -> Any:
    """Return a vector as a column, with NaN between its elements."""
    return with_padding(values.reshape(-1, 1), gap)


@pytest.mark.parametrize("transposed", [N, T])
def test_products(kernels: Kernels, transposed: int) -> None:
    random = np.random.default_rng(1)
    sizes = [*itertools.product(LENGTHS, repeat=2), (700, 3), (3, 700), (2100, 1), (1, 2100)]
    computed = 0
    for (m, k), (alpha, beta, gap) in itertools.product(sizes, FACTORS):
        # Small integers: every product is exact, whatever the order of the sums.
        a, x, y = (random.integers(-8, 9, shape).astype(kernels.dtype) for shape in ((m, k), k, m))
        matrix = with_padding(a.T if transposed == T else a, gap)
        into = column(y if beta else np.full_like(y, np.nan), gap)
        if kernels("vector", matrix, column(x, gap), into, (m, 1, k), (transposed, N), alpha, beta):
            computed += 1
            expected = alpha * (a @ x) + beta * y
            np.testing.assert_array_equal(into[:, 0], expected, err_msg=f"{m} {k} {beta} {gap}")
            assert np.isnan(into[:, 1:]).all()
        else:
            assert np.isnan(into[:, 0]).all() or (into[:, 0] == y).all()
    assert computed > len(sizes)  # more than a quarter of all


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("transposed", [N, T])
def test_special_values_stay_in_their_rows(kernels: Kernels, transposed: int, value: float) -> None:
    for m, k in [(16, 17), (9, 33), (17, 33), (21, 18), (40, 70), (66, 31)]:
        a, x, y = (np.ones(shape, kernels.dtype) for shape in ((m, k), k, (m, 1)))
        a[m // 2, k - 1] = value
        matrix = np.ascontiguousarray(a.T if transposed == T else a)
        computed = kernels("vector", matrix, column(x, 0), y, (m, 1, k), (transposed, N))
        assert computed or transposed == T  # columns that fill no vector are left to the library
        assert computed or m < 16
        if not computed:
            assert (y == 1).all()
            continue
        expected = np.full(m, k, kernels.dtype)
        expected[m // 2] = value
        np.testing.assert_array_equal(y[:, 0], expected)
        x[0] = value
        assert kernels("vector", matrix, column(x, 0), y, (m, 1, k), (transposed, N))
        assert not np.isfinite(y).any()


def test_large_ones_are_left_to_the_library(kernels: Kernels) -> None:
    a, x, y = (np.ones(shape, kernels.dtype) for shape in ((400, 400), (400, 1), (400, 1)))
    for transposed in (N, T):
        assert not kernels("vector", a, x, y, (400, 1, 400), (transposed, N))
    assert (y == 1).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions(dtype: str) -> None:
    a, x = TT.matrix("a", dtype=dtype), TT.vector("x", dtype=dtype)
    straight = function([a, x], TT.dot(a, x[::-1]))
    across = function([a, x], TT.dot(x, a))
    random = np.random.default_rng(2)
    for rows, columns in [(0, 0), (0, 3), (3, 0), (1, 1), (1, 9), (9, 1), (13, 40), (40, 13)]:
        matrix = random.normal(size=(rows, columns)).astype(dtype)
        for vector, program in ((random.normal(size=columns), straight),
                                (random.normal(size=rows), across)):  # fmt: skip
            given = vector.astype(dtype)
            want = matrix @ given[::-1] if program is straight else given @ matrix
            np.testing.assert_allclose(program(matrix, given), want, 2e-4, 1e-5)

"""Products with a packed factor, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.codegen.products.test_kernels import (
    Array,
    Kernels,
    N,
    T,
    kernels as kernels,
    with_padding,
)

pytestmark = pytest.mark.needs_cc


def packed(
    kernels: Kernels, y: Array, transposed: int, rows: int, pad: int = 0, form: str = "pack"
) -> Array:
    """Return a packed matrix, the first element of which says whether it is."""
    k, n = y.shape
    memory = np.full((1, (n + 15) * k + 17), np.nan, kernels.dtype)
    given = with_padding(y.T if transposed == T else y, pad)
    done = kernels(form, given, given, memory, (rows, n, k), (N, transposed))
    assert done == bool(memory[0, 0])
    assert np.isnan(memory[0, -1])  # the size is enough
    return memory


SIZES = [(95, 100), (100, 95), (128, 64), (64, 128), (33, 257), (257, 33), (513, 40), (16, 700)]


@pytest.mark.parametrize(("left", "right"), [*itertools.product((N, T), (N, T))])
def test_products(kernels: Kernels, left: int, right: int) -> None:
    random = np.random.default_rng(1)
    computed = 0
    for (k, n), m in itertools.product(SIZES, (2, 3, 6, 7, 13, 32, 65, 128)):
        # Small integers: every product is exact, whatever the order of the sums.
        x, y, z = (
            random.integers(-8, 9, shape).astype(kernels.dtype)
            for shape in ((m, k), (k, n), (m, n))
        )
        memory = packed(kernels, y, right, m, pad=3)
        for alpha, beta, pad, threads in ((1, 0, 0, 1), (2, 3, 3, 2), (-1, 1, 1, 6)):
            into = with_padding(z if beta else np.full_like(z, np.nan), pad)
            given = with_padding(x.T if left == T else x, pad)
            if kernels("packed", given, memory, into, (m, n, k), (left, N), alpha, beta, threads):
                computed += 1
                expected = alpha * (x @ y) + beta * z
                np.testing.assert_array_equal(into[:, :n], expected, err_msg=f"{m} {n} {k}")
                assert np.isnan(into[:, n:]).all()
            else:
                assert memory[0, 0] == 0
    assert computed > 100


@pytest.mark.parametrize(("left", "right"), [*itertools.product((N, T), (N, T))])
def test_products_with_panels_of_any_size(kernels: Kernels, left: int, right: int) -> None:
    """Also for one row, a few columns, and more rows than usual."""
    random = np.random.default_rng(2)
    sizes = [(1, 1), (3, 2), (64, 5), (96, 8), (256, 17), (300, 64), (8, 33), (96, 256)]
    for (k, n), m in itertools.product(sizes, (1, 2, 7, 96, 257)):
        x, y, z = (
            random.integers(-8, 9, shape).astype(kernels.dtype)
            for shape in ((m, k), (k, n), (m, n))
        )
        memory = packed(kernels, y, right, 1, pad=3, form="panels")
        assert memory[0, 0] == 2
        for alpha, beta, pad in ((1, 0, 0), (2, 1, 3)):
            into = with_padding(z if beta else np.full_like(z, np.nan), pad)
            given = with_padding(x.T if left == T else x, pad)
            assert kernels("packed", given, memory, into, (m, n, k), (left, N), alpha, beta, 1)
            np.testing.assert_array_equal(into[:, :n], alpha * (x @ y) + beta * z)
            assert np.isnan(into[:, n:]).all()


def test_what_gains_nothing_is_not_packed(kernels: Kernels) -> None:
    for k, n, m in [(100, 100, 1), (100, 100, 129), (3, 4000, 9), (4000, 3, 9), (20, 20, 32),
                    (1500, 1500, 32)]:  # fmt: skip
        y = np.ones((k, n), kernels.dtype)
        memory = packed(kernels, y, N, m)
        assert memory[0, 0] == 0
        assert np.isnan(memory[0, 1:]).all()
        into = np.full((m, n), np.nan, kernels.dtype)
        assert not kernels("packed", np.ones((m, k), kernels.dtype), memory, into, (m, n, k))


def test_more_rows_than_were_told(kernels: Kernels) -> None:
    y = np.ones((100, 100), kernels.dtype)
    memory = packed(kernels, y, N, 2)
    into: Any = np.full((300, 100), np.nan, kernels.dtype)
    assert not kernels("packed", np.ones((300, 100), kernels.dtype), memory, into, (300, 100, 100))
    assert kernels("packed", np.ones((9, 100), kernels.dtype), memory, into[:9], (9, 100, 100))
    assert (into[:9] == 100).all()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_special_values_stay_in_their_rows_and_columns(kernels: Kernels, value: float) -> None:
    x, y = np.ones((13, 101), kernels.dtype), np.ones((101, 99), kernels.dtype)
    x[5, 100], y[100, 98] = value, value
    into = np.full((13, 99), np.nan, kernels.dtype)
    assert kernels("packed", x, packed(kernels, y, N, 13), into, (13, 99, 101))
    expected = np.full((13, 99), 101, kernels.dtype)
    expected[5, :] = expected[:, 98] = value
    np.testing.assert_array_equal(into, expected)

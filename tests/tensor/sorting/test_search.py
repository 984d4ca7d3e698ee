"""Positions in sorted vectors: of values that are sorted, or not, around the sizes of blocks."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import Array, check

pytestmark = pytest.mark.needs_cc


def values_of(order: str, length: int, high: int, random: np.random.Generator) -> Array:
    """Return values in some order, some below and above all elements."""
    values = random.integers(-2, high + 3, length).astype("float64")
    if order != "any":
        values.sort()
    return np.ascontiguousarray(values[::-1] if order == "falling" else values)


@pytest.mark.parametrize("order", ["any", "rising", "falling"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64"])
def test_positions_are_numpys(order: str, dtype: str) -> None:
    x, v = T.TensorType(dtype, (None,))("x"), T.TensorType(dtype, (None,))("v")
    random = np.random.default_rng(0)
    calls = []
    for length in (0, 1, 2, 3, 4, 5, 8, 9, 31, 100, 1000):
        for count in (0, 1, 31, 32, 33, 200):
            high = min(max(1, length // 2), 100)
            vector = np.sort(random.integers(0, high, length)).astype(dtype)
            calls.append([vector, abs(values_of(order, count, high, random)).astype(dtype)])
            if dtype.startswith("float"):
                special = calls[-1][1].copy()
                special[::3], special[1::7] = np.nan, -np.inf
                end = np.where(np.arange(length) > length // 2, np.nan, vector).astype(dtype)
                calls.append([end, special])

    def expected(x: Array, v: Array) -> list[Array]:
        return [np.searchsorted(x, v, side) for side in ("left", "right")]

    outputs = [T.searchsorted(x, v, side) for side in ("left", "right")]
    check([x, v], outputs, calls, expected, kind="positions in sorted vectors")


def test_positions_of_matrices_and_of_one_value() -> None:
    x, v = T.dvector("x"), T.dtensor3("v")
    random = np.random.default_rng(1)
    outputs = [T.searchsorted(x, v), T.searchsorted(x, v.T, "right"), T.searchsorted(x, v[0, 0, 0])]
    calls = [[np.sort(random.normal(size=n)), random.normal(size=(2, 3, m))]
             for n in (0, 1, 70) for m in (1, 32, 65)]  # fmt: skip

    def expected(x: Array, v: Array) -> list[Array]:
        whole = np.searchsorted(x, v), np.searchsorted(x, v.T, "right")
        return [*whole, np.searchsorted(x, v[0, 0, 0])]

    check([x, v], outputs, calls, expected, kind="positions in sorted vectors")

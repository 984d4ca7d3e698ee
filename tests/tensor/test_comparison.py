"""isclose, allclose, smallest, largest, rounded quotients."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.comparison import (
    allclose,
    array_equal,
    ceil_intdiv,
    divmod,
    isclose,
    isin,
    largest,
    smallest,
)
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import Array, assert_same, check, oracle
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc

SPECIAL = [0.0, 1.0, 1.0 + 1e-9, 1.00002, -1.0, np.inf, -np.inf, np.nan, 1e-9]


def test_equality_up_to_a_tolerance() -> None:
    a, b, i, z = T.vector("a"), T.vector("b"), T.lvector("i"), T.zvector("z")
    outputs = [
        isclose(a, b), isclose(a, b, equal_nan=True), isclose(a, b, 1e-3, 0.0), isclose(i, i + 1),
        isclose(i, 1.0), allclose(a, b), allclose(a, a, equal_nan=True), allclose(i, i),
        isclose(z, z + 1e-9), isclose(a, b, 0.0, 0.5),
    ]  # fmt: skip

    def reference(a: Array, b: Array, i: Array, z: Array) -> list[Array]:
        with np.errstate(all="ignore"):
            found = [
                np.isclose(a, b), np.isclose(a, b, equal_nan=True), np.isclose(a, b, 1e-3, 0.0),
                np.isclose(i, i + 1), np.isclose(i, 1.0), np.allclose(a, b),
                np.allclose(a, a, equal_nan=True), np.allclose(i, i), np.isclose(z, z + 1e-9),
                np.isclose(a, b, 0.0, 0.5),
            ]  # fmt: skip
        return [np.asarray(item) for item in found]

    left, right = np.array(list(product(SPECIAL, SPECIAL))).T.copy()
    calls = [[left, right, np.array([0, 1, 2**60]), np.array([1 + 2j, 0j, complex(np.nan, 1)])]]
    calls.append([left[:0], right[:0], np.array([], "int64"), np.array([], "c16")])
    check([a, b, i, z], outputs, calls, reference, kind="comparison")


def test_equality_of_whole_arrays() -> None:
    x, y, i = T.matrix("x"), T.matrix("y"), T.lmatrix("i")
    narrow = TensorType("float64", (None, 3))("narrow")
    outputs = [
        array_equal(x, y), array_equal(x, y, equal_nan=True), array_equal(x, i),
        array_equal(narrow, x), array_equal(narrow, np.ones((2, 4))), array_equal(x, x[0]),
        array_equal([1, 2], [1, 2]), array_equal(i, i),
    ]  # fmt: skip

    def reference(x: Array, y: Array, i: Array, narrow: Array) -> list[Array]:
        found = [
            np.array_equal(x, y), np.array_equal(x, y, equal_nan=True), np.array_equal(x, i),
            np.array_equal(narrow, x), False, False, True, True,
        ]  # fmt: skip
        return [np.asarray(item) for item in found]

    one, other = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2)
    holed = one.copy()
    holed[1, 1] = np.nan
    calls = [
        [a, b, a.astype("i8") if np.isfinite(a).all() else one.astype("i8"), one]
        for a in (one, other, holed, one[:0], one[:1])
        for b in (one.copy(), one + 1, one[:1], holed.copy(), one[:, :0])
    ]
    check([x, y, i, narrow], outputs, calls, reference, kind="comparison")


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_complex(d)])
def test_elements_that_occur_among_others(dtype: str) -> None:
    x, y = T.matrix("x", dtype), T.vector("y", dtype)
    f = oracle([x, y], [isin(x, y), isin(x, y, invert=True), isin(2, y), isin(x, [1, 0])])
    random = np.random.default_rng(7)
    for count in (0, 1, 6):
        values = random_array(random, dtype, (3, 4))
        others = random_array(random, dtype, (count,))
        others[: count // 2] = values.ravel()[: count // 2]
        expected = [np.isin(values, others), np.isin(values, others, invert=True)]
        expected += [np.isin(np.asarray(2, "int8"), others), np.isin(values, [1, 0])]
        for got, want in zip(f(values, others), expected, strict=True):
            assert_same(got, want)


def test_elements_that_are_nan_are_not_found() -> None:
    x, y = T.vector("x"), T.vector("y")
    calls = [[np.array([1.0, np.nan, np.inf, -0.0]), np.array(others)]
             for others in ([np.nan, 0.0, 1.0], [np.inf, np.nan, np.nan], [])]  # fmt: skip
    outputs = [isin(x, y), isin(x, y, invert=True)]
    check([x, y], outputs, calls, lambda x, y: [np.isin(x, y), np.isin(x, y, invert=True)],
          kind="comparison")  # fmt: skip
    with pytest.raises(TypeError, match="complex numbers have no order"):
        isin(T.zvector("z"), x)


def test_the_smallest_and_largest_of_several() -> None:
    a, b, c = T.matrix("a"), T.vector("b"), T.lscalar("c")
    outputs = [smallest(a, b, c), largest(a, b, c), smallest(a), largest(b, c)]

    def reference(a: Array, b: Array, c: Array) -> list[Array]:
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        return [low, high, a, np.maximum(b, c)]

    random = np.random.default_rng(1)
    calls = [[random.uniform(-3, 3, (2, 4)), np.array([1.0, np.nan, -2.0, 0.5]), np.array(1)]]
    check([a, b, c], outputs, calls, reference, kind="comparison")
    points = [np.array([1.0, 5.0]), np.array([2.0, 4.0])]
    check_derivatives([(lambda x, y: smallest(x, y) * largest(x, y, 3.0), points)])
    for function in (smallest, largest):
        with pytest.raises(ValueError, match="nothing to compare"):
            function()


def test_quotients() -> None:
    a, b = T.lvector("a"), T.lvector("b")
    outputs = [*divmod(a, b), ceil_intdiv(a, b), *divmod(a * 1.5, 2)]

    def reference(a: Array, b: Array) -> list[Array]:
        return [*np.divmod(a, b), -((-a) // b), *np.divmod(a * 1.5, 2)]

    left, right = np.array(list(product(range(-7, 8), (-3, -1, 1, 2, 5)))).T.copy()
    check([a, b], outputs, [[left, right]], reference, kind="comparison")

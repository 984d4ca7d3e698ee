"""isclose, allclose, smallest, largest, rounded quotients."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.comparison import allclose, ceil_intdiv, divmod, isclose, largest, smallest
from symtheano.verify import verify_grad
from tests.support.compare import Array, check

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
    verify_grad(lambda x, y: smallest(x, y) * largest(x, y, 3.0), points)
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

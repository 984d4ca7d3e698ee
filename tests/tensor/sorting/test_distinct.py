"""Distinct items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.sorting.distinct import Unique, unique
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_distinct_elements(dtype: str) -> None:
    x = TensorType(dtype, (None, None))("x")
    outputs = [*unique(x, True, True, True), unique(x.T), unique(x), *unique(x, True)]

    def reference(x: Array) -> list[Any]:
        items = np.unique(x)
        return [*np.unique(x, True, True, True), items, items, *np.unique(x, True)]

    random = np.random.default_rng(1)
    calls = [[random_array(random, dtype, shape)] for shape in [*sizes(2), (5, 6)]]
    check([x], outputs, calls, reference, kind="unique")


def test_nan_is_one_item() -> None:
    x = T.vector("x")
    values = np.array([2.0, np.nan, -0.0, 0.0, np.nan, np.inf])
    outputs = unique(x, True, True, True)
    check([x], outputs, [[values]], lambda x: np.unique(x, True, True, True), kind="unique")
    apart = unique(values, return_counts=True, equal_nan=False)
    for mine, want in zip(
        apart, np.unique(values, return_counts=True, equal_nan=False), strict=True
    ):
        np.testing.assert_array_equal(mine.eval(), want)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float64"])
def test_distinct_parts_along_an_axis(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    axes = (0, 1, -1)
    outputs = [part for axis in axes for part in unique(x, True, True, True, axis)]

    def reference(x: Array) -> list[Any]:
        found: list[Any] = []
        for axis in axes:
            items, first, inverse, counts = np.unique(x, True, True, True, axis)
            found += [items, first, inverse.reshape(-1), counts]
        return found

    random = np.random.default_rng(2)
    calls = [[random.integers(0, 2, shape).astype(dtype)] for shape in ((4, 3, 2), (2, 5, 1))]
    check([x], outputs, calls, reference, kind="unique")


def test_gradient_and_the_class_of_theano() -> None:
    check_derivatives([
        (lambda x: unique(x) ** 2, [np.array([3.0, 1.0, 2.0])]),
        (lambda x: unique(x, axis=0) ** 2, [np.array([[3.0, 1.0], [2.0, 2.0]])]),
    ])  # fmt: skip
    found = Unique(return_counts=True)(np.array([5, 5, 1]))
    assert [item.eval().tolist() for item in found] == [[1, 5], [1, 2]]
    with pytest.raises(ValueError, match="a 0-d array has no axis"):
        unique(T.scalar("s"), axis=0)
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        unique(T.matrix("x"), axis=2)

"""The ops that sort, on the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, grad
from symtheano.tensor.sorting.ordering import ArgSort, ArgTop, Sort
from tests.support.compare import ORACLE

ROWS = np.array([[3.0, np.nan, -1.0, 3.0], [0.0, -0.0, np.inf, -np.inf]])


def test_the_last_axis_is_sorted_with_nan_at_the_end() -> None:
    x = T.matrix("x")
    found = Sort()(x).eval({x: ROWS}, mode=ORACLE)
    np.testing.assert_array_equal(found, np.sort(ROWS, axis=-1))
    order = ArgSort()(x).eval({x: ROWS}, mode=ORACLE)
    assert order.dtype == "int64"
    np.testing.assert_array_equal(order, [[2, 0, 3, 1], [3, 0, 1, 2]])
    with pytest.raises(ValueError, match="a 0-d array has no axis"):
        Sort()(T.scalar("s"))


def test_the_largest_and_the_smallest() -> None:
    x, k = T.vector("x"), T.lscalar("k")
    f = ArgTop()(x, k)
    value = np.array([5.0, 1.0, 7.0, 5.0])
    for number, expected in ((1, [2]), (3, [2, 3, 0]), (-2, [1, 0]), (4, [2, 3, 0, 1])):
        assert f.eval({x: value, k: number}, mode=ORACLE).tolist() == expected
    for number in (0, 5, -5):
        with pytest.raises(ValueError, match=f"kth is {number}; it must not be 0 or exceed"):
            f.eval({x: value, k: number}, mode=ORACLE)
    assert ArgTop()(T.matrix("y"), T.constant(-2, dtype="int64")).type.shape == (None, 2)


def test_derivatives_follow_the_items() -> None:
    x, d = T.vector("x"), T.vector("d")
    value, direction = np.array([3.0, 1.0, 2.0]), np.array([10.0, 20.0, 30.0])
    cost = (Sort()(x) * d).sum()
    slopes = grad(cost, x).eval({x: value, d: direction}, mode=ORACLE)
    np.testing.assert_array_equal(slopes, [30, 10, 20])
    moved = Rop(Sort()(x), x, d).eval({x: value, d: direction}, mode=ORACLE)
    np.testing.assert_array_equal(moved, [20, 30, 10])
    assert Sort().pullback([T.lvector("n")], [], [None]) == [None]

"""bincount, searchsorted, digitize, to_one_hot, interp, counts of a histogram."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import BoundsError, ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.sorting.counting import (
    bincount,
    digitize,
    histogram_counts,
    interp,
    searchsorted,
    to_one_hot,
)
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.gradients import check_derivatives
from tests.support.layouts import LAYOUTS, laid_out

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.DISCRETE)
def test_bincount(dtype: str) -> None:
    x, w, n = T.vector("x", dtype), T.vector("w", "float32"), T.lscalar("n")
    outputs = [
        bincount(x), bincount(x, minlength=5), bincount(x, minlength=n), bincount(x, w),
        bincount(x, w, n, assert_nonneg=True), bincount(x).sum(), bincount(x).shape[0],
        bincount(x, cast_to_int(w)),
    ]  # fmt: skip

    def reference(x: Array, w: Array, n: Array) -> list[Array]:
        x = x.astype("int64")
        whole = np.bincount(x)
        return [
            whole, np.bincount(x, minlength=5), np.bincount(x, minlength=int(n)),
            np.bincount(x, w).astype("f4"), np.bincount(x, w, int(n)).astype("f4"),
            whole.sum(), np.array(len(whole)), np.bincount(x, w.astype("i4")).astype("i4"),
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = []
    for length, least in ((0, 0), (1, 3), (7, 0), (50, 20)):
        numbers = np.abs(random_array(random, dtype, (length,)))
        calls.append([numbers, random.uniform(-9, 9, length).astype("f4"), np.array(least)])
    check([x, w, n], outputs, calls, reference, kind="counting")


def cast_to_int(w: T.TensorVariable) -> T.TensorVariable:
    """Return weights as integers."""
    return w.astype("int32")


def test_numbers_that_bincount_refuses() -> None:
    x, w, n = T.lvector("x"), T.vector("w"), T.lscalar("n")
    for h in (f([x, w, n], bincount(x, w, n)) for f in (compiled, oracle)):
        found = outcome(h, [np.array([1, -1]), np.ones(2), np.array(0)])
        assert found == (ValueError, "bincount: a number is negative")
        found = outcome(h, [np.array([1, 1]), np.ones(3), np.array(0)])
        assert found == (ShapeError, "bincount: 3 weights for 2 numbers")
        found = outcome(h, [np.array([1, 1]), np.ones(2), np.array(-1)])
        assert found == (ValueError, "bincount: minlength is negative")
    for wrong in (T.lmatrix("m"), T.vector("v")):
        with pytest.raises(TypeError, match="takes a vector of integers"):
            bincount(wrong)
    with pytest.raises(TypeError, match="the weights must be a vector"):
        bincount(x, T.matrix("m"))
    check_derivatives([(lambda w: bincount([0, 2, 2, 1], w) ** 2, [np.arange(4.0)])])


# -- looking up ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_complex(d)])
def test_searchsorted(dtype: str) -> None:
    x, v, s = T.vector("x", dtype), T.matrix("v", dtype), T.lvector("s")
    sides = ("left", "right")
    outputs = [searchsorted(x, v, side) for side in sides] + [searchsorted(x, v[0, 0])]
    outputs += [searchsorted(x[::-1], v, side, s) for side in sides]

    def reference(x: Array, v: Array, s: Array) -> list[Array]:
        left, right = (np.searchsorted(x, v, side) for side in sides)
        return [left, right, np.searchsorted(x, v[0, 0]), left, right]

    random = np.random.default_rng(2)
    calls = []
    for n in (0, 1, 2, 7, 40):
        vector = np.sort(random_array(random, dtype, (n,)))
        order = np.arange(n)[::-1].copy()
        calls.append([vector, random_array(random, dtype, (3, 4)), order])
    check([x, v, s], outputs, calls, reference, kind="counting")


def test_searching_for_nan_and_among_other_dtypes() -> None:
    x, v, i = T.vector("x"), T.vector("v"), T.lvector("i")
    outputs = [searchsorted(x, v, side) for side in ("left", "right")]
    outputs += [searchsorted(x, i), searchsorted(i, v), searchsorted(x, 1)]

    def reference(x: Array, v: Array, i: Array) -> list[Array]:
        found = [np.searchsorted(x, v, "left"), np.searchsorted(x, v, "right")]
        return [*found, np.searchsorted(x, i), np.searchsorted(i, v), np.searchsorted(x, 1)]

    values = np.array([np.nan, -np.inf, 0.0, -0.0, 2.0, np.inf])
    calls = [
        [np.array(x), values, np.array([-3, 0, 2])]
        for x in ([-np.inf, 0, 2, 2, np.inf, np.nan, np.nan], [np.nan], [0.0])
    ]
    f = check([x, v, i], outputs, calls, reference, kind="counting")
    g = oracle([x, v, i], outputs)
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(item, layout) for item in calls[0]], kind="layouts")


def test_searching_for_batches() -> None:
    x, v, xs, vs = T.vector("x"), T.vector("v"), T.matrix("xs"), T.matrix("vs")
    ordered, values = np.arange(4.0), np.array([[0.5, 9], [-1, 2]])
    found = vectorize_graph(searchsorted(x, v), {v: vs}).eval({x: ordered, vs: values})
    np.testing.assert_array_equal(found, np.searchsorted(ordered, values))
    with pytest.raises(NotImplementedError, match="SearchSorted"):
        vectorize_graph(searchsorted(x, v), {x: xs})


def test_what_searchsorted_refuses() -> None:
    x = T.vector("x")
    with pytest.raises(ValueError, match="side 'middle' is neither"):
        searchsorted(x, 1, "middle")
    with pytest.raises(ValueError, match="takes a sorted vector, not 2 dims"):
        searchsorted(T.matrix("m"), 1)
    with pytest.raises(TypeError, match="complex numbers have no order"):
        searchsorted(x, 1j)


def test_digitize() -> None:
    x, up, down = T.matrix("x"), T.vector("up"), T.vector("down")
    kinds = [(bins, right) for bins in "ud" for right in (False, True)]
    outputs = [digitize(x, {"u": up, "d": down}[bins], right) for bins, right in kinds]

    def reference(x: Array, up: Array, down: Array) -> list[Array]:
        return [np.digitize(x, {"u": up, "d": down}[bins], right) for bins, right in kinds]

    random = np.random.default_rng(3)
    calls = []
    for n in (1, 2, 5):
        bins = np.unique(random.integers(-5, 5, n).astype("f8"))
        values = np.concatenate([bins, bins + 0.5, [-99, 99.0]]).reshape(2, -1)
        calls.append([values, bins, bins[::-1].copy()])
    check([x, up, down], outputs, calls, reference, kind="counting")


def test_one_hot_rows() -> None:
    y, n = T.ivector("y"), T.lscalar("n")
    outputs = [to_one_hot(y, 4), to_one_hot(y, n, "int8"), to_one_hot(y, 4).sum(0)]

    def reference(y: Array, n: Array) -> list[Array]:
        whole = np.eye(4)[y]
        return [whole, np.eye(int(n), dtype="i1")[y], whole.sum(0)]

    calls = [[np.array(labels, "int32"), np.array(n)] for labels, n in (([0, 3, 1], 4), ([], 0))]
    f = check([y, n], outputs, calls, reference, kind="counting")
    assert outcome(f, [np.array([4], "int32"), np.array(5)])[0] is BoundsError
    with pytest.raises(ValueError, match="takes a vector of labels"):
        to_one_hot(T.lmatrix("m"), 3)


# -- functions and histograms ----------------------------------------------------------------------


def test_interpolation() -> None:
    x, xp, fp = T.matrix("x"), T.vector("xp"), T.vector("fp")
    outputs = [interp(x, xp, fp), interp(x, xp, fp, left=-1.0, right=7.0), interp(x[0, 0], xp, fp)]

    def reference(x: Array, xp: Array, fp: Array) -> list[Array]:
        return [
            np.interp(x, xp, fp), np.interp(x, xp, fp, -1, 7), np.interp(x[0, 0], xp, fp),
        ]  # fmt: skip

    random = np.random.default_rng(4)
    calls = []
    for n in (1, 2, 6):
        points = np.sort(random.uniform(-1, 1, n))
        values = np.concatenate([points, random.uniform(-2, 2, 6 + n % 2)]).reshape(2, -1)
        calls.append([values, points, random.uniform(-1, 1, n)])
    f = check([x, xp, fp], outputs, calls, reference, kind="counting")
    found = outcome(f, [np.ones((1, 1)), np.ones(0), np.ones(0)])
    assert found == (ValueError, "interp: there are no points")
    # At a point, the value is chosen by branches, which read the first and the last point.
    at = compiled([p := T.scalar("p"), xp, fp], interp(p, xp, fp))
    found = outcome(at, [np.ones(()), np.ones(0), np.ones(0)])
    assert found == (ValueError, "interp: there are no points")
    found = outcome(f, [np.ones((1, 1)), np.ones(2), np.ones(3)])
    assert found == (ValueError, "interp: the number of values is not the number of points")
    points = [np.array([0.3, 1.4, 2.2]), np.array([0.0, 1.0, 3.0]), np.array([1.0, 5.0, 2.0])]
    check_derivatives([(interp, points)])


def test_interpolation_of_periodic_functions() -> None:
    x, xp, fp, p = T.matrix("x"), T.vector("xp"), T.vector("fp"), T.scalar("p")
    outputs = [
        interp(x, xp, fp, period=p), interp(x, xp, fp, -9, 9, period=-2),
        interp(7, xp, fp, period=p), interp(T.cast(x, "float32"), xp, fp, period=360),
    ]  # fmt: skip

    def reference(x: Array, xp: Array, fp: Array, p: Array) -> list[Array]:
        return [
            np.interp(x, xp, fp, period=p), np.interp(x, xp, fp, -9, 9, period=-2),
            np.asarray(np.interp(7, xp, fp, period=p)),
            np.interp(x.astype("f4"), xp, fp, period=360),
        ]  # fmt: skip

    random = np.random.default_rng(6)
    calls = []
    for n, period in ((1, 1.5), (2, -0.7), (6, 360.0)):
        points = random.uniform(-4, 4, n)
        values = np.concatenate([points, random.uniform(-9, 9, 6 + n % 2)]).reshape(2, -1)
        calls.append([values, points, random.uniform(-1, 1, n), np.array(period)])
    f = check([x, xp, fp, p], outputs, calls, reference, kind="counting")
    nothing = [np.ones((1, 1)), np.ones(1), np.ones(1), np.array(0.0)]
    assert outcome(f, nothing) == (ValueError, "interp: the period is 0")
    points = [np.array([0.3, 7.4, -2.2]), np.array([3.0, 0.0, 1.0]), np.array([1.0, 5.0, 2.0])]
    verify_grad(lambda x, xp, fp: interp(x, xp, fp, period=4.0), points, mode="INTERPRET")
    with pytest.raises(ValueError, match="the period must be a number"):
        interp(x, xp, fp, period=[1.0, 2.0])


def test_counts_of_a_histogram() -> None:
    x, edges = T.matrix("x"), T.vector("edges")
    values = np.random.default_rng(5).integers(0, 8, (5, 6)).astype("f8")

    def reference(x: Array, edges: Array) -> list[Array]:
        return [np.histogram(x, edges)[0]]

    calls = [[values, np.array(e)] for e in ([0.0, 7.0], [1.0, 2.0, 2.5, 6.0], [8.0, 9.0])]
    check([x, edges], [histogram_counts(x, edges)], calls, reference, kind="counting")

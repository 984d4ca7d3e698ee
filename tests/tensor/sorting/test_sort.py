"""sort, argsort, topk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, grad
from symtheano.tensor.sorting.sort import (
    KINDS,
    argpartition,
    argsort,
    argtopk,
    lexsort,
    partition,
    sort,
    topk,
    topk_and_argtopk,
)
from symtheano.tensor.type import TensorType
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.gradients import check_derivatives
from tests.support.layouts import LAYOUTS, laid_out

pytestmark = pytest.mark.needs_cc


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_sort_and_argsort_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None, None, None))("x")
    axes = (None, 0, 1, -1)
    outputs = [f(x, axis) for f in (sort, argsort) for axis in axes]

    def reference(x: Array) -> list[Array]:
        found = [np.sort(x, axis) for axis in axes]
        return [*found, *(np.argsort(x, axis, kind="stable") for axis in axes)]

    calls = [[random_array(random, dtype, shape)] for shape in (*sizes(3), (2, 1, 1100))]
    f = check([x], outputs, calls, reference, kind="sorting")
    assert "runtime->python(" not in str(f.c_source)


def test_nan_infinities_ties_and_layouts() -> None:
    x = T.matrix("x")
    values = np.array([[3, np.nan, -np.inf, 0.0, 3], [-0.0, 0.0, np.nan, np.inf, np.nan]])
    outputs = [sort(x), argsort(x), sort(x, 0), argsort(x, 0), sort(-x).sum(0), sort(x)[:, ::-1]]

    def reference(x: Array) -> list[Array]:
        return [
            np.sort(x), np.argsort(x, kind="stable"), np.sort(x, 0),
            np.argsort(x, 0, kind="stable"), np.sort(-x).sum(0), np.sort(x)[:, ::-1],
        ]  # fmt: skip

    f, g = compiled([x], outputs), oracle([x], outputs)
    compare_call(f, g, [values], reference, kind="sorting")
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(values, layout)], kind="layouts")


def test_equal_items_keep_their_order() -> None:
    x = T.lvector("x")
    values = np.random.default_rng(2).integers(0, 3, 200)
    found = compiled([x], argsort(x))(values)
    assert found.tolist() == np.argsort(values, kind="stable").tolist()
    for kind in KINDS:
        assert argsort(values, kind=kind).eval().tolist() == found.tolist()


def test_gradients_of_sorting() -> None:
    point = np.random.default_rng(3).permutation(12.0 * np.arange(12)).reshape(3, 4) / 50
    functions: list[Any] = []
    for axis in (0, 1, None):
        functions.append(lambda x, axis=axis: sort(x, axis) ** 2)
        functions.append(lambda x, axis=axis: topk(x, 2, axis) ** 2)
        functions.append(lambda x, axis=axis: topk(x, -2, axis))
    check_derivatives([(function, [point]) for function in functions])


def test_sorting_of_batches() -> None:
    x, xs = T.vector("x"), T.tensor3("xs")
    value = np.random.default_rng(5).uniform(-1, 1, (2, 3, 4))
    for made, want in ((sort(x), np.sort), (argsort(x), np.argsort)):
        found = vectorize_graph(made, {x: xs}).eval({xs: value})
        np.testing.assert_array_equal(found, want(value))
    largest = vectorize_graph(topk(x, 2), {x: xs}).eval({xs: value})
    np.testing.assert_array_equal(largest, np.sort(value)[..., :-3:-1])


def test_what_sorting_refuses() -> None:
    x, s = T.matrix("x"), T.scalar("s")
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        sort(x, 2)
    with pytest.raises(ValueError, match="kind 'bogo' is not one of"):
        argsort(x, kind="bogo")
    with pytest.raises(ValueError, match="no named fields"):
        sort(x, order="name")
    with pytest.raises(ValueError, match="a 0-d array has no axis"):
        sort(s)
    assert sort(x, T.constant(0)).eval({x: [[2.0], [1.0]]}).tolist() == [[1.0], [2.0]]
    with pytest.raises(NotImplementedError, match="choose one by switch"):
        T.topk(x, 1, axis=T.lscalar("axis"))
    assert sort(s, None).eval({s: 2.0}).tolist() == [2.0]


def test_sorting_by_several_keys() -> None:
    x, y = T.imatrix("x"), T.matrix("y")
    rows = T.specify_shape(T.matrix("rows"), (3, None))
    outputs = [lexsort((x, y)), lexsort([y, x, y], axis=0), lexsort(rows), lexsort([y])]
    random = np.random.default_rng(8)
    calls = [
        [random.integers(0, 3, shape, "int32"), random.integers(0, 2, shape) / 2.0, many]
        for shape in ((4, 6), (1, 3), (2, 0))
        for many in (random.integers(0, 2, (3, 8)) * 1.0,)
    ]

    def reference(x: Array, y: Array, rows: Array) -> list[Array]:
        return [
            np.lexsort((x, y)),
            np.lexsort([y, x, y], axis=0),
            np.lexsort(rows),
            np.lexsort([y]),
        ]

    check([x, y, rows.owner.inputs[0]], outputs, calls, reference, kind="sorting")
    with pytest.raises(TypeError, match="the number of keys is not known"):
        lexsort(y)
    with pytest.raises(ValueError, match="there are no keys"):
        lexsort([])
    with pytest.raises(ValueError, match="keys must have the same number of dims"):
        lexsort([x, T.vector("v")])


def test_partitions() -> None:
    x, k = T.matrix("x"), T.lscalar("k")
    values = np.array([[3.0, np.nan, 1.0, 2.0], [1.0, 0.0, -1.0, 5.0]])
    outputs = [partition(x, k), argpartition(x, k), partition(x, (1, -2), axis=None)]
    f, g = compiled([x, k], outputs), oracle([x, k], outputs)
    for h in (f, g):
        for place in (0, 2, -1):
            items, order, flat = h(values, place)
            np.testing.assert_array_equal(items[:, place], np.sort(values)[:, place])
            np.testing.assert_array_equal(np.take_along_axis(values, order, 1), items)
            np.testing.assert_array_equal(flat[[1, -2]], np.sort(values, None)[[1, -2]])
        for wrong in (4, -5):
            found = outcome(h, [values, np.array(wrong)])
            assert found[0] is ValueError
            assert "kth is out of bounds" in found[1]
    with pytest.raises(ValueError, match="kind 'quick' is not introselect"):
        partition(x, 1, kind="quick")
    with pytest.raises(TypeError, match="kth must be an integer"):
        argpartition(x, 1.5)


# -- the largest -----------------------------------------------------------------------------------


def extremes(x: Array, k: int, axis: int | None) -> tuple[Array, Array]:
    """Return the |k| largest or smallest items and their positions, the most extreme first."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    order = np.argsort(x, axis, kind="stable")
    order = np.flip(order, axis) if k > 0 else order
    where = np.take(order, np.arange(abs(k)), axis)
    return np.take_along_axis(x, where, axis), where


@pytest.mark.parametrize("dtype", ["bool", "uint64", "float16", "complex64"])
def test_the_largest_and_the_smallest(dtype: str) -> None:
    x, k = T.matrix("x", dtype), T.lscalar("k")
    kinds: list[tuple[Any, int | None]] = [
        (1, -1), (2, 0), (-1, 1), (-2, None), (3, None), (k, 1), (k, 0)
    ]  # fmt: skip
    outputs = [part for n, axis in kinds for part in topk_and_argtopk(x, n, axis)]

    def reference(x: Array, k: Array) -> list[Array]:
        numbers = [int(k) if not isinstance(n, int) else n for n, _ in kinds]
        return [
            part
            for n, (_, axis) in zip(numbers, kinds, strict=True)
            for part in extremes(x, n, axis)
        ]

    random = np.random.default_rng(4)
    calls = [
        [random_array(random, dtype, shape), np.array(n)]
        for shape in ((3, 4), (2, 2))
        for n in (1, 2, -1, -2)
    ]
    check([x, k], outputs, calls, reference, kind="sorting")


def test_topk_arguments() -> None:
    v, k = T.vector("v"), T.lscalar("k")
    values = np.array([1.0, np.nan, 3.0, 2.0])
    assert argtopk(v, 2, idx_dtype="int8").dtype == "int8"
    np.testing.assert_array_equal(topk(values, 3, sorted=False).eval(), [np.nan, 3, 2])
    for h in (compiled([v, k], topk(v, k)), oracle([v, k], topk(v, k))):
        for wrong in (0, 5, -5, -(2**63)):
            found = outcome(h, [values, np.array(wrong)])
            assert found[0] is ValueError
            assert "must not be 0 or exceed the number of items" in found[1]
    with pytest.raises(ValueError, match="kth is 0"):
        topk(v, 0)
    with pytest.raises(ValueError, match="kth is 0"):
        topk(v, T.constant(0))
    assert topk(T.matrix("x"), 2).type.shape == (None, 2)
    with pytest.raises(TypeError, match="kth must be a 0-d integer"):
        topk(v, T.scalar("s"))
    with pytest.raises(TypeError, match="idx_dtype float32 is not an integer dtype"):
        topk(v, 1, idx_dtype="float32")
    assert grad(topk(v, 2).sum(), v).eval({v: [4.0, 1.0, 3.0]}).tolist() == [1, 0, 1]


def test_compiled_functions_sort_without_python() -> None:
    for dtype in ("int8", "float64"):
        x = TensorType(dtype, (None, None))("x")
        outputs = [sort(x), sort(x, axis=0), argsort(x), argsort(x.T), sort(x[::-1, ::2]),
                   sort(x.T), sort(x, axis=None), topk(x, 1, axis=0)]  # fmt: skip
        calls = [[random_array(np.random.default_rng(2), dtype, s)] for s in ((5, 1100), (1, 1))]
        f = check([x], outputs, calls, kind="sorting")
        assert "runtime->python(" not in str(f.c_source)


def test_what_is_sorted_in_place_is_not_read_again() -> None:
    x = T.vector("x")
    twice = x * 2
    values = [[np.array([3.0, 1.0, 2.0])], [np.zeros(0)]]
    check(
        [x], [sort(twice).cumsum()], values, lambda x: [np.cumsum(np.sort(x * 2))], kind="sorting"
    )
    outputs = [sort(twice).cumsum(), twice.cumsum(), sort(sort(twice)[::-1])]
    check([x], outputs, values, kind="sorting")

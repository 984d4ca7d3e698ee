"""Rules about rows that the number of an iteration selects, with examples and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from symtheano.function.verify import verify_grad
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_rows
from symtheano.rewrites.rule import Rule
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor


def sums(read: Any, x: Any, steps: Any) -> Any:
    """Return a sum over iterations, of which each reads the array at an index."""
    zero = T.zeros((x.shape[1],), x.dtype) if x.ndim > 1 else T.zeros((), x.dtype)
    return scan(lambda i, a, x: a * 2 + read(x, i), steps, zero, x)[0][-1]


def rows(x: Any) -> Any:
    """Return the numbers of the rows of an array."""
    return T.arange(x.shape[0])


def put(x: Any, at: Any, row: Any = None, start: Any = None) -> Any:
    """Return an array to which each iteration adds a row."""
    start = T.zeros_like(x) if start is None else start

    def step(i: Any, total: Any, y: Any) -> Any:
        value = y[i] * total if row is None else row(y, i)
        return total + 1, value, i

    def added(i: Any, total: Any, kept: Any, y: Any) -> Any:
        _, value, _ = step(i, total, y)
        return total + 1, T.inc_subtensor(kept[at(i, y)], value)

    return scan(added, rows(x), [T.ones((), x.dtype), start], x)[0][1][-1]


FIRES = {
    "rows_that_numbers_select": lambda d: sums(lambda x, i: x[i], d, rows(d)),
    "rows_that_are_added_once": lambda d: put(d, lambda i, y: i),
}

RESTS = {
    "rows_that_numbers_select": lambda d, n: sums(lambda x, i: x[i], d, T.arange(n)),
    "rows_that_are_added_once": lambda d: put(d, lambda i, y: i // 2),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_rows).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


SELECTED = [
    lambda d: sums(lambda x, i: x[i, ::-1], d, rows(d)),
    lambda d: sums(lambda x, i: x[i + 1] * x[i], d, T.arange(d.shape[0] - 1)),
    lambda d: sums(lambda x, i: x[i - 1] - x[i], d, T.arange(1, d.shape[0])),
    lambda d: sums(lambda x, i: x[i - 2] - x[i], d, T.arange(2, d.shape[0])),
    lambda d: sums(lambda x, i: x[x.shape[0] - 1 - i] + i, d, rows(d)),
    lambda d: sums(lambda x, i: x[i] + x[i, 0], d, rows(d)),
    lambda pair: sums(lambda x, i: x[i], pair, T.arange(3)),
    lambda pair: sums(lambda x, i: x[i + 1] * x[2 - i], pair, T.arange(2)),
]

NOT_SELECTED = [
    lambda d: sums(lambda x, i: x[i + 1], d, rows(d)[:-1] * 2),
    lambda d: sums(lambda x, i: x[i - 1], d, rows(d)),
    lambda d: sums(lambda x, i: x[-1 - i], d, rows(d)),
    lambda d, w: sums(lambda x, i: x[T.minimum(i, w.shape[0])], d, rows(d)),
    lambda pair: sums(lambda x, i: x[i], pair, T.arange(1)),
]


@pytest.mark.parametrize("example", SELECTED)
def test_rows_are_selected(example, fires):
    fires("rows_that_numbers_select", example)


@pytest.mark.parametrize("example", NOT_SELECTED[1:4])
def test_rows_are_not_selected(example, rests):
    rests("rows_that_numbers_select", example)


@pytest.mark.parametrize(
    "example",
    [
        lambda d: put(d, lambda i, y: y.shape[0] - 1 - i),
        lambda d: grad(sums(lambda x, i: T.sqr(x[i]), d, rows(d)).sum(), d),
    ],
)
def test_rows_are_added_once(example, fires):
    fires("rows_that_are_added_once", example)


@pytest.mark.parametrize(
    "example",
    [
        lambda d: put(d, lambda i, y: i, start=d * 2),
        lambda d: put(d, lambda i, y: i, lambda y, i: y[i, 0]),
        lambda d, w: put(d, lambda i, y: i, lambda y, i: T.exp(w[0])),
        lambda d: scan(lambda i, a: T.inc_subtensor(a[i], a.sum()), rows(d), T.zeros_like(d))[0][
            -1
        ],
    ],
)
def test_rows_are_not_added_once(example, rests):
    rests("rows_that_are_added_once", example)


def test_more_iterations_than_rows_are_an_error():
    """The error of the index, in the iteration in which it occurs."""
    x, n = T.dvector("x"), T.lscalar("n")
    f = function([x, n], sums(lambda x, i: x[i], x, T.arange(n)))
    assert f([1.0, 2.0, 3.0], 3) == 11.0
    assert f([1.0, 2.0, 3.0], 2) == 4.0
    with pytest.raises(IndexError, match=r"3 is outside axis 0 of length 3[^$]*in iteration 3"):
        f([1.0, 2.0, 3.0], 5)


@pytest.mark.needs_cc
@pytest.mark.parametrize("number", range(6))
def test_values_and_gradients(number: int) -> None:
    x = T.dmatrix("x")
    value = SELECTED[number](x)
    compiled = function([x], [value, grad(T.sqr(value).sum(), x)])
    plain = function([x], [value, grad(T.sqr(value).sum(), x)], mode=Mode("interpret", "none"))
    for count in (2, 3, 7):
        data = np.random.default_rng(count).normal(size=(count, 3))
        if count == 2 and number == 3:
            continue  # no iteration
        for one, other in zip(compiled(data), plain(data), strict=True):
            np.testing.assert_allclose(one, other, 1e-12, 1e-12)
        verify_grad(SELECTED[number], [data])


def test_a_loop_over_rows_of_which_none_depends_on_another_is_no_loop():
    x = T.dmatrix("x")
    result = scan(lambda i, x: T.exp(x[i]), rows(x), None, x)[0]
    nodes = function([x], result, mode="INTERPRET").maker.fgraph.toposort()
    assert not any(isinstance(node.op, Scan | Subtensor) for node in nodes)


def test_gradients_of_rows_need_no_whole_array_in_an_iteration():
    x = T.dmatrix("x")
    slopes = grad(sums(lambda x, i: T.tanh(x[i]), x, rows(x)).sum(), x)
    graph = function([x], slopes, mode="INTERPRET").maker.fgraph
    bodies = [node.op.region for node in graph.toposort() if isinstance(node.op, Scan)]
    assert bodies
    for body in bodies:
        assert not any(isinstance(n.op, IncSubtensor | Subtensor) for n in body.nodes)
        assert not body.required


@pytest.mark.needs_cc
def test_rows_that_are_added_and_returned_twice() -> None:
    x = T.dvector("x")

    def step(i: Any, filled: Any, x: Any) -> list[Any]:
        return [T.inc_subtensor(filled[i], x[i])] * 2

    def both(*infos: Any) -> list[Any]:
        outputs: list[Any] = scan(step, T.arange(x.shape[0]), list(infos), x)[0]
        return outputs

    all_rows, last = both(None, T.zeros_like(x))
    f = function([x], [all_rows, last[-1]])
    for got, wanted in zip(f([1.0, 2.0]), ([[1.0, 0.0], [1.0, 2.0]], [1.0, 2.0]), strict=True):
        np.testing.assert_array_equal(got, wanted)

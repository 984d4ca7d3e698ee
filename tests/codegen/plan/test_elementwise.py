"""Loops whose elements go through all iterations by themselves, and others."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.scan_module import until
from tests.support.plans import planned

v, w, x, s, n = T.dvector("v"), T.dvector("w"), T.dmatrix("x"), T.dscalar("s"), T.lscalar("n")
one = T.TensorType("float64", (1,))("one")


def last(step: Any, start: Any, sequences: Any = None, steps: Any = 5, others: Any = None) -> Any:
    """Return the last values of a scan."""
    results, _ = scan(step, sequences, start, others, steps, return_list=True)
    return [result[-1] for result in results]


def index_of(step: Any) -> Any:
    """Return the last values of a loop over the numbers of iterations."""
    return last(step, v, T.arange(n), None)


ELEMENTWISE = {
    "one state": lambda: last(lambda a: a * w + 1, v),
    "two states": lambda: last(lambda a, b: [a * b, a + b], [v, w]),
    "exchanged states": lambda: last(lambda a, b: [b, a * 0.5], [v, T.exp(v)]),
    "a state and a number": lambda: last(lambda a, b: [a * b, b + 1], [v, s]),
    "two last rows": lambda: last(lambda a, b: a * b, {"initial": x[:2], "taps": [-1, -2]}),
    "broadcast": lambda: last(lambda a: a * v + s + v[0], x),
    "numbers of iterations": lambda: index_of(lambda i, a: a * w + i),
    "a number from an array": lambda: last(lambda b, a: a * b, v, w, None),
    "positions": lambda: last(lambda a: a * T.arange(a.shape[0]) + 1, v),
}

OTHERS = {
    "all values": lambda: scan(lambda a: a * w, None, v, n_steps=5)[0],
    "a neighbour": lambda: last(lambda a: a + a[::-1], v),
    "a sum": lambda: last(lambda a: a / a.sum(), v),
    "an element": lambda: last(lambda a: a * a[0], v),
    "a product": lambda: last(lambda a: T.dot(a, x), v),
    "a transposed state": lambda: last(lambda a: a + a.T, x),
    "states of two lengths": lambda: last(lambda a, b: [a * 2, b + 1], [v, w]),
    "a broadcast state": lambda: last(lambda a, b: [a * b, b * 0.5], [x, w]),
    "rows": lambda: last(lambda row, a: a * row, v, x, None),
    "a condition": lambda: last(lambda a, b: ((a * w, b + 1), until(b > 3)), [v, s]),
    "numbers alone": lambda: last(lambda a: a * s, s),
    "costly numbers": lambda: last(lambda a, b: [a + b, T.tanh(T.exp(T.sin(b)))], [v, s]),
    "an array of one element": lambda: last(lambda a: a * one, one),
    "indices": lambda: last(lambda a: a * w[T.cast(a, "int64")], v),
}


def loop_of(results: Any) -> Any:
    """Return the plan of the loop among the steps of a graph."""
    (loop,) = planned([v, w, x, s, n, one], results).loops.values()
    return loop


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name: str) -> None:
    loop = loop_of(ELEMENTWISE[name]())
    assert loop.elementwise
    assert set(loop.spare) == {None}, "there is one array for each state"


@pytest.mark.parametrize("name", OTHERS)
def test_others(name: str) -> None:
    results = OTHERS[name]()
    assert not loop_of(results if isinstance(results, list) else [results]).elementwise

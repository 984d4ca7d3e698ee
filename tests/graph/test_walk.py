"""Walks: order, ancestors, replacement; and nothing that recurses over a graph."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.walk import (
    ancestors,
    clients,
    depends_on,
    free_inputs,
    leaves,
    replace,
    toposort,
)
from symtheano.interpret import interpret
from symtheano.printing import debugprint, pp

x, y = T.vector("x"), T.vector("y")


def test_toposort_puts_a_node_after_what_it_needs() -> None:
    out = T.exp(x + y) * (x + y) - T.exp(x + y).sum()
    order = toposort([out])
    place = {node: k for k, node in enumerate(order)}
    assert len(place) == len(order)
    for node in order:
        for item in node.inputs:
            assert item.owner is None or place[item.owner] < place[node]


def test_toposort_stops_at_what_is_given() -> None:
    h = T.exp(x)
    assert [str(n.op) for n in toposort([T.sin(h)], [h])] == ["Elemwise{sin,no_inplace}"]
    assert toposort([h], [h]) == []


def test_ancestors_yields_each_variable_once() -> None:
    h = x * y
    found = list(ancestors([h + h, h]))
    assert len(found) == len(set(found))
    assert {x, y, h} <= set(found)


def test_leaves_and_free_inputs() -> None:
    out = (x + 1) * y
    assert set(free_inputs([out])) == {x, y}
    assert len(leaves([out])) == 3
    assert depends_on([out], [x])
    assert not depends_on([y], [x])


def test_replace_is_simultaneous() -> None:
    (swapped,) = replace([x - y], {x: y, y: x})
    f = function([x, y], swapped)
    np.testing.assert_array_equal(f([1.0], [5.0]), [4.0])


def test_replace_shares_what_does_not_depend() -> None:
    h = T.exp(y)
    (out,) = replace([x + h], {x: x * 2})
    assert out.owner.inputs[1] is h


def test_replace_infers_types_anew() -> None:
    (out,) = replace([x + 1], {x: T.fvector("z")})
    assert out.dtype == "float32"


def test_clients() -> None:
    h = x * y
    uses = clients([h + h])
    assert [position for _, position in uses[h]] == [0, 1]


def chain(length: int) -> Any:
    """Return ``x`` multiplied by 1.0 or so, many times."""
    out: Any = x
    for _ in range(length // 2):
        out = (out + y) * 0.5
    return out


@pytest.mark.one_in(1000)
def test_thousands_of_nodes_need_no_recursion() -> None:
    length = 5 * sys.getrecursionlimit()
    out = chain(length)
    cost = out.sum()
    gradient = grad(cost, x)
    assert len(toposort([cost])) >= length
    graph = FunctionGraph([x, y], [cost, gradient])
    value, slope = interpret(graph, [np.array([2.0, 3.0]), np.array([1.0, 1.0])])
    assert abs(value - 2.0) < 1e-9
    assert (slope < 1e-9).all()
    text = debugprint(cost, file="str")
    assert text.count("\n") > length
    assert len(pp(out)) > length
    (again,) = replace([out], {x: y})
    assert depends_on([again], [y])


def test_a_long_chain_compiles_into_several_kernels() -> None:
    out = chain(2_000)
    f = function([x, y], out)
    g = function([x, y], out, mode=Mode("interpret", "none"))
    a, b = np.linspace(0, 1, 7), np.linspace(2, 3, 7)
    np.testing.assert_allclose(f(a, b), g(a, b))

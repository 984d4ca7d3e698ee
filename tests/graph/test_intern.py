"""Hash-consing: equal computations are one node."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner

x, y = T.vector("x"), T.vector("y")


def test_equal_computations_are_one_node() -> None:
    graph = FunctionGraph([x, y], [T.exp(x * y), T.exp(x * y) + T.exp(x * y)])
    assert len(graph.nodes) == 3
    assert graph.outputs[1].owner.inputs[0] is graph.outputs[0]


def test_dead_nodes_are_gone() -> None:
    T.sin(x)
    graph = FunctionGraph([x], [x + x])
    assert len(graph.nodes) == 1


def test_the_users_graph_is_not_touched() -> None:
    out = T.exp(x) + T.exp(x)
    before = [id(item) for item in out.owner.inputs]
    FunctionGraph([x], [out])
    assert [id(item) for item in out.owner.inputs] == before
    assert out.owner.inputs[0] is not out.owner.inputs[1]


def test_constants_are_told_apart_by_every_bit() -> None:
    interner = Interner()
    zero, minus = T.constant(0.0), T.constant(-0.0)
    nan, other = T.constant(np.nan), T.constant(np.nan)
    a, b, c, d = interner.intern([zero, minus, nan, other])
    assert a is not b
    assert c is d
    assert interner.intern([T.constant(1, dtype="int8"), T.constant(1, dtype="int16")]) != []
    one, wide = interner.intern([T.constant(1, dtype="int8"), T.constant(1, dtype="int16")])
    assert one is not wide


def test_ops_are_compared_by_value() -> None:
    graph = FunctionGraph([x], [x.sum(axis=0), x.sum(axis=0, acc_dtype="float64"), x.max(axis=0)])
    assert graph.outputs[0] is graph.outputs[1]
    assert graph.outputs[0] is not graph.outputs[2]


def test_origin_and_name_survive() -> None:
    named = T.exp(x)
    named.name = "h"
    graph = FunctionGraph([x], [named])
    assert graph.outputs[0].name == "h"
    assert graph.nodes[0].origin is not None
    assert graph.nodes[0].origin.filename == __file__


def test_missing_inputs_are_told() -> None:
    assert FunctionGraph([x], [x + y]).missing() == [y]
    assert FunctionGraph([x, y], [x + y]).missing() == []


def test_since_tells_what_was_made() -> None:
    interner = Interner()
    interner.intern([T.exp(x)])
    count = len(interner)
    interner.intern([T.sin(T.exp(x))])
    assert [str(node.op) for node in interner.since(count)] == ["Elemwise{sin,no_inplace}"]

"""The interpreter: node by node, values dropped early, broken promises reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import FunctionGraph, Op, function
from symtheano.graph.variable import Apply
from symtheano.interpret import (
    evaluate_node,
    interpret,
    last_uses,
    make_interpreted,
    perform,
    value_of,
)
from symtheano.tensor.type import TensorType


def test_a_graph_is_run_node_by_node() -> None:
    x, y = T.vectors("x", "y")
    graph = FunctionGraph([x, y], [x + y, T.exp(x + y).sum(), x])
    total, whole, same = interpret(graph, [np.array([1.0, 2]), np.array([-1.0, -2])])
    assert total.tolist() == [0, 0]
    assert whole == 2
    assert same.tolist() == [1, 2]
    assert make_interpreted(graph)([np.zeros(1), np.ones(1)])[0].tolist() == [1]
    with pytest.raises(ValueError, match="shorter than"):
        interpret(graph, [np.zeros(1)])


def test_constants_have_values_of_their_own() -> None:
    graph = FunctionGraph([], [T.constant(2) * T.constant([1, 2]), T.constant(7)])
    assert [item.tolist() for item in interpret(graph, [])] == [[2, 4], 7]
    assert value_of(T.constant(3.5), {}) == 3.5


def test_values_are_dropped_when_nobody_needs_them() -> None:
    x = T.vector("x")
    a = T.exp(x)
    b = T.tanh(a)
    graph = FunctionGraph([x], [b + a, b])
    dropped = last_uses(graph.nodes, graph.outputs)
    nodes = [node.op.scalar_op.name for node in graph.nodes]
    assert nodes == ["exp", "tanh", "add"]
    by_node = {nodes[k]: [str(v.owner.op.scalar_op if v.owner else v) for v in items]
               for k, items in dropped.items()}  # fmt: skip
    assert by_node == {"exp": ["x"], "add": ["exp"]}


class Liar(Op):
    """Declares a float64 vector and returns the given value."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, list(inputs), [TensorType("float64", (None,))()])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = self.result

    def __str__(self) -> str:
        return "Liar"


def test_what_an_op_computes_must_have_its_type() -> None:
    x = T.vector("x")
    for wrong in (np.zeros((2, 2)), "text", None, np.zeros(2, complex)):
        f = function([x], Liar(wrong)(x), mode="INTERPRET")
        with pytest.raises(TypeError, match="Liar computed a value that does not fit its type"):
            f([1.0])
    for right in (np.zeros(2), np.zeros(2, "float32"), [1, 2], np.zeros(2, "int64")):
        result = function([x], Liar(right)(x), mode="INTERPRET")([1.0])
        assert result.dtype == "float64"
        assert result.shape == (2,)


def test_one_node_alone() -> None:
    x = T.vector("x")
    node = T.tanh(x).owner
    storage: dict[Any, Any] = {x: np.zeros(2)}
    evaluate_node(node, storage, perform)
    assert storage[node.outputs[0]].tolist() == [0, 0]


def test_results_do_not_show_inputs_or_each_other() -> None:
    x = T.matrix("x")
    f = function([x], [x, x.T, x[0], x, x.reshape((-1,))], mode="INTERPRET")
    value = np.arange(4.0).reshape(2, 2)
    results = f(value)
    for number, result in enumerate(results):
        assert result.flags.c_contiguous
        assert not any(np.may_share_memory(result, o) for o in (value, *results[:number]))


def test_long_chains_need_no_recursion() -> None:
    x = T.scalar("x")
    y = x
    for _ in range(10_000):
        y = y + 1
    assert interpret(FunctionGraph([x], [y]), [np.array(0.0)])[0] == 10_000

"""What only a branch of ifelse needs moves into its graph."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano import FunctionGraph
from symtheano.ifelse import ifelse
from symtheano.loops.branch import Branch
from symtheano.rewrites.branches import with_branches
from symtheano.tensor.elemwise import Elemwise

x, y = T.dvectors("x", "y")
c, d = T.dscalar("c"), T.dscalar("d")


def moved(*outputs: Any) -> tuple[FunctionGraph, list[Any]]:
    """Return the graph of outputs, and its branches."""
    graph = with_branches(FunctionGraph([x, y, c, d], outputs))
    return graph, [node for node in graph.nodes if isinstance(node.op, Branch)]


def rows(graph: FunctionGraph) -> list[str]:
    """Return the names of the elementwise functions in a graph."""
    return [node.op.scalar_op.name for node in graph.nodes if isinstance(node.op, Elemwise)]


def test_graphs_without_choices_remain() -> None:
    graph = FunctionGraph([x], [T.exp(x)])
    assert with_branches(graph) is graph


def test_work_moves() -> None:
    graph, (node,) = moved(ifelse(c, T.exp(x), T.log(y)))
    assert [rows(branch) for branch in node.op.branches] == [["exp"], ["log"]]
    assert rows(graph) == ["neq"]
    assert node.inputs[1:] == [x, y]


def test_work_that_others_need_stays() -> None:
    work = T.exp(x)
    graph, (node,) = moved(ifelse(c, work + 1, work), work * 2)
    assert [rows(branch) for branch in node.op.branches] == [["add"], []]
    assert "exp" in rows(graph)


def test_equal_branches_are_no_choice() -> None:
    graph, found = moved(ifelse(c, T.exp(x), T.exp(x)))
    assert not found
    assert rows(graph) == ["exp"]


def test_known_conditions() -> None:
    graph, found = moved(ifelse(1, T.exp(x), T.log(x)))
    assert not found
    assert rows(graph) == ["exp"]


def test_choices_by_one_condition_are_one() -> None:
    work = T.exp(x)
    _, (node,) = moved(ifelse(c, work, x), ifelse(c, y, work))
    assert len(node.outputs) == 2
    _, found = moved(ifelse(c, work, x), ifelse(d, y, work))
    assert len(found) == 2


def test_a_choice_that_needs_another_one() -> None:
    first = ifelse(c, T.exp(x), x)
    _, found = moved(first.sum() * ifelse(c, T.log(first), y))
    assert len(found) == 2


def test_choices_in_branches() -> None:
    _, (node,) = moved(ifelse(c, ifelse(d, T.exp(x), x), y))
    (inner,) = [node for node in node.op.branches[0].nodes if isinstance(node.op, Branch)]
    assert [rows(branch) for branch in inner.op.branches] == [["exp"], []]


def test_a_condition_is_known_in_its_branches() -> None:
    _, (node,) = moved(ifelse(c, ifelse(c, T.exp(x), T.log(x)), ifelse(c, T.sin(x), T.cos(x))))
    assert [rows(branch) for branch in node.op.branches] == [["exp"], ["cos"]]


def test_lengths_are_no_work() -> None:
    """Zeros of the shape of an array do not need the array."""
    work = T.exp(x)
    graph, (node,) = moved(ifelse(c, work, T.zeros_like(work)))
    assert rows(node.op.branches[0]) == ["exp"]
    assert "exp" not in rows(graph)


def test_outputs_that_nobody_needs_are_dropped() -> None:
    one, _ = ifelse(c, [x, T.exp(x)], [y, x])
    _, (node,) = moved(one + 1)
    assert len(node.outputs) == 1

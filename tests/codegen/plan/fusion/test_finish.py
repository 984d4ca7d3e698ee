"""Finished steps: without what nothing reads."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.finish import finished_steps
from symtheano.codegen.plan.steps import Nest, OpStep
from tests.support.plans import fused, graph_of, siblings

x, y = T.matrix("x"), T.matrix("y")


def test_members_and_stores_that_nothing_wants_are_dropped() -> None:
    table = siblings(fused([x], [T.exp(x), T.sin(T.cos(x))]))
    exp, _ = graph_of(table).outputs
    (nest,) = finished_steps(table, {exp})
    assert isinstance(nest, Nest)
    assert [member.result for member in nest.members] == [exp]
    assert nest.stores == (exp,)
    assert list(nest.results) == [exp]


def test_scalars_keep_what_they_are_computed_from() -> None:
    table = fused([x], [T.exp(x).sum()])
    assert graph_of(table).outputs[0] in table.entry
    (nest,) = finished_steps(table, ())
    assert isinstance(nest, Nest)
    assert [member.role for member in nest.members] == ["point", "full"]


def test_an_op_wants_what_it_reads() -> None:
    nest, op = finished_steps(fused([x, y], [T.dot(T.exp(x), y)]), ())
    assert isinstance(nest, Nest)
    assert isinstance(op, OpStep)
    assert nest.stores == (op.node.inputs[0],)

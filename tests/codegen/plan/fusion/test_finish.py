"""Finished steps: without what nothing reads."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.finish import finished_steps
from symtheano.codegen.plan.steps import Nest, OpStep
from tests.support.plans import placed

x, y = T.matrix("x"), T.matrix("y")


def test_members_and_stores_that_nothing_wants_are_dropped() -> None:
    placing = placed([x], [T.exp(x), T.sin(T.cos(x))])
    exp, sin = placing.views.graph.outputs
    for out in (exp, sin):
        placing.nests.require_memory(out)
    (nest,) = finished_steps(placing.nests.placed(), {exp})
    assert isinstance(nest, Nest)
    assert [member.result for member in nest.members] == [exp]
    assert nest.stores == (exp,)
    assert list(nest.results) == [exp]


def test_scalars_keep_what_they_are_computed_from() -> None:
    placing = placed([x], [T.exp(x).sum()])
    assert placing.views.graph.outputs[0] in placing.nests.entry
    (nest,) = finished_steps(placing.nests.placed(), ())
    assert isinstance(nest, Nest)
    assert [member.role for member in nest.members] == ["point", "full"]


def test_an_op_wants_what_it_reads() -> None:
    placing = placed([x, y], [T.dot(T.exp(x), y)])
    nest, op = finished_steps(placing.nests.placed(), ())
    assert isinstance(nest, Nest)
    assert isinstance(op, OpStep)
    assert nest.stores == (op.node.inputs[0],)

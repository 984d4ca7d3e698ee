"""Tables: where values are, and when they are there."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.table import ready_at
from tests.support.plans import fused, graph_of, placed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_inputs_are_there_and_results_after_their_step() -> None:
    table = placed([x, y], [T.tanh(T.dot(T.exp(x), y))])
    exp, dot, tanh = (node.outputs[0] for node in graph_of(table).nodes)
    assert [table.at(item) for item in (x, exp, dot, tanh)] == [0, 1, 2, 3]


def test_a_table_does_not_change() -> None:
    table = placed([x, v], [T.exp(x), T.dot(x, x), T.sin(v)])
    assert [isinstance(step, Group) for step in table.steps] == [True, False, True]
    with pytest.raises(TypeError):
        table.ready[x] = 1  # type: ignore[index]
    with pytest.raises(AttributeError):
        table.steps = ()  # type: ignore[misc]


def test_values_are_ready_after_the_last_step_that_they_wait_for() -> None:
    waits = {x: frozenset([0, 2]), y: frozenset[int]()}
    assert dict(ready_at(waits, (0, 0, 1))) == {x: 2, y: 0}


def test_numbers_are_ready_after_the_groups_of_their_sums() -> None:
    table = fused([x], [T.exp(T.sin(x)).sum() * 2])
    (out,) = graph_of(table).outputs
    assert len(table.steps) == table.at(out) == 1
    assert out in table.entry

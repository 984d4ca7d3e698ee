"""Choices: what is saved, and why other groups did not become one."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.fuse import LATE
from tests.support.plans import fused

x, y = T.matrix("x"), T.matrix("y")


def test_each_node_but_the_first_of_a_nest_is_a_choice() -> None:
    table = fused([x], [T.exp(T.sin(x)).sum()])
    assert [choice.number for choice in table.choices] == [0, 0]
    exp, total = table.choices
    (sin,) = exp.saved.kept
    assert sin.owner is not None
    assert "sin" in str(sin.owner.op)
    assert exp.saved.stores == (sin,), "it is not stored"
    assert total.saved.kept == tuple(exp.node.outputs)


def test_a_value_that_is_stored_anyway_saves_a_load_only() -> None:
    value = T.exp(x)
    (choice,) = fused([x], [value, value.sum(1)]).choices
    assert len(choice.saved.kept) == 1
    assert choice.saved.stores == ()


def test_refused_groups_have_a_reason() -> None:
    table = fused([x, y], [T.exp(x) + T.dot(T.exp(x), y)])
    (refusal,) = table.refused
    assert refusal.reason == LATE
    assert len(refusal.saved.kept) == 1
    assert table.steps[refusal.first] is not table.steps[refusal.second]


def test_nothing_is_kept_if_nobody_asks() -> None:
    from symtheano.codegen.plan.fusion.fuse import fuse
    from symtheano.codegen.targets import COSTS
    from tests.support.plans import placed

    table = fuse(placed([x, y], [T.exp(x) + T.dot(T.exp(x), y)]), COSTS)
    assert table.choices == table.refused == ()

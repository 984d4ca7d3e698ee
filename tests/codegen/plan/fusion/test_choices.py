"""Choices: what is saved, and why other groups were not joined."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.candidates import LATE
from symtheano.codegen.plan.fusion.choices import Choice, Saved, saved_by_joining, saved_by_merging
from symtheano.codegen.plan.fusion.groups import Group
from tests.support.plans import placed

x, y = T.matrix("x"), T.matrix("y")
a, b = T.exp(x), T.sin(x)


def test_a_result_of_the_group_is_neither_stored_nor_loaded() -> None:
    group = Group((), results={a: (0, 1), b: (0, 1)}, leaves={x: (0, 1)})
    saved = saved_by_joining(group, [a, b, x, x, y], {b})
    assert saved.kept == (a, b)
    assert saved.stores == (a,), "the other one is stored anyway"
    assert saved.shared == (x,), "an array that both read is loaded once"


def test_merged_groups_load_what_both_read_once() -> None:
    first = Group((), results={a: (0, 1)}, leaves={x: (0, 1)})
    second = Group((), results={b: (0, 1)}, leaves={x: (0, 1), y: (0, 1)})
    saved = saved_by_merging(first, second, [a, b])
    assert saved == Saved(kept=(b,), stores=(b,), shared=(x,))


def choices_of(placing: object, name: str) -> list[Choice]:
    """Return the choices about nodes of an op."""
    return [c for c in placing.nests.choices if name in str(c.node)]  # type: ignore[attr-defined]


def test_each_node_of_a_nest_has_a_choice() -> None:
    placing = placed([x], [T.exp(T.sin(x)).sum()])
    sin, exp, total = placing.nests.choices
    assert (sin.opened, exp.opened, total.opened) == (True, False, False)
    assert {choice.number for choice in placing.nests.choices} == {0}
    assert exp.saved.kept == exp.saved.stores == (sin.node.outputs[0],)
    assert total.saved.kept == (exp.node.outputs[0],)


def test_refused_groups_have_a_reason() -> None:
    placing = placed([x, y], [T.exp(x), T.sqrt(x) * T.dot(T.exp(x), y)])
    (product,) = choices_of(placing, "mul")
    assert product.opened
    (refusal,) = product.refused
    assert refusal.reason == LATE
    assert refusal.saved.kept == refusal.saved.stores


def test_merged_nests_are_choices() -> None:
    a, b = T.vector("a"), T.vector("b")
    placing = placed([a, b], [T.exp(T.sin(a)) + T.exp(T.cos(b))])
    (merging,) = [c for c in placing.nests.choices if c.source is not None]
    assert (merging.source, merging.number, merging.refused) == (1, 0, ())
    (second,) = merging.saved.kept
    assert placing.nests.number[second] == 0

"""Plans of regions: each is made once, from those before, and does not change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.loopir import Buffer
from symtheano.loops.scan_op import Scan
from tests.support.plans import planned

x, y, v, n = T.matrix("x"), T.matrix("y"), T.vector("v"), T.lscalar("n")
number, state = T.lscalar("number"), T.vector("state")


def names(buffers: Any) -> list[str | None]:
    return [None if buffer is None else buffer.name for buffer in buffers]


def test_the_plan_of_two_products_by_hand() -> None:
    plan = planned([x, y], [T.dot(T.tanh(T.dot(T.exp(x), y)), y)])
    assert [type(step) for step in plan.schedule.steps] == [Nest, OpStep, Nest, OpStep]
    assert names(plan.inputs.values()) == ["x", "y"]
    assert names(plan.memory.outputs) == ["out"]
    shown = [(str(slot.size), names(slot.buffers)) for slot in plan.memory.slots]
    assert [held for _, held in shown] == [["exp"], ["dot", "tanh"]]
    assert [nest.stages for nest in plan.nests.values()] == [1, 1]


def test_a_row_may_be_lent_for_an_output() -> None:
    plan = planned([x, y], [x * 2, y.T * 2], [0, 1])
    assert dict(plan.memory.donated) == {0: 0}
    assert names(plan.memory.outputs) == ["x", "out"]


def test_no_part_of_a_plan_changes() -> None:
    plan = planned([x, y], [T.dot(T.exp(x), y)])
    tables = (plan.shapes, plan.schedule, plan.memory, *plan.nests.values())
    for part in (plan, *tables, *plan.schedule.steps):
        for field in fields(part):
            with pytest.raises(FrozenInstanceError):
                setattr(part, field.name, None)
    lengths, ready = plan.shapes.lengths, plan.schedule.ready
    for table in (lengths, plan.nests, plan.inputs, ready, plan.memory.buffers):
        with pytest.raises(TypeError):
            table[x] = 1  # type: ignore[index]


def test_the_plan_of_a_loop_names_places_of_its_states() -> None:
    loop = Scan(number, [T.tanh(state) + state[::-1]], states=[state])
    plan = planned([n, v], [loop(n, v)])
    (body,) = plan.loops.values()
    assert names(body.places) == [None, "state"]
    assert names(body.next_places) == ["next"], "elements are read in reverse order"
    assert names(body.spare) == ["spare"]
    assert [buffer.space for buffer in body.next_places if buffer] == ["chosen"]
    assert [names(slot.buffers) for slot in body.slots][-1] == ["spare"]
    assert not body.may_fail
    assert isinstance(body.places[1], Buffer)


def test_lengths_have_the_names_that_they_have_outside() -> None:
    inner = Scan(number, [T.tanh(state)], states=[state])
    middle = Scan(number, [inner(n, state) + 1], states=[state], others=[n])
    plan = planned([n, v, x], [middle(n, T.concatenate([v, v, x[0]]), n), middle(n, v, n)])
    sums, direct = plan.loops.values()
    assert [str(b.size) for b in direct.places if b] == ["v_d0"]
    (deeper,) = direct.region.loops.values()
    assert [str(b.size) for b in deeper.places if b] == ["v_d0"]
    (size,) = [b.size for b in sums.places if b]
    assert size.name not in (None, "v_d0"), "a sum gets a name, from which others are made"


def test_a_state_is_changed_in_place_where_lifetimes_allow() -> None:
    loop = Scan(number, [T.tanh(state) + 1], states=[state])
    (body,) = planned([n, v], [loop(n, v)]).loops.values()
    assert names(body.next_places) == names(body.spare) == [None]
    assert dict(body.region.memory.donated) == {0: 1}


def test_what_the_body_of_a_loop_requires() -> None:
    other = T.vector("other")
    loop = Scan(number, [state + other], states=[state], others=[other])
    (body,) = planned([n, v, other], [loop(n, v, other)]).loops.values()
    assert len(body.early) == len(body.region.shapes.guards) == 1
    assert not body.may_fail, "lengths are compared before the loop"
    (body,) = planned([n, v], [loop(n, v, v)]).loops.values()
    assert not body.region.shapes.guards, "equal lengths have one name, also inside"
    index = Scan(number, [state + other[number]], states=[state], others=[other])
    (body,) = planned([n, v], [index(n, v, v)]).loops.values()
    assert body.may_fail, "the position is checked in each iteration"


def test_states_of_lengths_that_an_iteration_decides_are_checked_in_it() -> None:
    loop = Scan(number, [state[state > 0]], states=[state])
    plan = planned([n, v], [loop(n, v)])
    (body,) = plan.loops.values()
    assert body.may_fail
    assert "SameShape" in str(body.region.graph.outputs[0].owner.op)
    assert body.region.memory.late, "memory of an iteration, whose size is known there"

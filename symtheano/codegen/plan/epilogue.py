"""Epilogues: elementwise work on a routine's result, done where its rows are complete.

A bias and an activation that follow a convolution would read the whole result again. A nest that
reads the result element by element, and is the only one to read it, becomes the epilogue of the
step instead. It is computed in place, so the result itself needs no memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Member, Nest, OpStep, Step


def join_epilogues(schedule: Schedule) -> None:
    """Give the steps of a schedule their epilogues; empty nests are left in place of these."""
    for position, step in enumerate(schedule.steps):
        if isinstance(step, OpStep) and step.node.op.takes_epilogue:
            at = _position_of_epilogue(schedule, position, step)
            nest = None if at is None else schedule.steps[at]
            if at is not None and isinstance(nest, Nest):
                step.epilogue = nest
                schedule.steps[at] = Nest([])


def _position_of_epilogue(schedule: Schedule, position: int, step: OpStep) -> int | None:
    """Return the position of the nest that may be a step's epilogue, or None."""
    (result,) = step.node.outputs
    readers = [
        number
        for number, other in enumerate(schedule.steps)
        if any(result is root for root in _reads(schedule, other))
    ]
    if len(readers) != 1 or result in _read_outside(schedule):
        return None
    (at,) = readers
    nest = schedule.steps[at]
    if not isinstance(nest, Nest) or not _is_elementwise(schedule, nest, result):
        return None
    if any(schedule.guards.get(between) for between in range(position + 1, at + 1)):
        return None
    ready = all(_is_ready(schedule, nest, m, result, position) for m in nest.members)
    return at if ready else None


def _reads(schedule: Schedule, step: Step) -> Iterator[Any]:
    if isinstance(step, OpStep):
        yield from schedule.read_by_op(step)
        return
    for member in step.members:
        for item in member.node.inputs:
            yield from schedule.roots(item, step.inline)


def _read_outside(schedule: Schedule) -> set[Any]:
    """Return what outputs and numbers of the entry point are computed from."""
    found = {root for output in schedule.outputs for root in schedule.roots(output)}
    for scalar in schedule.entry:
        for item in schedule.ready.needs(scalar.owner):
            found.update(schedule.roots(item))
    return found


def _is_elementwise(schedule: Schedule, nest: Nest, result: Any) -> bool:
    """Return whether a nest makes one array of the shape of a result, and may do it in place."""
    if len(nest.stores) != 1 or tuple(nest.space) != tuple(schedule.dims(result)):
        return False
    (made,) = nest.stores
    whole = tuple(range(len(nest.space)))
    if made.dtype != result.dtype or schedule.dims(made) != schedule.dims(result):
        return False
    if nest.results.get(made) != whole or any(m.role != "point" for m in nest.members):
        return False
    for member in nest.members:
        for item in member.node.inputs:
            source = schedule.source(item)
            if source.variable is result:
                if source.axes != whole or member.axes != whole:
                    return False
            elif source.variable not in nest.results and result in schedule.roots(
                item, nest.inline
            ):
                return False
    return True


def _is_ready(schedule: Schedule, nest: Nest, member: Member, result: Any, position: int) -> bool:
    """Return whether the operands of a member but a step's result are there before the step."""
    own = {output for other in nest.members for output in other.node.outputs}
    awaited = [*schedule.ready.checked_for(member.node), *schedule.ready.lengths_of(member.node)]
    for item in member.node.inputs:
        if schedule.source(item).variable not in own:
            awaited += schedule.roots(item, nest.inline)
    return all(v is result or v in own or schedule.ready.at(v) <= position for v in awaited)

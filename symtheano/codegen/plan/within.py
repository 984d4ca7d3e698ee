"""Values that are made where they are put: in a part of the result of an op."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symtheano.codegen.plan.lifetimes import Lifetimes
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.dataclass import dataclass, replace
from symtheano.graph.variable import Apply
from symtheano.loopir import View
from symtheano.lowering import PUTS, REDUCTIONS, Element, Elementwise, Length, Parts
from symtheano.tensor.variable import Tensor

# Forms of ops that read single elements, wherever these are.
_BY_ELEMENTS = (Elementwise, Element, Length, *REDUCTIONS, *PUTS)


@dataclass(frozen=True)
class Part:
    """A part of an op's result.

    Attributes
    ----------
    node
        The op's node.
    number
        The input that is put there.
    """

    node: Apply
    number: int


def values_within(lifetimes: Lifetimes) -> tuple[Mapping[Tensor, Part], Lifetimes]:
    """Return the values that are made in parts of results, and lifetimes that consider this.

    A value that is only copied to a part is computed by the loop that copies it, and needs no
    entry. Entries are values that are also read elsewhere, such as the new interior of a grid whose
    change is summed, and arrays that are joined and become a part of another array. The memory of
    the result is in use from the first of these values on. Only loops over elements read such a
    value, because it is not contiguous.

    Parameters
    ----------
    lifetimes
        When values are written and read.
    """
    schedule, parts = lifetimes.schedule, dict[Tensor, Part]()
    first, last = dict(lifetimes.first), dict(lifetimes.last)
    for position, step in enumerate(schedule.steps):
        if not isinstance(step, OpStep):
            continue
        op = step.node.op
        if not isinstance(op.lowering, Parts):
            continue
        if _changes_again(lifetimes, step.node):
            continue  # it may work in the same memory as the change before
        (result,) = step.node.outputs
        for number in op.lowering.shown_inputs(op, step.node):
            value = schedule.operands.inputs(step.node)[number]
            part = Part(step.node, number)
            if number in step.feeds or value in parts or not _may_be_within(lifetimes, value, part):
                continue
            parts[value] = part
            first[result] = min(first.get(result, position), first[value])
            last[result] = max(last.get(result, position), last[value])
    changed = replace(lifetimes, first=MappingProxyType(first), last=MappingProxyType(last))
    return MappingProxyType(parts), changed if parts else lifetimes


def _changes_again(lifetimes: Lifetimes, node: Apply) -> bool:
    """Return whether a node changes a part of what was made by changing a part."""
    if node.op.lowering.overwrites is None:
        return False
    maker = lifetimes.maker(lifetimes.schedule.operands.inputs(node)[node.op.lowering.overwrites])
    return isinstance(maker, OpStep) and maker.node.op.lowering.overwrites is not None


def _may_be_within(lifetimes: Lifetimes, value: Tensor, part: Part) -> bool:
    schedule, (result,) = lifetimes.schedule, part.node.outputs
    if value in lifetimes.places or lifetimes.is_late(value) or lifetimes.is_late(result):
        return False
    return (
        _is_made_by_elements(lifetimes, value)
        and _is_read_by_elements(schedule, value)
        and _is_known_to_fit(lifetimes, value, part.node)
    )


def _is_known_to_fit(lifetimes: Lifetimes, value: Tensor, node: Apply) -> bool:
    """Return whether all that a node requires of lengths is checked before a value is made."""
    schedule, latest = lifetimes.schedule, lifetimes.first[value]
    checked = {guard for at, guards in schedule.guards.items() if at <= latest for guard in guards}
    conditions = schedule.shapes.conditions.get(node, ())
    return all(schedule.shapes.guard_of[condition] in checked for condition in conditions)


def part_of(schedule: Schedule, part: Part, whole: View) -> View:
    """Return the part of a result, shown by a view, in which a value is made."""
    operands, shapes = schedule.operands, schedule.shapes
    lengths = [shapes.dims(item) for item in operands.inputs(part.node)]
    op, scalars = part.node.op, shapes.scalars(part.node)
    assert isinstance(op.lowering, Parts)
    return op.lowering.parts(op, whole, scalars, lengths)[part.number]


def _is_made_by_elements(lifetimes: Lifetimes, value: Tensor) -> bool:
    """Return whether loops store the elements of a value one by one, and read none of them."""
    maker = lifetimes.maker(value)
    if isinstance(maker, Nest):
        roles = [member.role for member in maker.members if member.result is value]
        return roles == ["point"]
    lowering = None if maker is None else maker.node.op.lowering
    return isinstance(lowering, Parts) and lowering.overwrites is None


def _is_read_by_elements(schedule: Schedule, value: Tensor) -> bool:
    waiting = [value]
    while waiting:
        for client, _ in schedule.views.clients.get(waiting.pop(), ()):
            if not isinstance(client, Apply):
                return False
            if schedule.views.axis_map(client) is not None:
                if client.op.lowering.alternative is not None:
                    return False
                waiting += client.outputs
            elif not isinstance(client.op.lowering, _BY_ELEMENTS):
                return False
    return True

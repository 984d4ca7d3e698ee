"""The finished steps of a schedule: without members and stores that nothing uses."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import OpStep, Step
from symtheano.dataclass import replace
from symtheano.tensor.variable import Tensor


def finished_steps(table: Table, read_after: Collection[Tensor]) -> tuple[Step, ...]:
    """Return steps without what was recomputed elsewhere, and is not used where it was made.

    Parameters
    ----------
    table
        The groups and ops.
    read_after
        What is read after them.
    """
    wanted, operands = set(read_after), table.operands
    steps: list[Step] = []
    for position, group in reversed([*enumerate(table.steps)]):
        if isinstance(group, OpGroup):
            wanted.update(operands.read_by_op(group.node, group.feeds))
            feeds = {number: feed.nest() for number, feed in group.feeds.items()}
            steps.append(OpStep(group.node, MappingProxyType(feeds)))
            continue
        stores = tuple(
            member.result
            for member in group.members
            if member.result in wanted
            and (member.role == "column" or table.number.get(member.result) == position)
        )
        used, read = _used_members(group, {*stores, *table.entry}, operands)
        wanted |= read
        steps.append(used.nest(stores))
    return tuple(steps[::-1])


def _used_members(
    group: Group, wanted: set[Tensor], operands: Operands
) -> tuple[Group, set[Tensor]]:
    """Return a group without members that nothing uses, and the arrays that the others read."""
    inside, read = wanted, set[Tensor]()
    used = []
    for member in reversed(group.members):
        if member.result not in inside:
            continue
        used.append(member)
        for item in member.node.inputs:
            source = operands.views.source(item).variable
            inside.add(source)
            if not (member.is_pointwise and source in group.results):
                read.update(operands.roots(item, group.inline))
    return replace(group, members=tuple(used[::-1])), read

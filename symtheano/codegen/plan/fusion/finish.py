"""The finished steps of a schedule: without members and stores that nothing uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType

from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import OpStep, Step
from symtheano.dataclass import replace
from symtheano.tensor.variable import Tensor


def finished_steps(
    groups: Sequence[Group | OpGroup],
    operands: Operands,
    read_after: Collection[Tensor],
    scalars: Collection[Tensor],
) -> tuple[Step, ...]:
    """Return steps without what was recomputed elsewhere, and is not used where it was made.

    Parameters
    ----------
    groups
        The steps.
    operands
        What they read.
    read_after
        What is read after them.
    scalars
        What is used as 0-d value.
    """
    wanted = set(read_after)
    steps: list[Step] = []
    for group in reversed(groups):
        if isinstance(group, OpGroup):
            wanted.update(operands.read_by_op(group.node, group.feeds))
            feeds = {number: feed.nest() for number, feed in group.feeds.items()}
            steps.append(OpStep(group.node, MappingProxyType(feeds)))
            continue
        stores = tuple(item for item in group.stores if item in wanted)
        used, read = _used_members(replace(group, stores=stores), operands, scalars)
        wanted |= read
        steps.append(used.nest())
    return tuple(steps[::-1])


def _used_members(
    group: Group, operands: Operands, scalars: Collection[Tensor]
) -> tuple[Group, set[Tensor]]:
    """Return a group without members that nothing uses, and the arrays that the others read."""
    inside, read = set(group.stores), set[Tensor]()
    kept = []
    for member in reversed(group.members):
        output = member.result
        if output not in inside and output not in scalars:
            continue
        kept.append(member)
        for item in member.node.inputs:
            inside.add(operands.views.source(item).variable)
            read.update(operands.roots(item, group.inline))
    return replace(group, members=tuple(kept[::-1])), read

"""Merging of two groups: the later one becomes a part of the earlier one, or it is said why not.

These are functions of two groups alone: what else runs between them is a question of :mod:`.fuse`.
Loops may get too large; the limits are the target's :class:`.Costs`.
"""

from __future__ import annotations

from collections.abc import Mapping

from symtheano.codegen.plan.fusion.fit import AXES, fit_point, operand_axes
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.opening import with_role
from symtheano.codegen.plan.fusion.reads import Reads, with_members
from symtheano.codegen.plan.steps import Member, is_unit
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import Costs
from symtheano.graph.variable import Apply
from symtheano.lowering import REDUCTIONS

STAGES = "its inner loops are others"
KEPT = "both use their own reductions, in stages"
INLINE = "one computes elements wherever they are read that the other stores"
WHOLE = "it needs all of a result"
ARRAYS = "it would read too many arrays"
MEMBERS = "it would have too many members"
WAITING = "too many members would wait for one another"
ROWS = "its rows would have too many members"
"""Reasons why groups do not become one."""

LIMITS = frozenset([ARRAYS, MEMBERS, WAITING, ROWS])
"""Reasons that remain if the groups grow."""

# Readers of a value that are asked whether they reduce it.
_READERS = 4


def joined(
    first: Group, second: Group, reads: Mapping[Apply, Reads], views: Views, costs: Costs
) -> Group | str:
    """Return the group that has the members of two, or why there is none.

    Parameters
    ----------
    first, second
        The groups; the second one may read results of the first one.
    reads
        What members read.
    views
        The views in the graph.
    costs
        How large groups may be.
    """
    count = len(first.members) + len(second.members)
    if count > costs.ahead and (first.split or second.split):
        return ROWS
    if count > costs.members:
        return MEMBERS
    if costs.ahead < count < costs.at_a_time * max(first.depth, second.depth):
        return WAITING
    if not (first.inline.isdisjoint(second.depths) and second.inline.isdisjoint(first.depths)):
        return INLINE
    group = first
    for member in second.members:
        if member.result in group.depths:  # both compute it: one of them again
            if group.results.get(member.result) != member.axes:
                return AXES
            continue
        fit = _fit(group, member, second, reads[member.node], views)
        if isinstance(fit, str):
            return fit
        # After its first new member, the group is known here alone.
        group = with_members(fit[0], fit[1:], reads, consume=group is not first)
    return why_too_large(group, first, second, views, costs) or group


def _fit(
    group: Group, member: Member, joining: Group, reads: Reads, views: Views
) -> tuple[Group, Member] | str:
    """Return a group and the member of it that one of another group becomes, or why it can't."""
    node = member.node
    operands = reads.sources if member.is_pointwise else ()
    for operand in operands:
        if operand.variable in group.depths and operand.variable not in group.results:
            return WHOLE
    if member.role == "point":
        axes = fit_point(group, node, operands, views.dims(node.outputs[0]), joining)
        return AXES if axes is None else (group, Member(node, axes, "point"))
    axes = operand_axes(group, node, operands[0], views.dims(node.inputs[0]), joining)
    return AXES if axes is None else with_role(group, node, axes) or STAGES


def why_too_large(
    group: Group, first: Group, second: Group, views: Views, costs: Costs
) -> str | None:
    """Return why a group of two would be too large; None if it is not."""
    total = len(group.members)
    if total > costs.ahead:
        if group.split or any(_divides_axes(member.node, views) for member in second.members):
            return ROWS
        if total < costs.at_a_time * group.depth:
            return WAITING
    most = max(costs.arrays, len(first.leaves), len(second.leaves))
    return ARRAYS if len(group.leaves) > most else None


def _divides_axes(node: Apply, views: Views) -> bool:
    """Return whether a node, or one that reads its result, reduces some axes and keeps others."""
    readers = views.readers(node.outputs[0])[:_READERS]
    return any(
        isinstance(item.op.lowering, REDUCTIONS) and not is_unit(item.outputs[0])
        for item in (node, *readers)
    )


def uses_reductions(group: Group, reads: Mapping[Apply, Reads]) -> bool:
    """Return whether a group has stages: members that need results of its reductions."""
    complete = {m.result for m in group.members if m.role != "point" and m.result in group.results}
    return bool(complete) and any(
        source.variable in complete
        for member in group.members
        for source in reads[member.node].sources
    )

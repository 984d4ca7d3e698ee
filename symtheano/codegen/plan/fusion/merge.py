"""Merging of nests whose results are combined: the later one becomes a part of the earlier one.

Nodes are placed in topological order, so `sin(a)` and `cos(b)` open nests of their own before a sum
of both is seen. Merged, neither needs memory.

Loops may get too large; the limits are the target's :class:`.Costs`.
"""

from __future__ import annotations

from collections.abc import Collection

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.targets import Costs
from symtheano.tensor.variable import Tensor

SAME = "it is the same nest"
LENGTHS = "its axes have other lengths"
STAGES = "its inner loops are others"
KEPT = "it uses its own reductions, in stages"
ARRAYS = "it would read too many arrays"
MEMBERS = "it would have too many members"
WAITING = "too many members would wait for one another"
ROWS = "its rows would have too many members"
"""Reasons why nests are not merged, or do not grow."""


def why_not_larger(
    group: Group,
    count: int,
    arrays: Collection[Tensor],
    rows: bool,
    costs: Costs,
    depth: int = 0,
) -> str | None:
    """Return why a nest would be too large if members are added; None if it would not be.

    Parameters
    ----------
    group
        What shares the nest.
    count
        Number of new members.
    arrays
        What they read from memory.
    rows
        Whether rows or columns will be reduced.
    costs
        How large nests may be.
    depth
        Number of new members that wait for one another.
    """
    total = len(group.members) + count
    if total > costs.ahead:
        if rows or group.split:
            return ROWS
        if total > costs.members:
            return MEMBERS
        if total < costs.at_a_time * max(depth, group.depth):
            return WAITING
    new = sum(array not in group.leaves for array in arrays)
    return ARRAYS if new and len(group.leaves) + new > costs.arrays else None


def why_not_together(first: Group, second: Group, costs: Costs) -> str | None:
    """Return why two groups can't share their loops; None if they may.

    Groups that use their reductions have stages, in which values of the other one would have to be
    kept.
    """
    splits = {first.split, second.split} - {None}
    if first is second:
        return SAME
    if first.space != second.space:
        return LENGTHS
    if len(splits) > 1 or 0 in splits:
        return STAGES
    larger = why_not_larger(
        first, len(second.members), second.leaves, bool(second.split), costs, second.depth
    )
    if larger is not None:
        return larger
    uses_reductions = any(
        member.role != "point" and member.result in group.results
        for group in (first, second)
        for member in group.members
    )
    return KEPT if uses_reductions else None


def merged(first: Group, second: Group) -> Group:
    """Return the group that has all of two groups, first what the first one has."""
    return Group(
        first.space,
        second.split if first.split is None else first.split,
        (*first.members, *second.members),
        {**first.results, **second.results},
        {**second.leaves, **first.leaves},
        first.inline | second.inline,
        {**second.depths, **first.depths},
        max(first.depth, second.depth),
    )

"""The round in which groups compute again what costs less than to store and to load it.

Groups have been found, and do not change any more but for this. What a group reads of another one
it computes again, or it is stored by the other one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import Axes, Member, Source, through
from symtheano.dataclass import replace
from symtheano.tensor.variable import Tensor


def recompute(nests: Nests) -> None:
    """Add to each group, in order, the members that compute again what others compute."""
    groups, memory = nests.homes.groups, nests.homes.memory
    for number, group in groups.items():
        read = group.leaves.keys() & nests.homes.number.keys() - group.results.keys()
        read -= group.inline  # a later group may compute them as well, for others
        if not memory.issuperset(read):
            groups[number] = _with_recomputed(nests, group)


def _with_recomputed(nests: Nests, group: Group) -> Group:
    """Return a group with members that compute again what it reads, where this is better.

    A group has only the current element of each of its results. A value that it reads at two
    indices, like ``x`` in ``x + x.T``, is loaded.
    """
    reads = [_read_at_index(nests, member, group) for member in group.members]
    places: dict[Tensor, set[Axes]] = {}
    for member, operands in zip(group.members, reads, strict=True):
        for operand in operands:
            places.setdefault(operand.variable, set()).add(through(operand, member.axes))
    again: dict[Tensor, Member] = {}
    for value in _operands_first(nests, places):
        chain: list[Member] = []
        if len(places[value]) == 1:
            (axes,) = places[value]
            inside = {item: member.axes for item, member in again.items()}
            chain = nests.remade.compute_again(
                value, axes, inside, group.leaves, axes_of_nest=len(group.space)
            )
        if chain and all(places.get(m.result, {m.axes}) == {m.axes} for m in chain):
            again.update((member.result, member) for member in chain)
        elif value not in again:
            nests.homes.memory.add(value)
    if not again:
        return group
    rows = {
        member.result: group.results[member.result]
        for member in group.members
        if member.role != "point" and member.result in group.results
    }
    members: list[Member] = []
    for member, operands in zip(group.members, reads, strict=True):
        members += _taken_with_operands(nests, again, [item.variable for item in operands])
        members.append(member)
    new = nests.with_members(Group(group.space, group.split, results=rows), members)
    return replace(new, inline=new.inline | group.inline)


def _operands_first(nests: Nests, values: Collection[Tensor]) -> list[Tensor]:
    """Return values in order, but for those that others read directly, which come before."""
    order: dict[Tensor, None] = {}
    for value in values:
        assert value.owner is not None, "a result of a group"
        sources = [nests.views.source(item).variable for item in value.owner.inputs]
        order.update(dict.fromkeys(item for item in sources if item in values))
        order[value] = None
    return list(order)


def _taken_with_operands(
    nests: Nests, again: dict[Tensor, Member], values: Sequence[Tensor]
) -> list[Member]:
    """Take the members that compute values out of those that are left, each after its operands."""
    taken: list[Member] = []
    stack = [*values[::-1]]
    while stack:
        member = again.get(stack[-1])
        if member is None:
            stack.pop()
            continue
        sources = [nests.views.source(item).variable for item in member.node.inputs]
        waiting = [item for item in sources if item in again]
        stack += waiting[::-1]
        if not waiting:
            taken.append(again.pop(stack.pop()))
    return taken


def _read_at_index(nests: Nests, member: Member, group: Group) -> list[Source]:
    """Return what a member reads at its own index of what other groups compute."""
    if not member.is_pointwise:
        return []
    operands = map(nests.views.source, member.node.inputs)
    return [
        operand
        for operand in operands
        if operand.variable in nests.homes.number
        and operand.variable not in group.results
        and operand.variable not in group.inline
    ]

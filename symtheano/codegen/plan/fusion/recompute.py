"""The round in which groups compute again what costs less than to store and to load it.

Groups have been found, and do not change any more but for this. What a group reads of another one
it computes again, or it is stored by the other one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.moved import Moved
from symtheano.codegen.plan.fusion.reads import inline_parts, with_members
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.steps import Axes, Member, Source, through
from symtheano.codegen.targets import Costs
from symtheano.dataclass import replace
from symtheano.tensor.variable import Tensor


def recompute(table: Table, costs: Costs) -> Table:
    """Return groups with members that compute again what others compute, group after group.

    What a group loads instead is in memory from then on, also for the groups after it.

    Parameters
    ----------
    table
        The groups.
    costs
        What moving and computing elements costs.
    """
    again = _Again(table, costs)
    again.store_dear()
    steps = tuple(map(again.step, table.steps))
    return replace(table, steps=steps, memory=frozenset(again.memory))


class _Again:
    """The groups as far as it is decided what they compute again."""

    def __init__(self, table: Table, costs: Costs) -> None:
        self.table, self.memory = table, set(table.memory)
        self.source = table.operands.views.source
        self.remade = Remade(table.operands.views, table.number, self.memory, costs)
        self.moved = self._find_moved(Moved(table, self.memory, costs))

    def _find_moved(self, moved: Moved) -> Mapping[Tensor, Group]:
        """Return the values that move, and the group that computes each from then on."""
        groups = [step for step in self.table.steps if isinstance(step, Group)]
        return {
            value: group
            for group in groups
            if not self.memory.issuperset(self._read(group))
            for value in moved.into(group, self._places(group))
        }

    def store_dear(self) -> None:
        """Decide what costs too much to be computed again, whatever is in memory.

        Groups then compute what depends on it again, also those before one that reads it itself.
        """
        reads: dict[Tensor, list[tuple[Axes, Group]]] = {}
        groups = [step for step in self.table.steps if isinstance(step, Group)]
        for group in groups:
            if not self.memory.issuperset(self._read(group)):
                for value, places in self._places(group).items():
                    reads.setdefault(value, []).extend((axes, group) for axes in places)
        for value in (member.result for group in groups for member in group.members):
            for axes, group in reads.get(value, ()):
                width = len(group.space)
                if self.moved.get(value) is group:
                    continue
                if not self.remade.compute_again(value, axes, leaves=None, axes_of_nest=width):
                    self.memory.add(value)

    def step(self, step: Group | OpGroup) -> Group | OpGroup:
        """Return a step with what it computes again."""
        if isinstance(step, OpGroup):
            return step
        return step if self.memory.issuperset(self._read(step)) else self._with_recomputed(step)

    def _read(self, group: Group) -> Collection[Tensor]:
        """Return what a group reads of others; later ones may compute what is inline as well."""
        read = group.leaves.keys() & self.table.number.keys() - group.results.keys()
        return read - group.inline

    def _places(self, group: Group) -> dict[Tensor, set[Axes]]:
        """Return at which axes a group reads what others compute."""
        places: dict[Tensor, set[Axes]] = {}
        for member in group.members:
            for operand in self._read_at_index(member, group):
                places.setdefault(operand.variable, set()).add(through(operand, member.axes))
        return places

    def _with_recomputed(self, group: Group) -> Group:
        """Return a group with members that compute again what it reads, where this is better.

        A group has only the current element of each of its results. A value that it reads at two
        indices, like ``x`` in ``x + x.T``, is loaded.
        """
        reads = [self._read_at_index(member, group) for member in group.members]
        places = self._places(group)
        again: dict[Tensor, Member] = {}
        for value in self._operands_first(places):
            chain: list[Member] = []
            if len(places[value]) == 1:
                (axes,) = places[value]
                inside = {item: member.axes for item, member in again.items()}
                chain = self.remade.compute_again(
                    value,
                    axes,
                    inside,
                    group.leaves,
                    free=[item for item, into in self.moved.items() if into is group],
                    axes_of_nest=len(group.space),
                )
            if chain and all(places.get(m.result, {m.axes}) == {m.axes} for m in chain):
                again.update((member.result, member) for member in chain)
            elif value not in again:
                self.memory.add(value)
        if not again:
            return group
        members: list[Member] = []
        results, inline = dict(group.results), set(group.inline)
        for member, operands in zip(group.members, reads, strict=True):
            for new in self._taken_with_operands(again, [item.variable for item in operands]):
                members.append(new)
                results[new.result] = new.axes
                for source in map(self.source, new.node.inputs):
                    if source.variable in self.table.inline:
                        parts, _ = inline_parts(
                            source.variable, self.source, self.table.inline.__contains__
                        )
                        inline.update(parts)
            members.append(member)
        bare = Group(group.space, group.split)
        leaves = with_members(bare, members, self.table.reads).leaves
        return replace(group, members=tuple(members), results=results, inline=frozenset(inline),
                       leaves=leaves)  # fmt: skip

    def _operands_first(self, values: Collection[Tensor]) -> list[Tensor]:
        """Return values in order, but for those that others read directly, which come before."""
        order: dict[Tensor, None] = {}
        for value in values:
            assert value.owner is not None, "a result of a group"
            sources = [self.source(item).variable for item in value.owner.inputs]
            order.update(dict.fromkeys(item for item in sources if item in values))
            order[value] = None
        return list(order)

    def _taken_with_operands(
        self, again: dict[Tensor, Member], values: Sequence[Tensor]
    ) -> list[Member]:
        """Take the members that compute values out of those left, each after its operands."""
        taken: list[Member] = []
        stack = [*values[::-1]]
        while stack:
            member = again.get(stack[-1])
            if member is None:
                stack.pop()
                continue
            sources = [self.source(item).variable for item in member.node.inputs]
            waiting = [item for item in sources if item in again]
            stack += waiting[::-1]
            if not waiting:
                taken.append(again.pop(stack.pop()))
        return taken

    def _read_at_index(self, member: Member, group: Group) -> list[Source]:
        """Return what a member reads at its own index of what other groups compute."""
        operands = map(self.source, member.node.inputs if member.is_pointwise else ())
        return [
            operand
            for operand in operands
            if operand.variable in self.table.number
            and operand.variable not in group.results
            and operand.variable not in group.inline
        ]

"""Values that move to the only group that reads them, with what only they need.

A group computes all it can at once, so it may store many values for a later one that could not join
it, because something between the two needs the whole of another result: indices are tested before
any is used. Where the later group can compute these values from fewer arrays, the first one neither
computes nor stores them. Each is still computed once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import uses_reductions
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.steps import Axes, Member, is_unit
from symtheano.codegen.targets import Costs
from symtheano.graph.variable import Apply
from symtheano.lowering import Elementwise
from symtheano.tensor.variable import Tensor


class Moved:
    """Determines which values move to the group that reads them.

    Parameters
    ----------
    table
        The groups.
    memory
        What is in memory.
    costs
        What moving and computing elements costs, and how large loops may be.
    """

    def __init__(self, table: Table, memory: Collection[Tensor], costs: Costs) -> None:
        self.table, self.memory, self.costs = table, memory, costs
        self.views = table.operands.views
        self.members = {
            member.result: member
            for group in table.steps
            if isinstance(group, Group)
            for member in group.members
        }

    def into(self, group: Group, places: Mapping[Tensor, Collection[Axes]]) -> frozenset[Tensor]:
        """Return what moves to a group; nothing if its operands are as many as what it replaces.

        Parameters
        ----------
        group
            The group.
        places
            What it reads of other groups at its own index, and at which axes.
        """
        if uses_reductions(group, self.table.reads):
            return frozenset()  # its stages would compute a value more than once
        read = [
            value
            for value, axes in places.items()
            if len(axes) == 1 and self._varies(value, group) and self._is_plain(value)
        ]
        if len(read) < 2:
            return frozenset()
        moved = self._chains(read, {member.node for member in group.members})
        operands = {
            source
            for value in moved
            for source in self._sources(self.members[value])
            if source not in moved and not is_unit(source)
        }
        loads = [source for source in operands if source not in group.leaves]
        if len(group.members) + len(moved) > self.costs.ahead:
            return frozenset()
        if len(group.leaves) + len(loads) > self.costs.arrays:
            return frozenset()
        saved = (self.costs.load + self.costs.store) * sum(map(_itemsize, moved.intersection(read)))
        spent = sum(
            _itemsize(source) * (self.costs.load + self.costs.store * self._is_computed(source))
            for source in loads
        )
        return frozenset(moved) if saved > spent else frozenset()

    def _chains(self, read: Collection[Tensor], readers: Collection[Apply]) -> set[Tensor]:
        """Return the values that only some nodes need, and what only these need, and so on."""
        moved: set[Tensor] = set()
        stack = [*read]
        while stack:
            value = stack.pop()
            if value in moved or not self._is_plain(value):
                continue
            clients = self.views.readers(value)
            if not all(node in readers or node.outputs[0] in moved for node in clients):
                continue  # asked for again with the last of those that move
            moved.add(value)
            stack += self._sources(self.members[value])
        return moved

    def _sources(self, member: Member) -> list[Tensor]:
        return [self.views.source(item).variable for item in member.node.inputs]

    def _is_computed(self, value: Tensor) -> bool:
        """Return whether a group computes a value, and nothing reads it from memory yet."""
        return value in self.table.number and value not in self.memory

    def _is_plain(self, value: Tensor) -> bool:
        """Return whether a group computes a value for itself, element by element, without calls."""
        if not self._is_computed(value):
            return False
        lowering = self.members[value].node.op.lowering
        return isinstance(lowering, Elementwise) and lowering.row.cost <= self.costs.inline

    def _varies(self, value: Tensor, group: Group) -> bool:
        """Return whether a value has an element for each index of a group."""
        return all(length != 1 for length in value.type.shape) and value.ndim == len(group.space)


def _itemsize(value: Tensor) -> int:
    return int(value.type.numpy_dtype.itemsize)

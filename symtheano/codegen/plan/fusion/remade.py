"""Recomputation of values where they are used, instead of storing and loading them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType

from symtheano.codegen.plan.steps import Axes, Member, is_unit, through
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import Costs
from symtheano.graph.variable import Apply
from symtheano.lowering import PUTS, REDUCTIONS, Elementwise, Length
from symtheano.tensor.variable import Tensor

# Forms of ops that need no operand in memory: they read elements at their own index, or put them.
_ELEMENT_BY_ELEMENT = (Elementwise, Length, *REDUCTIONS, *PUTS)


class Remade:
    """Determines which values are cheaper to recompute than to store.

    Parameters
    ----------
    views
        The views in the graph.
    number
        The groups that compute values.
    memory
        Results of groups that something reads from memory.
    costs
        What moving and computing elements costs.
    """

    def __init__(
        self,
        views: Views,
        number: Mapping[Tensor, int],
        memory: Collection[Tensor],
        costs: Costs,
    ) -> None:
        self.views, self.number, self.memory, self.costs = views, number, memory, costs
        self._is_stored_later = cache(self._has_reader_in_memory)

    def is_wanted_once(self, variable: Tensor) -> bool:
        """Return whether only one node reads a variable or a view of it."""
        while True:
            readers = self.views.clients.get(variable, ())
            if len(readers) != 1:
                return False
            client = readers[0][0]
            if not (isinstance(client, Apply) and self.views.is_view(client)):
                return True
            variable = client.outputs[0]

    def compute_again(
        self,
        value: Tensor,
        axes: Axes,
        inside: Mapping[Tensor, Axes] = MappingProxyType({}),
        leaves: Collection[Tensor] | None = (),
        instead: bool = False,
        free: Collection[Tensor] = (),
        axes_of_nest: int = 0,
    ) -> list[Member]:
        """Return members that recompute a value of another nest; none if loading it is better.

        Parameters
        ----------
        value, axes
            What is wanted, and at which axes of the nest.
        inside
            What is computed in the nest already, and needs no member.
        leaves
            What the nest loads anyway; None if loads are not counted.
        instead
            Whether what nobody else wants costs nothing, since nobody else computes it then, nor
            loads what it needs.
        free
            What costs nothing, because it is not computed elsewhere any more.
        axes_of_nest
            The number of axes of the nest. A value along fewer axes would be computed again for
            many elements, so it has to be as cheap as what is computed wherever it is read.
        """
        members: dict[Tensor, Member] = {}
        for member in self._cheap_chain(value, axes, inside, leaves, instead, free, axes_of_nest):
            place = members.setdefault(member.result, member).axes
            if place != member.axes or inside.get(member.result, place) != place:
                return []
        return list(members.values())

    def _cheap_chain(
        self,
        value: Tensor,
        axes: Axes,
        inside: Mapping[Tensor, Axes],
        leaves: Collection[Tensor] | None,
        instead: bool,
        free: Collection[Tensor],
        axes_of_nest: int,
    ) -> list[Member]:
        """Return the members that compute a value from memory, or none if loading is better.

        The chain ends at what is in memory, and at what the nest computes or loads anyway. Values
        along fewer axes are decided for themselves: they are computed once for many elements, and
        need little memory.
        """
        if not self._is_computed(value):
            return []
        size, width = _itemsize(value), _width(value)
        costs = self.costs
        moves = costs.load + (0 if self._is_stored_later(value) else costs.store)
        most = costs.move * moves
        dearest = costs.inline if width < axes_of_nest else most
        members: list[Member] = []
        loaded: set[Tensor] = set()
        counted: set[Tensor] = set()
        stack = [(value, axes)]
        cost, loads = 0, 0.0
        while stack:
            variable, placed = stack.pop()
            if inside.get(variable) == placed:
                continue
            if _width(variable) < width:
                inner = self._cheap_chain(
                    variable, placed, inside, leaves, instead, free, axes_of_nest
                )
                members += inner[::-1]
                continue
            if not self._is_computed(variable):
                if leaves is None or variable in leaves or variable in loaded:
                    continue
                if not is_unit(variable):
                    loaded.add(variable)
                    loads += costs.move * _itemsize(variable) / size
                continue
            owner = variable.owner
            if owner is None or len(placed) != variable.ndim:
                return []
            lowering = owner.op.lowering
            if not isinstance(lowering, Elementwise):
                return []
            if variable not in free:
                if variable not in counted and not (instead and self.is_wanted_once(variable)):
                    cost += lowering.row.cost
                if cost > min(most, dearest) or len(members) >= costs.moved:
                    return []
            counted.add(variable)
            members.append(Member(owner, placed, "point"))
            for item in owner.inputs:
                source = self.views.source(item)
                stack.append((source.variable, through(source, placed)))
        return [] if cost and cost + loads > most else members[::-1]

    def _is_computed(self, variable: Tensor) -> bool:
        """Return whether a group computes a variable, and nothing reads it from memory yet."""
        return variable in self.number and variable not in self.memory

    def _has_reader_in_memory(self, variable: Tensor) -> bool:
        """Return whether something needs a variable in memory, whatever else reads it."""
        stack = [variable]
        while stack:
            for client, _ in self.views.clients.get(stack.pop(), ()):
                if not isinstance(client, Apply):
                    return True
                if self.views.axis_map(client) is not None:
                    stack.append(client.outputs[0])
                elif not isinstance(client.op.lowering, _ELEMENT_BY_ELEMENT):
                    return True
        return False


def _width(variable: Tensor) -> int:
    """Return the number of axes along which a variable varies."""
    return sum(length != 1 for length in variable.type.shape)


def _itemsize(variable: Tensor) -> int:
    return int(variable.type.numpy_dtype.itemsize)

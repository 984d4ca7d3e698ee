"""Recomputation of values where they are used, instead of storing and loading them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.codegen.plan.shapes import Shapes
from symtheano.codegen.plan.steps import Axes, Member, Nest, Source, is_unit, through
from symtheano.codegen.plan.views import Views
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Variable
from symtheano.tensor.call_broadcast import Either
from symtheano.tensor.elemwise import Elemwise

# Maximum cost of recomputing a value, in additions, and maximum number of arrays.
_CHEAP = 5
_CHEAP_LEAVES = 2
# Maximum number of members that may move to another step.
_MOVED = 40
# Maximum cost of computing an element inline.
_INLINE_COST = 8


class Remade(Views):
    """Determines which values are cheaper to recompute than to store.

    Attributes
    ----------
    home
        The nest that computes each result of a nest.
    op_results
        What ops on whole arrays have computed.
    """

    def __init__(self, graph: FunctionGraph, shapes: Shapes) -> None:
        super().__init__(graph, shapes)
        self.home: dict[Variable, Nest] = {}
        self.op_results: set[Variable] = set()
        self._inline: dict[Variable, bool] = {}

    def is_inline(self, variable: Any) -> bool:
        """Return whether elements are computed inline, from their index.

        This applies to ``arange``, gathers from arrays in memory, and cheap elementwise operations
        on such elements.
        """
        known = self._inline.get(variable)
        if known is None:
            known = self._inline[variable] = self._inline_cost(variable) is not None
        return known and variable not in self.home

    def _inline_cost(self, variable: Any) -> int | None:
        """Return the cost of computing one element, or None if it should be stored."""
        total = 0
        stack = [variable]
        while stack:
            item = stack.pop()
            owner = item.owner
            made = owner is not None and (
                hasattr(owner.op, "element") or isinstance(owner.op, Elemwise)
            )
            if not made or is_unit(item) or item in self.home:
                return None
            total += owner.op.scalar_op.cost if isinstance(owner.op, Elemwise) else 1
            for source in (self.source(part).variable for part in owner.inputs):
                if is_unit(source):
                    continue
                if not (hasattr(owner.op, "element") and self._is_stored_anyway(source)):
                    stack.append(source)
            if total > _INLINE_COST:
                return None
        return total

    def _is_stored_anyway(self, source: Any) -> bool:
        if source.owner is None or source in self.op_results or isinstance(source.owner.op, Either):
            return True
        nest = self.home.get(source)
        return nest is not None and source in nest.stores

    def is_wanted_once(self, variable: Any) -> bool:
        """Return whether only one node reads a variable or a view of it."""
        while True:
            readers = self.clients.get(variable, ())
            if len(readers) != 1:
                return False
            client = readers[0][0]
            if not (isinstance(client, Apply) and self.is_view(client)):
                return True
            variable = client.outputs[0]

    def compute_again(
        self,
        axes: Axes,
        operands: Sequence[Source],
        nest: Nest | None = None,
        instead: bool = False,
    ) -> list[Member]:
        """Return members that recompute operands of another nest, if this is cheap.

        A nest has only the current element of each of its results. A value that is needed at two
        indices, like ``x`` in ``x + x.T``, is computed by another nest and loaded.

        Parameters
        ----------
        axes, operands
            What is wanted at the index with these axes.
        nest
            Where it is wanted; what is computed there already needs no member.
        instead
            Whether what nobody else wants costs nothing, since nobody else computes it then.
        """
        found: dict[Variable, Member] = {}
        inside: dict[Variable, Axes] = {} if nest is None else nest.results
        for operand in operands:
            if operand.variable in inside:
                continue
            for member in self._cheap_chain(operand, axes, instead):
                (output,) = member.node.outputs
                same = found.get(output)
                place = inside.get(output) if same is None else same.axes
                if place is None:
                    found[output] = member
                elif place != member.axes:
                    return []
        return list(found.values())

    def _cheap_chain(self, operand: Source, axes: Axes, instead: bool) -> list[Member]:
        """Return the members that compute an operand from memory, or none if loading is better."""
        members: list[Member] = []
        leaves: set[Any] = set()
        stack = [(operand.variable, through(operand, axes))]
        cost = 0
        while stack:
            variable, placed = stack.pop()
            home = self.home.get(variable)
            if home is None or variable in home.stores:
                if variable.ndim and not is_unit(variable):
                    leaves.add(variable)
                continue
            owner = variable.owner
            if not isinstance(owner.op, Elemwise) or len(placed) != variable.ndim:
                return []
            if not (instead and self.is_wanted_once(variable)):
                cost += owner.op.scalar_op.cost
            if cost > _CHEAP or len(members) >= (_MOVED if instead else _CHEAP):
                return []
            members.append(Member(owner, placed, "point"))
            for item in owner.inputs:
                source = self.source(item)
                stack.append((source.variable, through(source, placed)))
        if not members or (cost and len(leaves) > _CHEAP_LEAVES):
            return []
        return members[::-1]

"""When values are available: before which step of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.codegen.plan.shapes import Shapes
from symtheano.codegen.plan.views import Views
from symtheano.graph.variable import Apply, Variable


class Ready:
    """The first step before which each value is in memory or a scalar.

    Parameters
    ----------
    views
        The views in the graph.
    place
        Places the node of a scalar that only shapes and guards use.

    Attributes
    ----------
    first
        The step of what has been placed. Variables without owner are available before step 0.
    """

    def __init__(self, views: Views, place: Callable[[Apply], None]) -> None:
        self.views, self.place = views, place
        self.shapes: Shapes = views.shapes
        self.first: dict[Variable, int] = {}
        self._lengths: dict[Apply, list[Any]] = {}
        self.guards = {guard.condition: guard for guard in self.shapes.guards}

    def at(self, variable: Any) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        if variable.owner is None:
            return 0
        known = self.first.get(variable)
        if known is None:
            known = self._late(variable)
        return known

    def _late(self, variable: Any) -> int:
        """Find when a scalar that only shapes and guards use is ready; iteratively."""
        stack = [variable.owner]
        while stack:
            node = stack[-1]
            waiting = [
                item.owner
                for item in self.awaited(node)
                if item.owner is not None and item not in self.first
            ]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            if node.outputs[0] not in self.first:
                self.place(node)
        return self.first[variable]

    def earliest(self, node: Apply, inputs: Sequence[Any]) -> int:
        """Return the first step before which inputs are there and guards hold."""
        awaited = [*inputs, *self.checked_for(node), *self.lengths_of(node)]
        return max((self.at(item) for item in awaited), default=0)

    def awaited(self, node: Apply) -> list[Any]:
        """Return what must be ready before a node runs."""
        return [*self.needs(node), *self.checked_for(node), *self.lengths_of(node)]

    def needs(self, node: Any) -> list[Any]:
        """Return the inputs whose values a node needs: a length needs no array."""
        if node.op.form == "length" and self._has_known_shape(node.inputs[0]):
            return []
        return [
            item for item in node.inputs if item.owner is None or self.views.is_shown(item.owner)
        ]

    def checked_for(self, node: Apply) -> list[Any]:
        """Return what the checks that a node relies on need."""
        conditions = self.shapes.conditions.get(node, ())
        return [item for c in conditions for item in self.guards[c].needed]

    def checked_between(self, item: Any, source: Any) -> list[Any]:
        """Return what the checks need on the way from an array to what shows it."""
        needed: list[Any] = []
        while item is not source:
            needed += self.checked_for(item.owner)
            item = item.owner.inputs[0]
        return needed

    def lengths_of(self, node: Apply) -> list[Any]:
        """Return what the lengths stand for that a node's code needs."""
        known = self._lengths.get(node)
        if known is None:
            known = self._lengths[node] = self._find_lengths_of(node)
        return known

    def _find_lengths_of(self, node: Apply) -> list[Any]:
        names: dict[str, None] = {}  # in order: asking may place what defines them
        if node.op.form == "length":
            names.update(dict.fromkeys(self.shapes.length_names(node)))
        else:
            told = node.outputs if node.op.infers_shape else ()  # others tell when they have run
            for variable in (*node.inputs, *told):
                for dim in self.shapes.dims(variable) if hasattr(variable, "ndim") else ():
                    names.update(dict.fromkeys(dim.names()))
        for index in self.shapes.scalars(node):
            names.update(dict.fromkeys(index.names()))
        return [self.shapes.definitions[name] for name in names]

    def _has_known_shape(self, variable: Any) -> bool:
        owner = variable.owner
        return owner is None or owner.op.infers_shape

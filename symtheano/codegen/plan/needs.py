"""Needs: which values must be there before a node runs."""

from __future__ import annotations

from functools import cache

from symtheano.codegen.plan.views import Views
from symtheano.graph.variable import Apply
from symtheano.lowering import Length
from symtheano.tensor.variable import Tensor


class Needs:
    """The values that nodes, the checks before them and their code need.

    Parameters
    ----------
    views
        The views in the graph.

    Attributes
    ----------
    lengths_of
        Returns what the lengths stand for that a node's code needs.
    """

    def __init__(self, views: Views) -> None:
        self.views, self.shapes = views, views.shapes
        self.lengths_of = cache(self._find_lengths_of)

    def of(self, node: Apply) -> list[Tensor]:
        """Return the inputs whose values a node needs: a length needs no array."""
        if isinstance(node.op.lowering, Length) and self._has_known_shape(node.inputs[0]):
            return []
        return [
            item for item in node.inputs if item.owner is None or self.views.is_shown(item.owner)
        ]

    def all_of(self, node: Apply) -> list[Tensor]:
        """Return what must be ready before a node runs."""
        return [*self.of(node), *self.besides(node)]

    def besides(self, node: Apply) -> list[Tensor]:
        """Return what must be ready before a node runs besides its inputs."""
        return [*self.checked_for(node), *self.lengths_of(node)]

    def checked_for(self, node: Apply) -> list[Tensor]:
        """Return what the checks that a node relies on need."""
        conditions = self.shapes.conditions.get(node, ())
        return [item for c in conditions for item in self.shapes.guard_of[c].needed]

    def checked_between(self, item: Tensor, source: Tensor) -> list[Tensor]:
        """Return what the checks need on the way from an array to what shows it."""
        needed: list[Tensor] = []
        while item is not source and item.owner is not None:
            needed += self.checked_for(item.owner)
            item = item.owner.inputs[0]
        return needed

    def _find_lengths_of(self, node: Apply) -> list[Tensor]:
        names: dict[str, None] = {}  # in order: asking may place what defines them
        if isinstance(node.op.lowering, Length):
            names.update(dict.fromkeys(self.shapes.length_names(node)))
        else:
            told = node.outputs if node.op.infers_shape else ()  # others tell when they have run
            for variable in (*node.inputs, *told):
                for dim in self.shapes.dims(variable) if hasattr(variable, "ndim") else ():
                    for product, _ in dim.terms:
                        for name in product:
                            names[name] = None
        for index in self.shapes.scalars(node):
            names.update(dict.fromkeys(index.names()))
        lengths = [self.shapes.definitions[name] for name in names]
        return [item for item in lengths if item.owner is not node]  # it tells them when it has run

    def _has_known_shape(self, variable: Tensor) -> bool:
        owner = variable.owner
        return owner is None or owner.op.infers_shape

"""Optimizers of graphs in which equal nodes become one."""

from __future__ import annotations

from typing import Any

from symtheano.errors import InconsistencyError
from symtheano.graph.variable import Constant, Variable

from .graph import io_toposort
from .optimizers import Optimizer
from .toolbox import Feature


class MergeFeature(Feature):
    """Does nothing: :class:`MergeOptimizer` looks at the whole graph."""


class MergeOptimizer(Optimizer):
    """Makes nodes one that apply equal ops to the same inputs, and constants with equal values.

    Graphs of functions have this property without it.
    """

    def apply(self, fgraph: Any) -> Any:
        """Change a graph."""
        known: dict[Any, list[Variable]] = {}
        constants = self._constants(fgraph)
        merged = 0
        equal = sum(constants[item] is not item for item in constants)
        for node in io_toposort(fgraph.inputs, fgraph.outputs):
            if node not in fgraph.apply_nodes:
                continue
            for item in dict.fromkeys(node.inputs):
                if isinstance(item, Constant) and constants[item] is not item:
                    fgraph.replace(item, constants[item], reason="MergeOptimizer")
            key = (node.op, tuple(node.inputs))
            kept = known.setdefault(key, node.outputs)
            if kept is node.outputs:
                continue
            pairs = list(zip(node.outputs, kept, strict=True))
            for old, new in pairs:
                new.name = new.name or old.name
            try:
                fgraph.replace_all_validate(pairs, reason="MergeOptimizer")
                merged += 1
            except InconsistencyError:
                continue  # both write into an input
        return 0, 0.0, None, None, {}, merged, equal

    def _constants(self, fgraph: Any) -> dict[Variable, Variable]:
        """Return for each constant the first one of its type and value."""
        first: dict[Any, Variable] = {}
        result: dict[Variable, Variable] = {}
        for node in io_toposort(fgraph.inputs, fgraph.outputs):
            for item in node.inputs:
                if isinstance(item, Constant):
                    result[item] = first.setdefault(item.signature(), item)
        return result

    def __str__(self) -> str:
        return "MergeOptimizer"

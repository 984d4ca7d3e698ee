"""Graphs with ops that write into their inputs: which of them can be computed, in which order.

Functions do not need it: what runs an op that says ``destroy_map`` copies what the op writes into.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from symtheano.errors import InconsistencyError
from symtheano.graph.variable import Apply, Constant, Variable

from .graph import io_toposort
from .toolbox import AlreadyThere, Bookkeeper


class DestroyHandler(Bookkeeper):
    """Requires that an array is read by all others before it is written into, and only once."""

    def __init__(self, do_imports_on_attach: bool = True, algo: str | None = None) -> None:
        self.fgraph: Any = None

    def on_attach(self, fgraph: Any) -> None:
        """Add the methods ``destroyers`` and ``has_destroyers`` to a graph."""
        if hasattr(fgraph, "destroyers"):
            raise AlreadyThere("DestroyHandler feature is already present")
        self.fgraph = fgraph
        fgraph.destroyers = partial(self._destroyers, fgraph)
        fgraph.has_destroyers = lambda items: any(map(fgraph.destroyers, items))
        fgraph.destroy_handler = self

    def on_detach(self, fgraph: Any) -> None:
        """Remove them."""
        for name in ("destroyers", "has_destroyers", "destroy_handler"):
            delattr(fgraph, name)
        self.fgraph = None

    def _destroyers(self, fgraph: Any, variable: Variable) -> list[Apply]:
        root = _root(variable)
        return [node for node, place in _writes(fgraph) if _root(node.inputs[place]) is root]

    def validate(self, fgraph: Any) -> None:
        """Raise an error if there is no order.

        Raises
        ------
        InconsistencyError
            With the reason.
        """
        writers: dict[Variable, Apply] = {}
        for node, place in _writes(fgraph):
            root = _root(node.inputs[place])
            if isinstance(root, Constant) or getattr(root.tag, "indestructible", False):
                raise InconsistencyError(f"{node.op} would write into {root}")
            if writers.setdefault(root, node) is not node:
                raise InconsistencyError(f"two nodes write into {root}: {writers[root]} and {node}")
            self._check_aliases(node, place, root)
        for place, item in enumerate(fgraph.outputs):
            if _root(item) in writers:
                raise InconsistencyError(f"the output {place}, {item}, is overwritten")
        if writers:
            try:
                io_toposort(fgraph.inputs, fgraph.outputs, fgraph.orderings())
            except ValueError as error:
                raise InconsistencyError(f"there is no order of the nodes: {error}") from None

    def _check_aliases(self, node: Apply, place: int, root: Variable) -> None:
        """Raise an error if a node reads what it writes into by another of its inputs."""
        written = node.inputs[place]
        same = getattr(node.op, "destroyhandler_tolerate_same", ())
        aliased = getattr(node.op, "destroyhandler_tolerate_aliased", ())
        for other, item in enumerate(node.inputs):
            if other == place or _root(item) is not root:
                continue
            allowed = (place, other) in (same if item is written else aliased)
            if not allowed and not (item is written and (place, other) in aliased):
                raise InconsistencyError(f"{node} reads {item}, into which it writes")

    def orderings(self, fgraph: Any) -> dict[Apply, list[Apply]]:
        """Return for each node that writes into an array those that read it."""
        readers: dict[Variable, list[Apply]] = {}
        for node in fgraph.apply_nodes:
            for item in node.inputs:
                readers.setdefault(_root(item), []).append(node)
        result: dict[Apply, list[Apply]] = {}
        for node, place in _writes(fgraph):
            others = [other for other in readers[_root(node.inputs[place])] if other is not node]
            result.setdefault(node, []).extend(others)
        return result


def _writes(fgraph: Any) -> Iterator[tuple[Apply, int]]:
    """Yield the nodes that write into inputs, with the positions of these."""
    for node in fgraph.apply_nodes:
        for places in (getattr(node.op, "destroy_map", None) or {}).values():
            for place in places:
                yield node, place


def _root(variable: Variable) -> Variable:
    """Return the variable in whose memory a variable is, as the ``view_map`` of ops tells."""
    while variable.owner is not None:
        views = getattr(variable.owner.op, "view_map", None) or {}
        if variable.index not in views:
            break
        variable = variable.owner.inputs[views[variable.index][0]]
    return variable


def getroot(r: Variable, view_i: dict[Variable, Variable]) -> Variable:
    """Return the variable in whose memory a variable is, given those of which others are views."""
    while r in view_i:
        r = view_i[r]
    return r

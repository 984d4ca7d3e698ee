"""Linkers: how the graph of a function is run."""

from __future__ import annotations

from copy import copy
from typing import Any

from symtheano.graph.shared import Container as Container

from .graph import clone
from .utils import undef


class Linker:
    """How a graph is run; a :class:`Mode` takes one, or its name.

    Attributes
    ----------
    name
        ``c`` or ``py``.
    """

    name = "c"

    def __init__(self, allow_gc: bool | None = None, schedule: Any = None, **options: Any) -> None:
        self.allow_gc, self.fgraph = allow_gc, None

    def clone(self, allow_gc: Any = undef) -> Any:
        """Return a copy."""
        twin = copy(self)
        if allow_gc is not undef:
            twin.allow_gc = allow_gc
        return twin

    def accept(self, fgraph: Any, no_recycling: Any = None, profile: Any = None) -> Any:
        """Return the linker of a graph."""
        twin = copy(self)
        twin.fgraph = fgraph
        return twin

    def make_function(self, unpack_single: bool = True, **kwargs: Any) -> Any:
        """Return a function of the graph's inputs that returns its outputs.

        Parameters
        ----------
        unpack_single
            Whether it returns a single output, instead of a list.
        """
        from symtheano import Mode, function

        graph: Any = self.fgraph
        inputs, outputs = clone(graph.inputs, graph.outputs)
        single = unpack_single and len(outputs) == 1
        mode = Mode("c", None)
        return function(
            inputs, outputs[0] if single else outputs, mode=mode, on_unused_input="ignore"
        )

    def make_thunk(
        self, input_storage: Any = None, output_storage: Any = None, storage_map: Any = None
    ) -> tuple[Any, Any, Any]:
        """Return a function without arguments, and the containers of inputs and outputs."""
        graph: Any = self.fgraph
        call = self.make_function(unpack_single=False)
        lists = [
            given or [[None] for _ in items]
            for given, items in (
                (input_storage, graph.inputs),
                (output_storage, graph.outputs),
            )
        ]
        inputs, outputs = (
            [_Cell(item.type, storage) for item, storage in zip(items, part, strict=True)]
            for items, part in ((graph.inputs, lists[0]), (graph.outputs, lists[1]))
        )

        def thunk() -> None:
            for cell, value in zip(lists[1], call(*(cell[0] for cell in lists[0])), strict=True):
                cell[0] = value

        return thunk, inputs, outputs


class _Cell(Container):
    """A container whose value is in a given list."""

    def __init__(self, type: Any, storage: list[Any]) -> None:
        super().__init__(type, storage[0])
        self.storage = storage


class LocalLinker(Linker):
    """The base class of linkers that run one node after the other."""

    name = "py"

    def make_function(self, unpack_single: bool = True, **kwargs: Any) -> Any:
        """Return a function of the graph's inputs that returns its outputs."""
        graph: Any = self.fgraph
        nodes = graph.toposort()

        def call(*values: Any) -> Any:
            if len(values) != len(graph.inputs):
                raise TypeError(f"the graph has {len(graph.inputs)} inputs, got {len(values)}")
            known = dict(zip(graph.inputs, values, strict=True))
            for node in nodes:
                cells: list[list[Any]] = [[None] for _ in node.outputs]
                node.op.run_node(node, [_value(item, known) for item in node.inputs], cells)
                known.update(
                    (item, cell[0]) for item, cell in zip(node.outputs, cells, strict=True)
                )
            results = [_value(item, known) for item in graph.outputs]
            return results[0] if unpack_single and len(results) == 1 else results

        return call


def _value(variable: Any, known: dict[Any, Any]) -> Any:
    return known.get(variable) if variable in known else variable.data


class PerformLinker(LocalLinker):
    """Runs each node by itself, in Python."""


class WrapLinker(Linker):
    """Not supported: ``MonitorMode`` calls functions before and after each node."""

    def __init__(self, linkers: Any, wrapper: Any) -> None:
        raise NotImplementedError(
            "WrapLinker: nodes that are compiled together can't be wrapped; "
            "theano.compile.MonitorMode(pre_func, post_func) calls functions for each node"
        )


def WrapLinkerMany(linkers: Any, wrappers: Any) -> WrapLinker:
    """Not supported: see :class:`WrapLinker`."""
    return WrapLinker(linkers, wrappers)

"""Views: access to the elements of a variable through relabelled axes and index maps."""

from __future__ import annotations

from functools import cache

from symtheano.codegen.plan.shapes import Dims, Shapes
from symtheano.codegen.plan.steps import Axes, Source
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply
from symtheano.loopir import Index, View
from symtheano.lowering import IndexMap
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import Repeated
from symtheano.tensor.indexing.index_facts import counts_from_zero
from symtheano.tensor.variable import Tensor


class Views:
    """The views in a graph. What it has found once it keeps.

    Parameters
    ----------
    graph
        The graph.
    shapes
        Its shapes.

    Attributes
    ----------
    clients
        The nodes that read each variable, with the number of the input.
    source
        Returns the source of a variable, through relabelled axes.
    """

    def __init__(self, graph: FunctionGraph, shapes: Shapes) -> None:
        self.graph, self.shapes = graph, shapes
        self.clients = graph.clients()
        self.source = cache(self._find_source)

    def readers(self, variable: Tensor) -> list[Apply]:
        """Return the nodes that read a variable, once for each time."""
        uses = self.clients.get(variable, ())
        return [client for client, _ in uses if isinstance(client, Apply)]

    def dims(self, variable: Tensor) -> Dims:
        """Return the shape of an array of the graph."""
        return self.shapes.dims(variable)

    def _find_source(self, variable: Tensor) -> Source:
        axes: Axes = tuple(range(variable.ndim))
        while variable.owner is not None:
            step = self.axis_map(variable.owner)
            if step is None:
                break
            axes = tuple(None if axis is None else step[axis] for axis in axes)
            variable = variable.owner.inputs[0]
        return Source(variable, axes)

    def axis_map(self, node: Apply) -> Axes | None:
        """Return the op's own map, or the identity where a gather takes every item in order."""
        axes = node.op.lowering.axis_map(node)
        if node.op.lowering.alternative is not None and self._fits(node):
            return tuple(range(node.outputs[0].ndim))
        if axes is not None or not isinstance(node.op, AdvancedSubtensor) or node.nin != 2:
            return axes
        x, array = node.inputs
        length = self.dims(x)[node.op.axis]
        if array.ndim == 1 and counts_from_zero(array) and self.dims(array)[0] == length:
            return tuple(range(x.ndim))
        return None

    def _fits(self, node: Apply) -> bool:
        """Return whether the first array always has the lengths of the result."""
        return self.dims(node.inputs[0]) == self.dims(node.outputs[0])

    def is_shown(self, node: Apply) -> bool:
        """Return False for a repeated copy that ``Either`` never shows."""
        if not isinstance(node.op, Repeated):
            return True
        clients = self.clients.get(node.outputs[0], ())
        return not all(isinstance(client, Apply) and self._fits(client) for client, _ in clients)

    def is_view(self, node: Apply) -> bool:
        """Return whether a node only maps indices of its first input."""
        return node.op.lowering.is_view or self.axis_map(node) is not None

    def view_of(self, node: Apply, operand: View) -> View:
        """Return the view that a view op makes of its operand's."""
        lowering, scalars = node.op.lowering, list(self.shapes.scalars(node))
        assert isinstance(lowering, IndexMap)
        return lowering.view(node.op, node, operand, scalars, self.dims(node.outputs[0]))

    def over(self, variable: Tensor, base: View) -> View:
        """Return a variable as a view, its source's view being known."""
        axes = self.source(variable).axes
        strides = tuple(Index.of(0) if axis is None else base.strides[axis] for axis in axes)
        return View(base.buffer, self.dims(variable), strides, base.offset)

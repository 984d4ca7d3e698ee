"""Views: access to the elements of a variable through relabelled axes and index maps."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from symtheano.codegen.plan.shapes import Dims, Shapes
from symtheano.codegen.plan.steps import Axes, Nest, OpStep, Source
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Variable
from symtheano.loopir import Buffer, Index, View
from symtheano.loopir.index import product
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import Either, Repeated
from symtheano.tensor.indexing.index_facts import counts_from_zero


class Views:
    """The views in a graph.

    Attributes
    ----------
    copies
        Contiguous copies of inputs whose layouts an op does not support.
    clients
        The nodes that read each variable, with the number of the input.
    """

    def __init__(self, graph: FunctionGraph, shapes: Shapes) -> None:
        self.graph, self.shapes = graph, shapes
        self.copies: dict[tuple[Apply, int], Any] = {}
        self.clients = graph.clients()
        self._sources: dict[Variable, Source] = {}
        self._layouts: dict[Variable, View] = {}

    def dims(self, variable: Variable) -> Dims:
        """Return the shape of an array of the graph."""
        return self.shapes.dims(variable)

    def source(self, variable: Any) -> Source:
        """Return the source of a variable, through relabelled axes."""
        known = self._sources.get(variable)
        if known is None:
            known = self._sources[variable] = self._find_source(variable)
        return known

    def _find_source(self, variable: Any) -> Source:
        axes: Axes = tuple(range(variable.ndim))
        while variable.owner is not None:
            step = self._axis_map(variable.owner)
            if step is None:
                break
            axes = tuple(None if axis is None else step[axis] for axis in axes)
            variable = variable.owner.inputs[0]
        return Source(variable, axes)

    def _axis_map(self, node: Apply) -> Axes | None:
        """Return the op's own map, or the identity where a gather takes every item in order."""
        known = node.op.axis_map(node)
        if node.op.alternative is not None and self._fits(node):
            return tuple(range(node.outputs[0].ndim))
        if known is not None or not isinstance(node.op, AdvancedSubtensor) or node.nin != 2:
            return known
        x, array = node.inputs
        length = self.dims(x)[node.op.axis]
        if array.ndim == 1 and counts_from_zero(array) and self.dims(array)[0] == length:
            return tuple(range(x.ndim))
        return None

    def _fits(self, node: Apply) -> bool:
        """Return whether the first array always has the lengths of the result."""
        return self.dims(node.inputs[0]) == self.dims(node.outputs[0])

    def is_shown(self, node: Apply) -> bool:
        """Return False for a repeated copy that :class:`Either` never shows."""
        if not isinstance(node.op, Repeated):
            return True
        clients = self.clients.get(node.outputs[0], ())
        return not all(isinstance(client, Apply) and self._fits(client) for client, _ in clients)

    def is_view(self, node: Apply) -> bool:
        """Return whether a node only maps indices of its first input."""
        return self._axis_map(node) is not None or node.op.form == "view"

    def inputs(self, node: Apply) -> list[Any]:
        """Return a node's inputs, with copies for unsupported layouts."""
        return [self.copies.get((node, k), item) for k, item in enumerate(node.inputs)]

    def roots(self, variable: Any, inline: Collection[Any] = ()) -> dict[Any, None]:
        """Return the arrays that are read for a variable, through views and inline nodes."""
        found: dict[Any, None] = {}
        stack = [variable] if hasattr(variable, "ndim") else []
        while stack:
            item = stack.pop()
            stack.extend(self.alternatives(item))
            root = self.root(item)
            if root in inline:
                stack.extend(root.owner.inputs)
            else:
                found[root] = None
        return found

    def is_fed(self, feed: Nest, value: Any) -> bool:
        """Return whether a feed computes a scatter's value, which then needs no memory."""
        source = self.source(value).variable
        return source in feed.results or source in feed.inline

    def read_by_op(self, step: OpStep, but: int | None = None) -> dict[Any, None]:
        """Return the arrays that an op step reads, all inputs but one."""
        found: dict[Any, None] = {}
        for number, item in enumerate(self.inputs(step.node)):
            if number == but:
                continue
            feed = step.feeds.get(number)
            if feed is None or not self.is_fed(feed, item):
                found.update(self.roots(item))
                continue
            if self.source(item).variable in feed.inline:
                found.update(self.roots(item, feed.inline))
            for part in (part for member in feed.members for part in member.node.inputs):
                if self.source(part).variable not in feed.results:
                    found.update(self.roots(part, feed.inline))
        return found

    def root(self, variable: Any) -> Any:
        """Return the variable whose memory contains the elements of a view."""
        source = self.source(variable).variable
        while source.owner is not None and source.owner.op.form == "view":
            source = self.source(self.inputs(source.owner)[0]).variable
        return source

    def alternatives(self, variable: Any) -> list[Any]:
        """Return the arrays that are shown instead of those on the way to the root of a view."""
        found = []
        source = self.source(variable).variable
        while source.owner is not None and source.owner.op.form == "view":
            if source.owner.op.alternative is not None:
                found.append(source.owner.inputs[Either.alternative])
            source = self.source(self.inputs(source.owner)[0]).variable
        return found

    # -- layouts ---------------------------------------------------------------------------------

    def layout(self, variable: Any) -> View:
        """Return the view that a variable will be, over a placeholder for its buffer."""
        known = self._layouts.get(variable)
        if known is not None:
            return known
        chain = [variable]
        while True:
            base = self.source(chain[-1]).variable
            if base in self._layouts or not (base.owner and base.owner.op.form == "view"):
                break
            chain.append(self.inputs(base.owner)[0])
        for item in reversed(chain):
            self._layouts[item] = self.over(item, self._base_layout(self.source(item).variable))
        return self._layouts[variable]

    def _base_layout(self, base: Any) -> View:
        known = self._layouts.get(base)
        if known is not None:
            return known
        if base.owner is not None and base.owner.op.form == "view":
            operand = self._layouts[self.inputs(base.owner)[0]]
            return self.view_of(base.owner, operand)
        size = product(self.dims(base))
        return View.contiguous(Buffer("any", base.dtype, "arena", size), self.dims(base))

    def view_of(self, node: Apply, operand: View) -> View:
        """Return the view that a view op makes of its operand's."""
        result = node.op.view(  # type: ignore[attr-defined]
            node, operand, self.shapes.scalars(node), self.dims(node.outputs[0])
        )
        assert isinstance(result, View)
        return result

    def over(self, variable: Any, base: View) -> View:
        """Return a variable as a view, its source's view being known."""
        axes = self.source(variable).axes
        strides = tuple(Index.of(0) if axis is None else base.strides[axis] for axis in axes)
        return View(base.buffer, self.dims(variable), strides, base.offset)

"""Operands: which arrays in memory a step reads, through views and copies."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from symtheano.codegen.plan.steps import VALUE, Members, Nest, Step
from symtheano.codegen.plan.views import Views
from symtheano.graph.variable import Apply
from symtheano.loopir import Buffer, View
from symtheano.loopir.index import product
from symtheano.lowering import Scatter
from symtheano.tensor.variable import Tensor

Copies = Mapping[tuple[Apply, int], Tensor]
"""Contiguous copies of inputs whose layouts an op does not support, by node and number."""


class Operands:
    """The arrays that the steps of a schedule read.

    Parameters
    ----------
    views
        The views in the graph.
    copies
        What nodes read instead of their inputs.
    """

    def __init__(self, views: Views, copies: Copies) -> None:
        self.views, self.copies = views, copies
        self._layouts: dict[Tensor, View] = {}

    def inputs(self, node: Apply) -> list[Tensor]:
        """Return a node's inputs, with copies for unsupported layouts."""
        return [self.copies.get((node, k), item) for k, item in enumerate(node.inputs)]

    def root(self, variable: Tensor) -> Tensor:
        """Return the variable whose memory contains the elements of a view."""
        source = self.views.source(variable).variable
        while (owner := source.owner) is not None and owner.op.lowering.is_view:
            source = self.views.source(self.shown_by(owner)).variable
        return source

    def shown_by(self, view: Apply) -> Tensor:
        """Return the array that a view op shows: its first input, or the copy of it."""
        shown: Tensor = self.copies.get((view, 0), view.inputs[0])
        return shown

    def alternatives(self, variable: Tensor) -> list[Tensor]:
        """Return the arrays that are shown instead of those on the way to the root of a view."""
        arrays: list[Tensor] = []
        source = self.views.source(variable).variable
        while (owner := source.owner) is not None and owner.op.lowering.is_view:
            if owner.op.lowering.alternative is not None:
                arrays.append(owner.inputs[owner.op.lowering.alternative])
            source = self.views.source(self.shown_by(owner)).variable
        return arrays

    def roots(self, variable: Tensor, inline: Collection[Tensor] = ()) -> dict[Tensor, None]:
        """Return the arrays that are read for a variable, through views and inline nodes."""
        arrays: dict[Tensor, None] = {}
        stack = [variable] if hasattr(variable, "ndim") else []
        while stack:
            item = stack.pop()
            stack.extend(self.alternatives(item))
            root = self.root(item)
            if root in inline and root.owner is not None:
                stack.extend(root.owner.inputs)
            else:
                arrays[root] = None
        return arrays

    # -- what steps read -------------------------------------------------------------------------

    def feed_of(self, node: Apply, feeds: Mapping[int, Members], number: int) -> Members | None:
        """Return the feed that computes an input where it is used, or None if it is in memory.

        Indices of a scatter are computed in the loop that computes the value.
        """
        item = self.inputs(node)[number]
        scatters = isinstance(node.op.lowering, Scatter) and number > VALUE
        feed = feeds.get(VALUE if scatters else number)
        if feed is None or (scatters and self.views.source(item).variable not in feed.inline):
            return None
        return feed if self.is_fed(feed, item) else None

    def is_fed(self, feed: Members, value: Tensor) -> bool:
        """Return whether a feed computes a scatter's value, which then needs no memory."""
        source = self.views.source(value).variable
        return source in feed.results or source in feed.inline

    def read_by(self, step: Step) -> dict[Tensor, None]:
        """Return the arrays that a step reads, in a deterministic order."""
        if isinstance(step, Nest):
            return self.read_by_nest(step)
        arrays = self.read_by_op(step.node, step.feeds)
        if step.epilogue is not None:
            arrays.update(self.read_by_nest(step.epilogue))
            del arrays[step.node.outputs[0]]
        return arrays

    def read_by_op(
        self, node: Apply, feeds: Mapping[int, Members], but: int | None = None
    ) -> dict[Tensor, None]:
        """Return the arrays that an op on whole arrays reads, for all inputs but one."""
        arrays: dict[Tensor, None] = {}
        for number, item in enumerate(self.inputs(node)):
            if number == but:
                continue
            feed = self.feed_of(node, feeds, number)
            if feed is None:
                arrays.update(self.roots(item))
                continue
            if self.views.source(item).variable in feed.inline:
                arrays.update(self.roots(item, feed.inline))
            arrays.update(self.read_by_nest(feed))
        return arrays

    def read_by_nest(self, nest: Members) -> dict[Tensor, None]:
        """Return the arrays that a nest reads, and does not compute."""
        arrays: dict[Tensor, None] = {}
        for member in nest.members:
            for item in member.node.inputs:
                if self.views.source(item).variable not in nest.results:
                    arrays.update(self.roots(item, nest.inline))
        return arrays

    # -- layouts ---------------------------------------------------------------------------------

    def layout(self, variable: Tensor) -> View:
        """Return the view that a variable will be, over a placeholder for its buffer."""
        layout = self._layouts.get(variable)
        if layout is not None:
            return layout
        chain = [variable]
        while True:
            base = self.views.source(chain[-1]).variable
            if base in self._layouts or base.owner is None or not base.owner.op.lowering.is_view:
                break
            chain.append(self.shown_by(base.owner))
        for item in reversed(chain):
            shown = self._base_layout(self.views.source(item).variable)
            self._layouts[item] = self.views.over(item, shown)
        return self._layouts[variable]

    def _base_layout(self, base: Tensor) -> View:
        layout = self._layouts.get(base)
        if layout is not None:
            return layout
        if base.owner is not None and base.owner.op.lowering.is_view:
            return self.views.view_of(base.owner, self._layouts[self.shown_by(base.owner)])
        dims = self.views.dims(base)
        return View.contiguous(Buffer("any", base.dtype, "arena", product(dims)), dims)

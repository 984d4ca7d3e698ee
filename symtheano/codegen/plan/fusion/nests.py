"""The nests of a schedule while it is being made: what they compute, read and store."""

from __future__ import annotations

from collections.abc import Iterable

from symtheano.codegen.plan.fusion.draft import Draft, Made, NestDraft, OpDraft
from symtheano.codegen.plan.fusion.ready import Ready
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Axes, Member, Source, through
from symtheano.graph.variable import Apply, Constant
from symtheano.loopir import Index
from symtheano.tensor.variable import Tensor


class Nests:
    """Steps in order, and what is added to the nests among them.

    Parameters
    ----------
    operands
        What steps read.
    ready
        When values are available.

    Attributes
    ----------
    steps
        The steps.
    position
        The position of each nest.
    by_space
        The nests over the same lengths, in order.
    entry
        0-d values that the entry point has as scalars, in order, so that the text is deterministic.
    made
        Where values are computed.
    remade
        Which of them are computed again.
    """

    def __init__(self, operands: Operands, ready: Ready) -> None:
        self.operands, self.views, self.ready = operands, operands.views, ready
        self.shapes = operands.views.shapes
        self.steps: list[Draft] = []
        self.position: dict[NestDraft, int] = {}
        self.by_space: dict[tuple[Index, ...], list[NestDraft]] = {}
        self.entry: dict[Tensor, None] = {}
        self.made = Made()
        self.remade = Remade(self.views, self.made)

    def open(self, space: list[Index], members: Iterable[Member] = ()) -> NestDraft:
        """Open a nest over some lengths, with members that compute what it needs again."""
        nest = NestDraft(space)
        self.position[nest] = len(self.steps)
        self.steps.append(nest)
        self.by_space.setdefault(in_any_order(space), []).append(nest)
        for member in members:
            self.add(nest, member)
        return nest

    def append_op(self, node: Apply, feeds: dict[int, NestDraft]) -> None:
        """Append a step for an op on whole arrays."""
        self.steps.append(OpDraft(node, feeds))
        for output in node.outputs:
            self.ready.first[output] = len(self.steps)
            self.made.by_ops.add(output)

    def add(self, nest: NestDraft, member: Member) -> None:
        """Add a member to a nest, and note what it reads."""
        output = member.result
        nest.members.append(member)
        depth = 1 + self.note_reads(nest, member)
        if member.role == "point":
            nest.results[output] = member.axes
        nest.depths[output] = depth
        nest.depth = max(nest.depth, depth)

    def note_reads(self, nest: NestDraft, member: Member) -> int:
        """Make sure that what a member reads is in memory, unless its nest computes it.

        Returns
        -------
        int
            The number of members, at most, that wait for one another until all of it is computed.
        """
        pointwise, depth = member.is_pointwise, 0
        for item in member.node.inputs:
            shown = self.views.source(item)
            source = shown.variable
            depth = max(depth, nest.depths.get(source, 0))
            if pointwise and source in nest.results:
                continue
            if self.remade.is_inline(source):
                self.add_inline(nest, source)
            else:
                self.require_memory(item)
            if source.ndim and not isinstance(source, Constant):
                nest.leaves.setdefault(source, through(shown, member.axes) if pointwise else ())
                nest.leaves.setdefault(self.operands.root(source), ())
        return depth

    def add_inline(self, nest: NestDraft, variable: Tensor) -> None:
        """Let a nest compute a variable's elements inline."""
        inline, read = self._inline_parts(variable)
        nest.inline.update(inline)
        for source in read:
            self.require_memory(source)

    def read_inline(self, variable: Tensor) -> list[Tensor]:
        """Return what is read from memory if a variable's elements are computed inline."""
        return self._inline_parts(variable)[1] if self.remade.is_inline(variable) else []

    def _inline_parts(self, variable: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """Return what is computed inline for a variable, and what this reads from memory."""
        inline: list[Tensor] = []
        read: list[Tensor] = []
        stack = [variable]
        while stack:
            item = stack.pop()
            inline.append(item)
            for part in item.owner.inputs if item.owner is not None else ():
                source = self.views.source(part).variable
                (stack if self.remade.is_inline(source) else read).append(source)
        return inline, read

    def require_memory(self, variable: Tensor) -> None:
        """Make sure that a variable's elements are stored by the nest that computes them."""
        if not hasattr(variable, "ndim"):
            return
        source = self.operands.root(variable)
        if source.owner is not None and self.remade.is_inline(source):
            self.open_for_point(source.owner)
        nest = self.made.home.get(source)
        if nest is not None and source not in nest.stores:
            nest.stores.append(source)

    # -- points ----------------------------------------------------------------------------------

    def point_operands(self, node: Apply) -> list[Source]:
        """Return what an elementwise node reads at its own index; other nodes read anywhere."""
        if node.op.form != "elemwise":
            return []
        return [self.views.source(item) for item in node.inputs]

    def open_for_point(self, node: Apply) -> None:
        """Open a nest for an elementwise node."""
        (output,) = node.outputs
        dims = self.shapes.dims(output)
        wide = [a for a, known in enumerate(output.type.shape) if known != 1]
        axes = tuple(wide.index(a) if a in wide else None for a in range(output.ndim))
        again = self.remade.compute_again(axes, self.point_operands(node))
        self.add_point(self.open([dims[a] for a in wide], again), node, axes)

    def add_point(self, nest: NestDraft, node: Apply, axes: Axes) -> None:
        """Add an elementwise node to a nest, after what is computed again for it."""
        (output,) = node.outputs
        operands = self.point_operands(node)
        if any(o.variable not in nest.results for o in operands):
            for member in self.remade.compute_again(axes, operands, nest):
                self.add(nest, member)
        self.add(nest, Member(node, axes, "point"))
        self.made.home[output] = nest
        self.ready.first[output] = self.position[nest] + 1

    def replace_home(self, nest: NestDraft, other: NestDraft) -> None:
        """Note that another nest computes what a nest did, and all it does itself."""
        self.by_space[in_any_order(nest.space)].remove(nest)
        ready = self.position[other] + 1
        for member in other.members:
            output = member.result
            self.ready.first[output] = min(self.ready.first.get(output, ready), ready)
            if self.made.home.get(output) is nest:
                self.made.home[output] = other


def in_any_order(space: Iterable[Index]) -> tuple[Index, ...]:
    """Return lengths of axes in an order that does not depend on that of the axes."""
    return tuple(sorted(space, key=str))

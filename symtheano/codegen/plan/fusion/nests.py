"""The nests of a schedule while it is being made: what they compute, read and store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from symtheano.codegen.plan.fusion.choices import Choice, Refusal, Saved
from symtheano.codegen.plan.fusion.groups import Group, Homes, OpGroup
from symtheano.codegen.plan.fusion.merge import merged
from symtheano.codegen.plan.fusion.ready import Ready
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Axes, Member, Source, through
from symtheano.codegen.targets import Costs
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply, Constant
from symtheano.loopir import Index
from symtheano.lowering import Elementwise
from symtheano.tensor.variable import Tensor


class Nests:
    """Steps in order, and what is added to the groups among them.

    A group does not change: another one takes its place.

    Parameters
    ----------
    operands
        What steps read.
    ready
        When values are available.
    costs
        What decides which nodes share nests.

    Attributes
    ----------
    homes
        The steps, and where values are computed.
    by_space
        The numbers of the groups over the same lengths, in order.
    entry
        0-d values that the entry point has as scalars, in order, so that the text is deterministic.
    remade
        Which values are computed again.
    listens
        Whether choices are kept.
    choices
        Which group each node of a nest joined, in order, and which groups were merged.
    """

    def __init__(
        self, operands: Operands, ready: Ready, costs: Costs, listens: bool = True
    ) -> None:
        self.operands, self.views, self.ready = operands, operands.views, ready
        self.shapes, self.costs = operands.views.shapes, costs
        self.homes = Homes()
        self.by_space: dict[tuple[Index, ...], list[int]] = {}
        self.entry: dict[Tensor, None] = {}
        self.remade = Remade(self.views, self.homes, costs)
        self.listens = listens
        self.choices: list[Choice] = []
        self._bytes: dict[Tensor, int] = {}

    def note(self, choice: Choice) -> None:
        """Keep a choice, if somebody asks for them."""
        if self.listens:
            self.choices.append(choice)

    def bytes_of(self, saved: Saved) -> int:
        """Return how many bytes of values that are passed on are not moved.

        Arrays that both read do not count: later nodes that read them may join as well.
        """
        return sum(map(self._size, saved.kept)) + sum(map(self._size, saved.stores))

    def bytes_read_once(self, saved: Saved) -> int:
        """Return how many bytes of arrays that both read are loaded once less."""
        return sum(map(self._size, saved.shared))

    def _size(self, variable: Tensor) -> int:
        """Return the bytes of an array, with an assumed length of axes of unknown length."""
        size = self._bytes.get(variable)
        if size is None:
            lengths = [dim.constant for dim in self.shapes.dims(variable)]
            assumed = [self.costs.length if n is None else n for n in lengths]
            size = prod(assumed) * int(variable.type.numpy_dtype.itemsize)
            self._bytes[variable] = size
        return size

    def open(self, space: Sequence[Index]) -> int:
        """Open a group over some lengths, and return its number."""
        number = self.homes.count
        self.homes.groups[number] = Group(tuple(space))
        self.by_space.setdefault(in_any_order(space), []).append(number)
        return number

    def append_op(self, node: Apply, feeds: dict[int, Group]) -> None:
        """Append a step for an op on whole arrays."""
        self.homes.ops[self.homes.count] = OpGroup(node, feeds)
        self.homes.memory.update(
            leaf for feed in feeds.values() for leaf in feed.leaves if leaf in self.homes.number
        )
        for output in node.outputs:
            self.ready.first[output] = self.homes.count
            self.homes.by_ops.add(output)

    def with_members(self, group: Group, members: Iterable[Member]) -> Group:
        """Return a group with more members."""
        new = tuple(members)
        if not new:
            return group
        results, depths, deepest = dict(group.results), dict(group.depths), group.depth
        leaves, inline = dict(group.leaves), set(group.inline)
        for member in new:
            output, depth = member.result, 1
            for source in self._note_reads(member, results, leaves, inline):
                depth = max(depth, 1 + depths.get(source, 0))
            if member.role == "point":
                results[output] = member.axes
            depths[output] = depth
            deepest = max(deepest, depth)
        return replace(
            group,
            members=(*group.members, *new),
            results=results,
            leaves=leaves,
            inline=frozenset(inline),
            depths=depths,
            depth=deepest,
        )

    def _note_reads(
        self,
        member: Member,
        results: dict[Tensor, Axes],
        leaves: dict[Tensor, Axes],
        inline: set[Tensor],
    ) -> list[Tensor]:
        """Note what a member reads from memory, if its group has these results.

        Returns
        -------
        list
            The sources of what it reads.
        """
        pointwise, sources = member.is_pointwise, []
        for item in member.node.inputs:
            shown = self.views.source(item)
            source = shown.variable
            sources.append(source)
            if pointwise and source in results:
                continue
            if self.remade.is_inline(source):
                inline |= self.inline_of(source)
            elif not pointwise:
                self.require_memory(item)
            if source.ndim and not isinstance(source, Constant):
                leaves.setdefault(source, through(shown, member.axes) if pointwise else ())
                leaves.setdefault(self.operands.root(source), ())
        return sources

    def inline_of(self, variable: Tensor) -> set[Tensor]:
        """Return what is computed inline for a variable; what this reads is stored."""
        inline, read = self._inline_parts(variable)
        for source in read:
            self.require_memory(source)
        return set(inline)

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
        """Make sure that a variable's elements are stored by the group that computes them."""
        if not hasattr(variable, "ndim"):
            return
        source = self.operands.root(variable)
        if source.owner is not None and self.remade.is_inline(source):
            self.open_for_point(source.owner)
        if source in self.homes.number:
            self.homes.memory.add(source)

    # -- points ----------------------------------------------------------------------------------

    def point_operands(self, node: Apply) -> list[Source]:
        """Return what an elementwise node reads at its own index; other nodes read anywhere."""
        if not isinstance(node.op.lowering, Elementwise):
            return []
        return [self.views.source(item) for item in node.inputs]

    def open_for_point(self, node: Apply, refused: tuple[Refusal, ...] = ()) -> None:
        """Open a group for an elementwise node, which other groups refused."""
        (output,) = node.outputs
        dims = self.shapes.dims(output)
        wide = [a for a, length in enumerate(output.type.shape) if length != 1]
        axes = tuple(wide.index(a) if a in wide else None for a in range(output.ndim))
        number = self.open([dims[a] for a in wide])
        self.add_point(number, self.homes.groups[number], node, axes)
        self.note(Choice(node, number, refused=refused, opened=True))

    def add_point(self, number: int, group: Group, node: Apply, axes: Axes) -> None:
        """Put a group with an elementwise node in the place of the one before."""
        (output,) = node.outputs
        self.homes.groups[number] = self.with_members(group, [Member(node, axes, "point")])
        self.homes.number[output] = number
        self.ready.first[output] = number + 1

    def merge(self, by: int, number: int) -> None:
        """Put one group in the place of two, the later of which stays empty."""
        groups = self.homes.groups
        self.by_space[in_any_order(groups[number].space)].remove(number)
        later = groups[number]
        groups[by], groups[number] = merged(groups[by], later), later.emptied()
        for member in later.members:
            self.ready.first[member.result] = by + 1
            if member.result in self.homes.number:
                self.homes.number[member.result] = by


def in_any_order(space: Iterable[Index]) -> tuple[Index, ...]:
    """Return lengths of axes in an order that does not depend on that of the axes."""
    lengths = tuple(space)
    return lengths if len(lengths) < 2 else tuple(sorted(lengths, key=str))

"""The nests of a schedule while it is being made: what they compute, read and store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from math import prod
from types import MappingProxyType

from symtheano.codegen.plan.fusion.choices import Choice, Refusal, Saved
from symtheano.codegen.plan.fusion.fit import is_own
from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.merge import merged
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Axes, Member, Source, is_unit, result_axes, through
from symtheano.codegen.targets import Costs
from symtheano.dataclass import dataclass, replace
from symtheano.graph.variable import Apply, Constant
from symtheano.loopir import Index
from symtheano.lowering import Element, Elementwise
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True, eq=False)
class Placed:
    """Where the nodes of a graph are: what one round of a schedule tells the next one.

    Attributes
    ----------
    operands
        What the steps read.
    steps
        The groups, and the ops on whole arrays, in order.
    number
        The position of the group that computes each result of a group.
    memory
        Results of groups that something reads from memory, or at any index.
    inline
        What is computed wherever it is read.
    entry
        0-d values that the entry point has as scalars, in order, so that the text is deterministic.
    ready
        The first step before which each value is in memory or a scalar.
    choices
        Which group each node joined, in order, and which groups were merged, if somebody asks.
    """

    operands: Operands
    steps: tuple[Group | OpGroup, ...]
    number: Mapping[Tensor, int]
    memory: frozenset[Tensor]
    inline: frozenset[Tensor]
    entry: Collection[Tensor]
    ready: Mapping[Tensor, int]
    choices: tuple[Choice, ...]

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        return 0 if variable.owner is None else self.ready[variable]


class Nests:
    """Steps in order, while nodes are placed: :meth:`placed` returns what became of them.

    A group does not change: another one takes its place.

    Parameters
    ----------
    operands
        What steps read.
    needs
        What nodes need.
    costs
        What decides which nodes share nests.
    listens
        Whether choices are kept.

    Attributes
    ----------
    groups, ops
        The groups and the ops on whole arrays, by their position among all steps.
    by_ops
        What ops on whole arrays compute.
    by_space
        The numbers of the groups over the same lengths, in order.
    first
        The first step before which each value is there. Variables without owner are available
        before step 0.
    remade
        Which values are computed again.
    number, memory, entry, choices
        See :class:`Placed`.
    """

    def __init__(
        self, operands: Operands, needs: Needs, costs: Costs, listens: bool = True
    ) -> None:
        self.operands, self.views, self.needs = operands, operands.views, needs
        self.shapes, self.costs, self.listens = operands.views.shapes, costs, listens
        self.groups: dict[int, Group] = {}
        self.ops: dict[int, OpGroup] = {}
        self.number: dict[Tensor, int] = {}
        self.by_ops: set[Tensor] = set()
        self.memory: set[Tensor] = set()
        self.by_space: dict[tuple[Index, ...], list[int]] = {}
        self.entry: dict[Tensor, None] = {}
        self.first: dict[Tensor, int] = {}
        self.remade = Remade(self.views, self.number, self.memory, costs)
        self.choices: list[Choice] = []
        self._size = cache(self._assumed_bytes)
        self._inline: dict[Tensor, bool] = {}

    def placed(self) -> Placed:
        """Return where everything is."""
        steps: dict[int, Group | OpGroup] = {**self.groups, **self.ops}
        inline = [item for item, inline in self._inline.items() if inline]
        return Placed(
            Operands(self.views, MappingProxyType(dict(self.operands.copies))),
            tuple(steps[position] for position in range(len(steps))),
            MappingProxyType(self.number),
            frozenset(self.memory),
            frozenset(inline).difference(self.number),
            self.entry.keys(),
            MappingProxyType(self.first),
            tuple(self.choices),
        )

    # -- when values are there -------------------------------------------------------------------

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        return 0 if variable.owner is None else self.first[variable]

    def of_all(self, variables: Sequence[Tensor]) -> int:
        """Return the first step before which all of some variables are there."""
        return max((self.at(item) for item in variables), default=0)

    def earliest(self, node: Apply, inputs: Sequence[Tensor]) -> int:
        """Return the first step before which inputs are there and guards hold."""
        return self.of_all([*inputs, *self.needs.besides(node)])

    def homes(self, operands: Iterable[Source]) -> list[int]:
        """Return the numbers of the groups that compute operands, each once."""
        number, homes = self.number, dict[int, None]()
        for operand in operands:
            if operand.variable in number:
                homes[number[operand.variable]] = None
        return list(homes)

    # -- choices ---------------------------------------------------------------------------------

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

    def _assumed_bytes(self, variable: Tensor) -> int:
        """Return the bytes of an array, with an assumed length of axes of unknown length."""
        lengths = [dim.constant for dim in self.shapes.dims(variable)]
        assumed = [self.costs.length if n is None else n for n in lengths]
        return prod(assumed) * int(variable.type.numpy_dtype.itemsize)

    # -- steps -----------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.groups) + len(self.ops)

    def open(self, space: Sequence[Index]) -> int:
        """Open a group over some lengths, and return its number."""
        number = self.count
        self.groups[number] = Group(tuple(space))
        self.by_space.setdefault(in_any_order(space), []).append(number)
        return number

    def append_op(self, node: Apply, feeds: dict[int, Group]) -> None:
        """Append a step for an op on whole arrays."""
        self.ops[self.count] = OpGroup(node, feeds)
        self.memory.update(
            leaf for feed in feeds.values() for leaf in feed.leaves if leaf in self.number
        )
        self.first.update(dict.fromkeys(node.outputs, self.count))
        self.by_ops.update(node.outputs)

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
            if self.is_inline(source):
                inline |= self.inline_of(source)
            elif not pointwise:
                self.require_memory(item)
            if source.ndim and not isinstance(source, Constant):
                leaves.setdefault(source, through(shown, member.axes) if pointwise else ())
                leaves.setdefault(self.operands.root(source), ())
        return sources

    def is_inline(self, variable: Tensor) -> bool:
        """Return whether elements are computed inline, from their index.

        This applies to ``arange``, gathers from arrays in memory, and cheap elementwise operations
        on such elements.
        """
        inline = self._inline.get(variable)
        if inline is None:
            inline = self._inline[variable] = self._inline_cost(variable) is not None
        return inline and variable not in self.number

    def _inline_cost(self, variable: Tensor) -> int | None:
        """Return the cost of computing one element, or None if it should be stored."""
        total = 0
        stack = [variable]
        while stack:
            item = stack.pop()
            owner = item.owner
            if owner is None or not isinstance(owner.op.lowering, (Element, Elementwise)):
                return None
            if is_unit(item) or item in self.number:
                return None
            total += owner.op.lowering.row.cost if isinstance(owner.op.lowering, Elementwise) else 1
            for source in (self.views.source(part).variable for part in owner.inputs):
                if is_unit(source):
                    continue
                if not (isinstance(owner.op.lowering, Element) and self._is_stored_anyway(source)):
                    stack.append(source)
            if total > self.costs.inline:
                return None
        return total

    def _is_stored_anyway(self, source: Tensor) -> bool:
        lowering = None if source.owner is None else source.owner.op.lowering
        if lowering is None or lowering.alternative is not None:
            return True
        return source in self.number or source in self.by_ops

    def inline_of(self, variable: Tensor) -> set[Tensor]:
        """Return what is computed inline for a variable; what this reads is stored."""
        inline, read = self._parts(variable)
        for source in read:
            self.require_memory(source)
        return set(inline)

    def read_inline(self, variable: Tensor) -> list[Tensor]:
        """Return what is read from memory if a variable's elements are computed inline."""
        return self._parts(variable)[1] if self.is_inline(variable) else []

    def _parts(self, variable: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        return inline_parts(variable, self.views.source, self.is_inline)

    def require_memory(self, variable: Tensor) -> None:
        """Make sure that a variable's elements are stored by the group that computes them."""
        if not hasattr(variable, "ndim"):
            return
        source = self.operands.root(variable)
        if source.owner is not None and self.is_inline(source):
            self.open_for_point(source.owner)
        if source in self.number:
            self.memory.add(source)

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
        self.add(number, self.groups[number], Member(node, axes, "point"))
        self.note(Choice(node, number, refused=refused, opened=True))

    def add(self, number: int, group: Group, member: Member) -> None:
        """Put a group with one more member in the place of the one before."""
        output, kept = member.result, result_axes(member)
        group = self.with_members(group, [member])
        self.first[output] = number + 1
        is_column = member.role == "column" and not (group.split and is_own(group, kept))
        if member.role == "full":
            self.entry[output] = None
        elif not is_column:
            self.number[output] = number
            if member.role != "point":
                group = replace(group, results={**group.results, output: kept})
                if output.ndim == 0:
                    self.entry[output] = None
        self.groups[number] = group

    def merge(self, by: int, number: int) -> None:
        """Put one group in the place of two, the later of which stays empty."""
        groups = self.groups
        self.by_space[in_any_order(groups[number].space)].remove(number)
        later = groups[number]
        groups[by], groups[number] = merged(groups[by], later), later.emptied()
        for member in later.members:
            self.first[member.result] = by + 1
            if member.result in self.number:
                self.number[member.result] = by


def inline_parts(
    variable: Tensor, source_of: Callable[[Tensor], Source], is_inline: Callable[[Tensor], bool]
) -> tuple[list[Tensor], list[Tensor]]:
    """Return what is computed inline for a variable, and what this reads from memory."""
    inline: list[Tensor] = []
    read: list[Tensor] = []
    stack = [variable]
    while stack:
        item = stack.pop()
        inline.append(item)
        for part in item.owner.inputs if item.owner is not None else ():
            source = source_of(part).variable
            (stack if is_inline(source) else read).append(source)
    return inline, read


def in_any_order(space: Iterable[Index]) -> tuple[Index, ...]:
    """Return lengths of axes in an order that does not depend on that of the axes."""
    lengths = tuple(space)
    return lengths if len(lengths) < 2 else tuple(sorted(lengths, key=str))

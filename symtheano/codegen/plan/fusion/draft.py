"""Drafts: the nests and ops of a schedule while it is being made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from symtheano.codegen.plan.steps import Axes, Member, Nest, Source
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply
from symtheano.loopir import Index
from symtheano.tensor.variable import Tensor


@dataclass(eq=False)
class NestDraft:
    """Nodes that share one loop nest, as far as is known.

    Attributes
    ----------
    space
        Lengths of the axes, from the outermost on.
    split
        Number of outer axes; None if it is not decided yet (then all are inner).
    members
        The nodes, each after those it needs.
    results
        For each point and row result the nest's axis of each of its axes.
    stores
        Members' results that are written to memory.
    leaves
        Arrays that are read, with the nest's axis of each of their axes as far as it is known.
    inline
        Variables whose elements are computed inline.
    depths
        For each member's result the number of members, at most, that wait for one another until it
        is computed.
    depth
        The largest of these numbers.
    """

    space: list[Index]
    split: int | None = None
    members: list[Member] = field(default_factory=list)
    results: dict[Tensor, Axes] = field(default_factory=dict)
    stores: list[Tensor] = field(default_factory=list)
    leaves: dict[Tensor, Axes] = field(default_factory=dict)
    inline: set[Tensor] = field(default_factory=set)
    depths: dict[Tensor, int] = field(default_factory=dict)
    depth: int = 0

    @property
    def outer(self) -> tuple[int, ...]:
        """The outer axes."""
        return tuple(range(self.split or 0))

    def permute(self, reduced: set[int]) -> Mapping[int | None, int | None]:
        """Put the axes that a reduction removes last, while there are only points.

        Returns
        -------
        dict
            For each axis its new number.
        """
        everything = range(len(self.space))
        order = sorted(everything, key=lambda axis: axis in reduced)
        new: dict[int | None, int | None] = {None: None, **{old: k for k, old in enumerate(order)}}

        def moved(axes: Axes) -> Axes:
            return tuple(new[axis] for axis in axes)

        self.space = [self.space[axis] for axis in order]
        self.members = [Member(m.node, moved(m.axes), m.role) for m in self.members]
        self.results = {value: moved(axes) for value, axes in self.results.items()}
        self.leaves = {value: moved(axes) for value, axes in self.leaves.items()}
        return new

    def finished(self) -> Nest:
        """Return the nest."""
        made = {member.result for member in self.members}
        results = {value: axes for value, axes in self.results.items() if value in made}
        return Nest(
            tuple(self.space),
            self.split,
            tuple(self.members),
            MappingProxyType(results),
            tuple(self.stores),
            frozenset(self.inline),
        )


@dataclass(frozen=True, eq=False)
class OpDraft:
    """A node that works on whole arrays, with drafts of what feeds it."""

    node: Apply
    feeds: Mapping[int, NestDraft]


Draft = NestDraft | OpDraft


@dataclass(eq=False)
class Made:
    """What has been placed, and where.

    Attributes
    ----------
    home
        The nest that computes each result of a nest.
    by_ops
        What ops on whole arrays compute.
    """

    home: dict[Tensor, NestDraft] = field(default_factory=dict)
    by_ops: set[Tensor] = field(default_factory=set)

    def is_stored(self, variable: Tensor) -> bool:
        """Return whether a nest or an op stores a variable, as far as is known."""
        nest = self.home.get(variable)
        return variable in self.by_ops or (nest is not None and variable in nest.stores)

    def homes_of(self, operands: Iterable[Source]) -> list[NestDraft]:
        """Return the nests that compute operands, each once."""
        homes: dict[NestDraft, None] = {}
        for operand in operands:
            nest = self.home.get(operand.variable)
            if nest is not None:
                homes[nest] = None
        return list(homes)

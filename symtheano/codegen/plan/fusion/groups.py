"""Groups: what shares a loop nest, as values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from symtheano.codegen.plan.steps import Axes, Member, Nest
from symtheano.dataclass import dataclass, field, replace
from symtheano.graph.variable import Apply
from symtheano.loopir import Index
from symtheano.tensor.variable import Tensor

_Key = TypeVar("_Key")
_Item = TypeVar("_Item")


def _nothing() -> Mapping[_Key, _Item]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Group:
    """Nodes that share one loop nest. What changes a group makes another one.

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

    space: tuple[Index, ...]
    split: int | None = None
    members: tuple[Member, ...] = ()
    results: Mapping[Tensor, Axes] = field(default_factory=_nothing)
    leaves: Mapping[Tensor, Axes] = field(default_factory=_nothing)
    inline: frozenset[Tensor] = frozenset()
    depths: Mapping[Tensor, int] = field(default_factory=_nothing)
    depth: int = 0

    @property
    def outer(self) -> tuple[int, ...]:
        """The outer axes."""
        return tuple(range(self.split or 0))

    def with_last(self, reduced: set[int]) -> tuple[Group, Mapping[int | None, int | None]]:
        """Return the group with some axes last, for one that has only points.

        Returns
        -------
        tuple
            The group, and for each axis its new number.
        """
        everything = range(len(self.space))
        order = sorted(everything, key=lambda axis: axis in reduced)
        new: dict[int | None, int | None] = {None: None, **{old: k for k, old in enumerate(order)}}

        def moved(axes: Axes) -> Axes:
            return tuple(new[axis] for axis in axes)

        group = replace(
            self,
            space=tuple(self.space[axis] for axis in order),
            members=tuple(Member(m.node, moved(m.axes), m.role) for m in self.members),
            results={value: moved(axes) for value, axes in self.results.items()},
            leaves={value: moved(axes) for value, axes in self.leaves.items()},
        )
        return group, new

    def nest(self, stores: tuple[Tensor, ...] = ()) -> Nest:
        """Return the nest of the group, which writes some of its results to memory."""
        computed = {member.result for member in self.members}
        results = {value: axes for value, axes in self.results.items() if value in computed}
        proxy = MappingProxyType(results)
        return Nest(self.space, self.split, self.members, proxy, stores, self.inline)


@dataclass(frozen=True, eq=False)
class OpGroup:
    """A node that works on whole arrays, with groups of what feeds it."""

    node: Apply
    feeds: Mapping[int, Group]

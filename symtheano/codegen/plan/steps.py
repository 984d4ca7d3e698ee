"""The steps of a schedule: loop nests with their members, and ops on whole arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, Protocol, TypeVar

from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply
from symtheano.loopir import Index
from symtheano.lowering import REDUCTIONS, Elementwise
from symtheano.tensor.variable import Tensor

_Key = TypeVar("_Key")
_Item = TypeVar("_Item")

Axes = tuple[int | None, ...]
Role = Literal["point", "row", "column", "full"]

VALUE = 1
"""Number of the input of a scatter that is added or stored."""


def _nothing() -> Mapping[_Key, _Item]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Source:
    """The source of a variable, through relabelled axes.

    Attributes
    ----------
    variable
        The source of the elements.
    axes
        For each axis of the variable, the source's axis; None if it is broadcast.
    """

    variable: Tensor
    axes: Axes


@dataclass(frozen=True, eq=False)
class Member:
    """A node in a nest.

    Attributes
    ----------
    node
        The node.
    axes
        For a point: the nest's axis of each axis of its result. For a reduction: of its operand.
    role
        ``point``, or by what the reduction leaves: ``row`` (a value per outer index), ``column``
        (one per inner index), ``full`` (one).
    """

    node: Apply
    axes: Axes
    role: Role

    @property
    def result(self) -> Tensor:
        """What it computes."""
        result: Tensor = self.node.outputs[0]
        return result

    @property
    def is_pointwise(self) -> bool:
        """Whether it reads its operands at the nest's index, and not anywhere."""
        return self.role != "point" or isinstance(self.node.op.lowering, Elementwise)


class Members(Protocol):
    """Members that share loops: of a :class:`Nest`, or of one that is being made."""

    @property
    def members(self) -> Sequence[Member]:
        """The members, each after those it needs."""

    @property
    def results(self) -> Mapping[Tensor, Axes]:
        """For each result that others may use, the loops' axis of each of its axes."""

    @property
    def inline(self) -> Collection[Tensor]:
        """Variables whose elements are computed inline."""


@dataclass(frozen=True, eq=False)
class Nest:
    """Nodes that share one loop nest.

    Attributes
    ----------
    space
        Lengths of the axes, from the outermost on.
    split
        Number of outer axes; None if all are inner.
    members
        The nodes, each after those it needs.
    results
        For each point and row result the nest's axis of each of its axes.
    stores
        Members' results that are written to memory.
    inline
        Variables whose elements are computed inline.
    """

    space: tuple[Index, ...]
    split: int | None = None
    members: tuple[Member, ...] = ()
    results: Mapping[Tensor, Axes] = field(default_factory=_nothing)
    stores: tuple[Tensor, ...] = ()
    inline: frozenset[Tensor] = frozenset()

    @property
    def outer(self) -> tuple[int, ...]:
        """The outer axes."""
        return tuple(range(self.split or 0))

    @property
    def inner(self) -> tuple[int, ...]:
        """The inner axes."""
        return tuple(range(self.split or 0, len(self.space)))


@dataclass(frozen=True, eq=False)
class OpStep:
    """A node that works on whole arrays: a library call, loops of its own, or Python.

    Attributes
    ----------
    node
        The node.
    feeds
        For ops that put values into a part of their result: by number of the input the members
        that make it element by element, where it is put. Without members it is read from memory.
    epilogue
        What the op's routine does with the rows of its result; see :mod:`.epilogue`.
    """

    node: Apply
    feeds: Mapping[int, Nest] = field(default_factory=_nothing)
    epilogue: Nest | None = None

    @property
    def replaced(self) -> Tensor | None:
        """The array that an epilogue makes in the place of the node's result."""
        if self.epilogue is None:
            return None
        dtype = self.node.outputs[0].dtype
        return next(stored for stored in self.epilogue.stores if stored.dtype == dtype)


Step = Nest | OpStep


def stored_by(step: Step) -> Sequence[Tensor]:
    """Return the variables that a step writes to memory."""
    if isinstance(step, OpStep):
        after = () if step.epilogue is None else step.epilogue.stores
        return [*after, *step.node.outputs]
    return step.stores


def is_unit(variable: Tensor) -> bool:
    """Return whether an array is known to have one element, and is computed like a scalar."""
    shape = variable.type.shape
    return shape.count(1) == len(shape)


def reduced_axes(node: Apply, axes: Axes) -> set[int]:
    """Return the nest's axes that a reduction removes, given those of its operand."""
    return {axis for a in axes_removed_by(node) if (axis := axes[a]) is not None}


def axes_removed_by(node: Apply) -> tuple[int, ...]:
    """Return the operand's axes that a reduction removes."""
    lowering = node.op.lowering
    assert isinstance(lowering, REDUCTIONS)
    return lowering.axes


def result_axes(member: Member) -> Axes:
    """Return the nest's axis of each axis of a member's result."""
    if member.role == "point":
        return member.axes
    removed = axes_removed_by(member.node)
    return tuple(axis for p, axis in enumerate(member.axes) if p not in removed)


def pairs(source: Source) -> Iterator[tuple[int, int | None]]:
    """Yield (axis that is shown, source's axis)."""
    return enumerate(source.axes)


def through(source: Source, axes: Axes) -> Axes:
    """Return the nest's axis of each axis of a source that shows along ``axes``."""
    placed: list[int | None] = [None] * source.variable.ndim
    for position, axis in pairs(source):
        if axis is not None and source.variable.type.shape[axis] != 1:
            placed[axis] = axes[position]
    return tuple(placed)

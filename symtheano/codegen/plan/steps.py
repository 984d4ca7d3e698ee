"""The steps of a schedule: loop nests with their members, and ops on whole arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply, Variable
from symtheano.loopir import Index
from symtheano.tensor.reductions.reduce import ArgReduce, CAReduce

Axes = tuple[int | None, ...]
Role = Literal["point", "row", "column", "full"]

VALUE = 1
"""Number of the input of a scatter that is added or stored."""


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

    variable: Any
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


@dataclass(eq=False)
class Nest:
    """Nodes that share one loop nest.

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
    results: dict[Variable, Axes] = field(default_factory=dict)
    stores: list[Any] = field(default_factory=list)
    leaves: dict[Variable, Axes] = field(default_factory=dict)
    inline: set[Variable] = field(default_factory=set)
    depths: dict[Variable, int] = field(default_factory=dict)
    depth: int = 0

    @property
    def outer(self) -> tuple[int, ...]:
        """The outer axes."""
        return tuple(range(self.split or 0))

    @property
    def inner(self) -> tuple[int, ...]:
        """The inner axes."""
        return tuple(range(self.split or 0, len(self.space)))


@dataclass(eq=False)
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
    feeds: dict[int, Nest] = field(default_factory=dict)
    epilogue: Nest | None = None


Step = Nest | OpStep


def is_unit(variable: Any) -> bool:
    """Return whether an array is known to have one element, and is computed like a scalar."""
    return all(length == 1 for length in variable.type.shape)


def result_axes(member: Member) -> Axes:
    """Return the nest's axis of each axis of a member's result."""
    op = member.node.op
    if isinstance(op, CAReduce):
        return tuple(axis for p, axis in enumerate(member.axes) if p not in op.axis)
    if isinstance(op, ArgReduce):
        return tuple(axis for p, axis in enumerate(member.axes) if p != op.axis)
    return member.axes


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

"""Shapes: lengths as indices over named integers, integers of nodes, and requirements on calls."""

from __future__ import annotations

from collections.abc import Mapping

from symtheano.dataclass import dataclass
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.loopir import Index
from symtheano.lowering import Length
from symtheano.tensor.variable import Dim, Tensor

Dims = tuple[Index, ...]


@dataclass(frozen=True, eq=False)
class Guard:
    """A requirement whose condition remains after rewriting.

    Attributes
    ----------
    node
        The node it protects.
    condition
        0-d bool variable.
    values
        Integers for the message.
    requirement
        Message and kind.
    """

    node: Apply
    condition: Tensor
    values: tuple[Dim, ...]
    requirement: Requirement

    @property
    def needed(self) -> list[Tensor]:
        """The variables that are needed to check it."""
        return [self.condition, *(v for v in self.values if not isinstance(v, int))]


@dataclass(frozen=True, eq=False)
class Shapes:
    """Lengths, guards and integers of every node of a final graph.

    Attributes
    ----------
    lengths
        The shape of each array under the names that hold when it is made.
    own
        The shape of each array as it is defined, also before any check.
    integers
        The integers which the code of a node asked for.
    guards
        What remains to be checked in a call.
    guard_of
        The guard of each condition.
    conditions
        The conditions that a node relies on.
    definitions
        What the names of integers stand for.
    symbols
        The name of each 0-d int64 variable that has one.
    axes
        The name of an array's own length along an axis, if it has one.
    """

    lengths: Mapping[Tensor, Dims]
    own: Mapping[Tensor, Dims]
    integers: Mapping[Apply, tuple[Index, ...]]
    guards: tuple[Guard, ...]
    guard_of: Mapping[Tensor, Guard]
    conditions: Mapping[Apply, tuple[Tensor, ...]]
    definitions: Mapping[str, Tensor]
    symbols: Mapping[Tensor, str]
    axes: Mapping[tuple[Tensor, int], str]

    def dims(self, variable: Tensor) -> Dims:
        """Return the shape of an array of the graph, or of a copy that the schedule makes."""
        try:
            return self.lengths[variable]
        except KeyError:
            return self._of_copy(variable) if variable.ndim else ()

    def _of_copy(self, variable: Tensor) -> Dims:
        """Return the shape of a copy of an array of the graph, or of its axes in another order."""
        nodes: list[Apply] = []
        while variable not in self.lengths:
            assert variable.owner is not None, "an array that is not in the graph"
            nodes.append(variable.owner)
            variable = variable.owner.inputs[0]
        dims = self.lengths[variable]
        for node in reversed(nodes):
            axes = node.op.lowering.axis_map(node) or range(len(dims))
            dims = tuple(Index.of(1) if axis is None else dims[axis] for axis in axes)
        return dims

    def length(self, node: Apply) -> Index:
        """Return the length that a ``Shape_i`` computes, also before any check."""
        assert isinstance(node.op.lowering, Length)
        return self.own[node.inputs[0]][node.op.lowering.axis]

    def length_names(self, node: Apply) -> list[str]:
        """Return the names of which the length that a ``Shape_i`` computes consists.

        There are none for an input, or for an array that must be computed to know its length.
        """
        return [*self.length(node).names()] if infers_lengths(node.inputs[0]) else []

    def scalars(self, node: Apply) -> tuple[Index, ...]:
        """Return the integers which the code of a node asked for."""
        return self.integers.get(node, ())

    def symbol_of(self, variable: Tensor) -> str | None:
        """Return the name of a 0-d int64 variable in indices, if it has one."""
        return self.symbols.get(variable)

    def length_name(self, variable: Tensor, axis: int) -> str | None:
        """Return the name of an array's own length along an axis, if indices hold it."""
        return self.axes.get((variable, axis))


def infers_lengths(variable: Tensor) -> bool:
    """Return whether the lengths of an array follow from those of others."""
    return variable.owner is not None and variable.owner.op.infers_shape

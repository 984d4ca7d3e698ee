"""Vectors divided into segments: the integer operations of sparse matrices.

``starts`` are the beginnings of segments: segment ``i`` is ``starts[i]:starts[i + 1]``. The
``indptr`` of a compressed matrix are the starts of its rows or columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Element, Statements
from symtheano.sparse import guards
from symtheano.sparse.places import add_at, gather
from symtheano.sparse.starts import SegmentOp, length
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.shapes.shape import as_dim, dim_value
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


class Starts(SegmentOp):
    """The beginnings of segments of given lengths and the end of the last; the end again, 0-d."""

    takes = "i1"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return an int64 vector that is longer by one, and a 0-d int64."""
        (count,) = inputs[0].type.shape
        more = None if count is None else count + 1
        return [TensorType("int64", (more,)), TensorType("int64", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """One more than there are segments."""
        return [(shapes[0][0] + 1,), ()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        ends = np.cumsum(inputs[0], dtype="int64")
        starts = output_storage[0][0] = np.concatenate([np.zeros(1, "int64"), ends])
        output_storage[1][0] = np.asarray(starts[-1])

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Add up one after the other."""
        total = b.declare("total", b.literal(0, "int64"))
        b.store(arrays.outputs[0], [0], total)
        with b.loop("i", arrays.inputs[0].shape[0]) as i:
            length = b.cast(b.load(arrays.inputs[0], [i]), "int64")
            b.assign(total, b.let("add", "int64", [total, length]))
            b.store(arrays.outputs[0], [i + 1], total)
        b.store(arrays.outputs[1], [], total)


class SegmentOf(SegmentOp):
    """The segment number of each element; inputs are starts and the number of elements."""

    takes = "j1 l0"

    def make_checked(self, *inputs: Any) -> Apply:
        """Check that the starts are those of as many elements."""
        starts, count = inputs
        return self.make_node(guards.segments(starts, count), count)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of the starts' dtype."""
        count = dim_value(inputs[1])
        return [TensorType(inputs[0].dtype, (count if isinstance(count, int) else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(dim_value(node.inputs[1]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        starts = inputs[0]
        segments = np.arange(len(starts) - 1, dtype=starts.dtype)
        output_storage[0][0] = np.repeat(segments, np.diff(starts))

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Fill the segments, which are divided among threads."""
        target = arrays.outputs[0]
        count, work = arrays.inputs[0].shape[0] - 1, target.shape[0] + arrays.inputs[0].shape[0]
        with b.loop("i", count, kind="parallel", work=work) as i:
            first, last = bounds(b, arrays.inputs[0], i)
            number = b.cast(b.operand(i), target.dtype)
            with b.loop("p", last, first) as p:
                b.store(target, [p], number)


class Grouped(SegmentOp):
    """The positions of elements, stably sorted by group.

    Inputs are the group of each element and the starts of the groups. The second result is the end
    of each group.
    """

    takes = "i1 j1"
    default_output = 0

    def make_checked(self, *inputs: Any) -> Apply:
        """Check that the groups are valid, and the starts those of the groups."""
        groups, starts = inputs
        count = length(guards.bare(starts)) - 1
        return self.make_node(guards.inside(groups, count), guards.tallied(starts, groups))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return int64 vectors, as long as the elements and as the groups."""
        (count,), (starts,) = inputs[0].type.shape, inputs[1].type.shape
        return [
            TensorType("int64", (count,)),
            TensorType("int64", (None if starts is None else starts - 1,)),
        ]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(shapes[0][0],), (shapes[1][0] - 1,)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.argsort(inputs[0], kind="stable").astype("int64")
        output_storage[1][0] = inputs[1][1:].astype("int64")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Append each element to its group."""
        (groups, starts), (order, ends) = arrays.inputs, arrays.outputs
        with b.loop("i", ends.shape[0], kind="simd") as i:
            b.store(ends, [i], b.load(starts, [i]))
        with b.loop("p", groups.shape[0]) as p:
            group = b.as_index(b.cast(b.load(groups, [p]), "int64"))
            place = b.load(ends, [group])
            b.store(order, [b.as_index(place)], b.operand(p))
            b.store(ends, [group], b.let("add", "int64", [place, b.literal(1, "int64")]))


class Runs(SegmentOp):
    """For each pair of integers, the number of previous changes of the pair.

    The second result is the number of runs of equal pairs.
    """

    takes = "i1 i1"

    def make_checked(self, *inputs: Any) -> Apply:
        """Check that the two have one length."""
        first, second = inputs
        return self.make_node(first, guards.one_each(second, first))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType("int64", inputs[0].type.shape), TensorType("int64", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0], ()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        first, second = inputs
        changed = np.zeros(first.shape, "int64")
        changed[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
        runs = output_storage[0][0] = np.cumsum(changed)
        output_storage[1][0] = np.asarray(runs[-1] + 1 if len(runs) else 0)

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Compare each pair with the one before."""
        run = b.declare("run", b.literal(-1, "int64"))
        with b.loop("p", arrays.inputs[0].shape[0]) as p:
            before = b.maximum(p - 1, 0, "before")
            new: Operand = b.let("eq", "bool", [b.operand(p), b.literal(0, "int64")])
            for view in arrays.inputs:
                differ = b.let("neq", "bool", [b.load(view, [p]), b.load(view, [before])])
                new = b.let("or_", "bool", [new, differ])
            b.assign(run, b.let("add", "int64", [run, b.cast(new, "int64")]))
            b.store(arrays.outputs[0], [p], run)
        b.store(arrays.outputs[1], [], b.let("add", "int64", [run, b.literal(1, "int64")]))


class Positions(SegmentOp):
    """Consecutive positions within segments: ``first[segment] + k`` for each element.

    Inputs are the first position of each segment, starts and the number of elements (0-d).
    """

    takes = "i1 j1 l0"

    def make_checked(self, *inputs: Any) -> Apply:
        """Check the starts, and that each segment has a first position."""
        first, starts, count = inputs
        first = guards.one_per_segment(first, starts)
        return self.make_node(first, guards.segments(starts, count), count)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        count = dim_value(inputs[2])
        return [TensorType("int64", (count if isinstance(count, int) else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(dim_value(node.inputs[2]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        first, starts, count = inputs
        shifts = np.repeat(first - starts[:-1], np.diff(starts))
        output_storage[0][0] = np.asarray(np.arange(count) + shifts, "int64")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Count on in the segments, which are divided among threads."""
        firsts, starts, _ = arrays.inputs
        work = arrays.outputs[0].shape[0] + starts.shape[0]
        with b.loop("i", firsts.shape[0], kind="parallel", work=work) as i:
            first, last = bounds(b, starts, i)
            begin = b.as_index(b.cast(b.load(firsts, [i]), "int64"))
            with b.loop("p", last, first) as p:
                b.store(arrays.outputs[0], [p], b.operand(begin + p - first))


class Filled(SegmentOp):
    """A vector filled with a number; the input is its length (0-d), known to be nonnegative."""

    __props__ = ("value", "dtype")
    takes = "l0"

    def __init__(self, value: int, dtype: str) -> None:
        self.value, self.dtype = value, dtypes.canonical(dtype)
        np.array(value, self.dtype)  # the number is one of the dtype

    def make_checked(self, *inputs: Any) -> Apply:
        """Use an op that checks the length."""
        return guards.repeated(self.value, self.dtype, inputs[0])

    def infer(self, *inputs: Any) -> Sequence[Any]:
        count = dim_value(inputs[0])
        return [TensorType(self.dtype, (count if isinstance(count, int) else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(dim_value(node.inputs[0]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.full(int(inputs[0]), self.value, self.dtype)

    @Element
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        return b.cast(b.literal(self.value, "int64"), self.dtype)


def bounds(b: Builder, starts: View, segment: Index) -> tuple[Index, Index]:
    """Load where a segment begins and ends."""
    first, last = (b.cast(b.load(starts, [at]), "int64") for at in (segment, segment + 1))
    return b.as_index(first), b.as_index(last)


# -- what is made of them ------------------------------------------------------------------------


def filled(value: int, count: Any, dtype: str) -> Any:
    """Return a number ``count`` times."""
    return Filled(value, dtype)(as_dim(count))


def starts_of(lengths: Any) -> tuple[Any, Any]:
    """Return where segments of these lengths begin, and the last ends; that end alone, too."""
    starts, total = Starts()(lengths)
    return starts, total


def segment_of(starts: Any, count: Any) -> Any:
    """Return for each of ``count`` elements the number of its segment."""
    return SegmentOf()(starts, as_dim(count))


def tally(groups: Any, count: Any) -> Any:
    """Return how many elements each of ``count`` groups has."""
    return add_at(groups, constant([1], dtype="int64"), count)


def group(groups: Any, count: Any) -> tuple[Any, Any]:
    """Return the elements' positions ordered by group, and the starts of ``count`` groups."""
    starts, _ = starts_of(tally(groups, count))
    return Grouped()(groups, starts), starts


def nonzero(mask: Any) -> tuple[Any, Any]:
    """Return the positions where a vector is true, and how many are true before each position."""
    before, count = starts_of(cast(mask, "int8"))
    return segment_of(before, count), before


def select(segments: Any, starts: Any) -> tuple[Any, Any, Any]:
    """Return the elements of some segments, known to exist, one segment after the other.

    Returns
    -------
    For each element the place of its segment in ``segments``, and its old position; then the
    starts of the new segments.
    """
    first, last = (cast(gather(part, segments), "int64") for part in (starts[:-1], starts[1:]))
    lengths = last - first
    new, count = starts_of(lengths)
    return segment_of(new, count), Positions()(first, new, count), new


def runs(first: Any, second: Any) -> tuple[Any, Any]:
    """Return for each pair of integers how often it changed before, and the number of runs."""
    places, count = Runs()(first, second)
    return places, count

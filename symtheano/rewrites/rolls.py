"""Arrays that are rolled several times, as in periodic stencils."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import (
    computed_by,
    dim_of,
    inputs_of,
    real_value,
    same_dim,
)
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.subtensor import items_of
from symtheano.scalar import table as scalar
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.join import Join, join
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.variable import Dim, Tensor

_FARTHEST = 16
"""By how many elements arrays are rolled at most."""
_READING = (Elemwise, DimShuffle, CAReduce)
"""Ops that read elements where they are."""


@dataclass(frozen=True)
class _Turn:
    """An array that is rolled along an axis: its elements from ``start`` on come first.

    ``places`` is the number of elements by which it is rolled to the left, or, if it is negative,
    to the right, where the axis is longer than that.
    """

    axis: int
    start: Dim
    places: int


@dataclass(frozen=True)
class _Rolled:
    """What a node computes: ``root``, rolled along some axes, each one once."""

    root: Tensor
    turns: tuple[_Turn, ...]


@graph_rule("expand", numerics="exact", tracks=[Join])
def rolls_as_shifted_reads(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """``roll(x, 1), roll(x, -1)`` are parts of one array: x between its last and first element.

    Along other axes than the last one, rows are selected by their numbers. Both are read where they
    are used, so that a stencil on a ring or torus is one loop. Only where that copies less often.
    """
    rolled: dict[Variable, _Rolled] = {}
    for node in nodes:
        turn = _turn(node)
        if turn is None:
            continue
        x = node.inputs[0].owner.inputs[0]
        inner = rolled.get(x, _Rolled(x, ()))
        if any(other.axis == turn.axis for other in inner.turns):
            inner = _Rolled(x, ())
        rolled[node.outputs[0]] = _Rolled(inner.root, (*inner.turns, turn))
    readers: dict[Variable, list[Apply]] = defaultdict(list)
    for node in nodes if rolled else ():
        for x in node.inputs:
            if x in rolled:
                readers[x].append(node)
    groups: dict[Tensor, dict[Variable, tuple[_Turn, ...]]] = {}
    for y, one in rolled.items():
        if y not in outputs and all(isinstance(node.op, _READING) for node in readers[y]):
            groups.setdefault(one.root, {})[y] = one.turns
    return {y: part for root, group in groups.items() for y, part in _parts(root, group).items()}


def _turn(node: Apply) -> _Turn | None:
    """Return by what a node rolls the array of its slices, if it does, by few elements."""
    if not isinstance(node.op, Join) or len(node.inputs) != 2:
        return None
    first, second = node.inputs
    if not (computed_by(first, Subtensor) and computed_by(second, Subtensor)):
        return None
    x, axis = first.owner.inputs[0], node.op.axis
    (*whole, begin), (*others, end) = items_of(first.owner), items_of(second.owner)
    if second.owner.inputs[0] is not x or not whole == others == [slice(None)] * axis:
        return None
    if not isinstance(begin, slice) or begin.start is None:
        return None
    start: Dim = begin.start
    if begin != slice(start, None, None) or end != slice(None, start, None):
        return None
    places = _places(start, dim_of(x, axis))
    return _Turn(axis, start, places) if places and abs(places) <= _FARTHEST else None


def _places(start: Dim, length: Dim) -> int | None:
    """Return by how many elements an array of any length is rolled to the left, or None."""
    if isinstance(start, int):
        if not isinstance(length, int):
            return start
        start = max(start + length, 0) if start < 0 else min(start, length)
        return start if 2 * start <= length else start - length
    terms = inputs_of(start, scalar.sub)
    if terms is not None and same_dim(dim_value(terms[0]), length):
        right = _remainder(terms[1], length)
        return None if right is None else -right
    return _remainder(start, length)


def _remainder(places: Tensor, length: Dim) -> int | None:
    """Return the number whose remainder, in a division by a length, this is, or None."""
    terms = inputs_of(places, scalar.mod)
    value = None if terms is None else real_value(terms[0])
    longest = None if terms is None else inputs_of(terms[1], scalar.maximum)
    if value is None or longest is None or real_value(longest[1]) != 1:
        return None
    return int(value) if same_dim(dim_value(longest[0]), length) else None


def _parts(
    root: Tensor, group: Mapping[Variable, tuple[_Turn, ...]]
) -> Mapping[Variable, Variable]:
    """Return what reads the elements of rolled arrays, for those that it copies less often."""
    last = root.ndim - 1
    along = {turn for turns in group.values() for turn in turns if turn.axis == last}
    wide: Tensor | None = None
    before: Dim = 0
    if len(along) > 1:
        places = [turn.places for turn in along]
        before = _at_most(max(0, -min(places)), dim_of(root, last))
        wide = _continued(root, before, max(0, *places))
    parts: dict[Variable, Variable] = {}
    for y, turns in group.items():
        part = root
        for turn in sorted(turns, key=lambda turn: -turn.axis):
            n = dim_of(root, turn.axis)
            if turn.axis < last:
                count = max(n, 1) if isinstance(n, int) else scalar.maximum(n, 1)
                numbers = (arange(n) + _offset(turn, n)) % count
                part = AdvancedSubtensor(turn.axis)(part, numbers)
            elif wide is None:
                part = join(last, *(getitem(root, (..., piece)) for piece in _pieces(turn)))
            else:
                start = before + _offset(turn, n)
                part = getitem(wide, (..., slice(start, start + n)))
        if wide is not None or any(turn.axis < last for turn in turns):
            parts[y] = part
    return parts


def _pieces(turn: _Turn) -> tuple[slice, slice]:
    return slice(turn.start, None), slice(None, turn.start)


def _continued(x: Tensor, before: Dim, after: int) -> Tensor:
    """Return an array with its last elements before it, and its first ones after it."""
    axis = x.ndim - 1
    pieces = [x]
    if not isinstance(before, int) or before:
        pieces.insert(0, getitem(x, (..., slice(dim_of(x, axis) - before, None))))
    if after:
        pieces.append(getitem(x, (..., slice(None, after))))
    return join(axis, *pieces)


def _offset(turn: _Turn, length: Dim) -> Dim:
    """Return where a rolled array begins in the array, or, if it is negative, before it."""
    start, places = turn.start, turn.places
    if isinstance(length, int):
        return places
    if isinstance(start, int):
        return _at_most(places, length) if places > 0 else -_at_most(-places, length)
    return start if places > 0 else start - length


def _at_most(places: int, length: Dim) -> Dim:
    if isinstance(length, int):
        return min(places, length)
    return scalar.minimum(places, length) if places else 0

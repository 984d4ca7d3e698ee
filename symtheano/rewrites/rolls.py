"""Arrays that are rolled several times, as in periodic stencils."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

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
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.join import Join, join
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.variable import Dim, Tensor

if TYPE_CHECKING:
    from symtheano.rewrites.match import Computed

_FARTHEST = 16
"""By how many elements arrays are rolled at most."""


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

    They are read where they are used, so that a stencil on a ring or torus is one loop. Only where
    that copies less often.
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
    groups: dict[Tensor, dict[Variable, tuple[_Turn, ...]]] = {}
    for y, one in rolled.items():
        groups.setdefault(one.root, {})[y] = one.turns
    return {
        y: part
        for root, group in groups.items()
        for y, part in _parts(root, group, outputs).items()
    }


def _turn(node: Apply) -> _Turn | None:
    """Return by what a node rolls the array of its slices, if it does, by few elements."""
    if not isinstance(node.op, Join) or len(node.inputs) != 2:
        return None
    first, second = node.inputs
    if not (computed_by(first, Subtensor) and computed_by(second, Subtensor)):
        return None
    x, axis = first.owner.inputs[0], node.op.axis
    begin, end = _slice_along(first, axis), _slice_along(second, axis)
    if second.owner.inputs[0] is not x or begin is None or end is None:
        return None
    start = begin.start
    parts = begin == slice(start, None, None) and end == slice(None, start, None)
    places = None if start is None or not parts else _places(start, dim_of(x, axis))
    if places is None or not 0 < abs(places) <= _FARTHEST:
        return None
    return _Turn(axis, start, places)


def _slice_along(part: Computed[Subtensor], axis: int) -> slice | None:
    """Return the slice of a part along an axis; None if there are others."""
    items = items_of(part.owner)
    whole = all(item == slice(None) for item in items[:-1])
    last = items[-1]
    return last if whole and len(items) == axis + 1 and isinstance(last, slice) else None


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
    root: Tensor, group: Mapping[Variable, tuple[_Turn, ...]], outputs: Collection[Variable]
) -> Mapping[Variable, Variable]:
    """Return the parts of one array that rolled ones are, if that copies less often."""
    turns = [turn for each in group.values() for turn in each]
    axes = sorted({turn.axis for turn in turns})
    if sum(y not in outputs for y in group) <= len(axes):
        return {}
    lengths = {axis: dim_of(root, axis) for axis in axes}
    before: dict[int, Dim] = {}
    wide = root
    for axis in axes:
        places = [turn.places for turn in turns if turn.axis == axis]
        before[axis] = _at_most(max(0, -min(places)), lengths[axis])
        wide = _continued(wide, axis, lengths[axis], before[axis], max(0, *places))
    parts: dict[Variable, Variable] = {}
    for y, each in group.items():
        items = [slice(None)] * root.ndim
        for turn in each:
            n = lengths[turn.axis]
            start = before[turn.axis] + _offset(turn, n)
            items[turn.axis] = slice(start, start + n)
        for axis in axes:
            if items[axis] == slice(None):
                items[axis] = slice(before[axis], before[axis] + lengths[axis])
        parts[y] = getitem(wide, tuple(items))
    return parts


def _continued(x: Tensor, axis: int, length: Dim, before: Dim, after: int) -> Tensor:
    """Return an array with its last elements before it, and its first ones after it."""
    whole = [slice(None)] * axis
    pieces = [x]
    if not isinstance(before, int) or before:
        pieces.insert(0, getitem(x, (*whole, slice(length - before, None))))
    if after:
        pieces.append(getitem(x, (*whole, slice(None, after))))
    return join(axis, *pieces)


def _offset(turn: _Turn, length: Dim) -> Dim:
    """Return where a rolled array begins, relative to the array that is continued at its ends."""
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

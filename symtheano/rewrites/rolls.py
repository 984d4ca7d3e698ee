"""Arrays whose elements are moved cyclically along an axis."""

from __future__ import annotations

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, dim_of
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.subtensor import items_of
from symtheano.scalar import table as scalar
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.rolling import Roll
from symtheano.tensor.shapes.shape import as_dim, dim_value
from symtheano.tensor.variable import Dim

_FARTHEST = 2**60
"""Numbers of places that are added to others are below this."""


@rule("canonicalize", tracks=[Roll])
def roll_by_nothing(node: Apply) -> Replacement:
    """Along an axis of length 0 or 1, or by no places, elements stay where they are."""
    x, places = node.inputs
    length = x.type.shape[node.op.axis]  # type: ignore[attr-defined]
    return x if dim_value(places) == 0 or length in (0, 1) else None


@rule("canonicalize", tracks=[Roll], operands=[Roll])
def roll_of_roll(node: Apply) -> Replacement:
    """Elements that are moved twice along an axis are moved by the sum."""
    x, places = node.inputs
    if not computed_by(x, Roll) or x.owner.op != node.op:
        return None
    source, first = x.owner.inputs
    numbers = [dim_value(first), dim_value(places)]
    if not all(isinstance(n, int) and -_FARTHEST < n < _FARTHEST for n in numbers):
        return None
    return Roll(x.owner.op.axis)(source, as_dim(sum(numbers)))


@rule("canonicalize", tracks=[Join], operands=[Subtensor])
def roll_of_parts(node: Apply) -> Replacement:
    """The end of an array, followed by what comes before it, is the array moved cyclically."""
    axis: int = node.op.axis  # type: ignore[attr-defined]
    if len(node.inputs) != 2 or not all(computed_by(part, Subtensor) for part in node.inputs):
        return None
    first, second = (part.owner for part in node.inputs)
    (*whole, begin), (*others, end) = items_of(first), items_of(second)
    x = first.inputs[0]
    if second.inputs[0] is not x or not whole == others == [slice(None)] * axis:
        return None
    if not isinstance(begin, slice) or begin.start is None:
        return None
    start: Dim = begin.start
    if begin != slice(start, None, None) or end != slice(None, start, None):
        return None
    return Roll(axis)(x, as_dim(_backwards(start, dim_of(x, axis))))


def _backwards(start: Dim, length: Dim) -> Dim:
    """Return by how many places elements are moved if the one at a slice's bound is the first."""
    if isinstance(start, int) and isinstance(length, int):
        return -(max(start + length, 0) if start < 0 else min(start, length))
    if isinstance(start, int) and start < 0:
        return scalar.minimum(-start, length)
    at = scalar.minimum(start, length)
    if not isinstance(start, int):
        at = scalar.maximum(scalar.switch(scalar.lt(start, 0), start + length, at), 0)
    return -at


@rule("canonicalize", tracks=[Subtensor], operands=[Roll])
def part_of_roll(node: Apply) -> Replacement:
    """A part without the elements that went around the end is a part of the array itself.

    Examples are the differences of neighbours, ``(roll(x, -1) - x)[:-1]``.
    """
    y = node.inputs[0]
    if not computed_by(y, Roll):
        return None
    x, moved = y.owner.inputs
    axis, places = y.owner.op.axis, dim_value(moved)
    items = items_of(node)
    item = items[axis] if axis < len(items) else slice(None)
    if isinstance(item, slice):
        part = _unmoved(item, places)
        if part is None:
            return None
        return getitem(x, (*items[:axis], part, *items[axis + 1 :]))
    return None


def _unmoved(part: slice, places: Dim) -> slice | None:
    """Return the slice of an array that has the elements of a slice of the moved one, or None."""
    start, stop = part.start, part.stop
    if not isinstance(places, int) or part.step not in (None, 1):
        return None
    if places > 0 and isinstance(start, int) and start >= places and stop is None:
        return slice(start - places, -places)
    if places < 0 and start is None and isinstance(stop, int) and stop <= places:
        return slice(-places, None if stop == places else stop - places)
    return None

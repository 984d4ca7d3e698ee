"""Index arrays of one key, broadcast to one shape by the lengths that a call brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.call_broadcast import broadcast_in_call, joint_length
from symtheano.tensor.shapes.shape import shape_of


def broadcast_indices(arrays: Sequence[Any]) -> list[Any]:
    """Return index arrays of the same number of dimensions, repeated where a call requires it.

    Where static lengths decide, nothing is done. ``arange(n)`` is not repeated, because the gather
    beside it selects one item per row, and rules recognize it by that.
    """
    owners = {id(array.owner) if array.owner is not None else id(array) for array in arrays}
    if len(owners) == 1:  # such as the results of one nonzero
        return [*arrays]
    shapes = [shape_of(array) for array in arrays]
    rows = [array for array in arrays if _counts(array)]
    joint = [
        joint_length(lengths) if sum(not _is_one(n) for n in lengths) > 1 else None
        for lengths in zip(*shapes, strict=True)
    ]
    for array in rows:
        for axis, length in enumerate(shape_of(array)):
            if not _is_one(length) and joint[axis] is not None:
                joint[axis] = length
    return [
        array if any(array is row for row in rows) else broadcast_in_call("indexing", array, joint)
        for array in arrays
    ]


def _is_one(length: Any) -> bool:
    return isinstance(length, int) and length == 1


def _counts(array: Any) -> bool:
    """Return whether an index array is a range, perhaps with axes added."""
    while array.owner is not None and (
        isinstance(array.owner.op, DimShuffle)
        or (isinstance(array.owner.op, Elemwise) and len(array.owner.inputs) == 1)
    ):
        array = array.owner.inputs[0]
    return array.owner is not None and isinstance(array.owner.op, ARange)

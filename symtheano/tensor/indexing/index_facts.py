"""Properties of index arrays that are known before they are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.lifted import Lifted
from symtheano.graph.variable import Constant
from symtheano.lowering import SAME_AXES
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.nonzeros import Nonzero
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import dim_value

_IN_INT64 = (*dtypes.SIGNED, "bool", "uint8", "uint16", "uint32")
"""Dtypes of discrete numbers that int64 can hold."""

_MOST_SHIFTED = 1 << 31
"""The largest number that :func:`without_shift` takes off."""


def known_elements(array: Any) -> Any:
    """Return an array with the elements of a constant, also with axes reordered, or None."""
    while array.owner is not None and isinstance(array.owner.op, DimShuffle):
        array = array.owner.inputs[0]
    return array.data if isinstance(array, Constant | Lifted) else None


def counter_of(array: Any) -> Any:
    """Return the node if an array is an ``arange`` of integers that do not wrap around, or None.

    In an ``arange`` of a narrow dtype, what follows its largest number is negative.
    """
    owner = array.owner
    if owner is None or not isinstance(owner.op, ARange) or owner.op.dtype != "int64":
        return None
    fits = all(item.dtype in _IN_INT64 for item in owner.inputs)
    return owner if fits else None


def never_negative(array: Any) -> bool:
    """Return whether an index array has no negative elements."""
    elements = known_elements(array)
    if elements is not None:
        return bool((elements >= 0).all())
    while array.owner is not None and isinstance(array.owner.op, DimShuffle):
        array = array.owner.inputs[0]
    if positions_below(array) is not None:
        return True
    counter = counter_of(array)
    if counter is None:
        return False
    start, _, step = counter.inputs
    return all(isinstance(item, Constant) and item.data.item() >= 0 for item in (start, step))


def positions_below(array: Any) -> Any:
    """Return the length of the axis whose positions an array contains, also for parts of it."""
    while array.owner is not None and isinstance(array.owner.op, DimShuffle | Reshape | Subtensor):
        array = array.owner.inputs[0]
    if array.owner is None:
        return None
    return array.owner.op.positions_below(array.owner, array.index)


def distinct(arrays: Sequence[Any]) -> bool:
    """Return whether index arrays are known to select no element twice."""
    if all(set(array.type.shape) <= {1} for array in arrays):
        return True
    for array in arrays:
        if array.ndim > 1 or array.type.shape == (1,):
            continue
        if isinstance(array, Constant):
            if never_negative(array) and len(np.unique(array.data)) == array.data.size:
                return True
        elif counter_of(array) is not None:
            return never_negative(array)
        elif array.owner is not None and isinstance(array.owner.op, Nonzero):
            used = {id(item) for item in arrays}
            return used >= {id(item) for item in array.owner.outputs}
    return False


def without_checks(array: Any) -> Any:
    """Return the array that others are views of, of the same shape, after checks."""
    while array.owner is not None and array.owner.op.lowering is SAME_AXES:
        array = array.owner.inputs[0]
    return array


def without_shift(array: Any) -> tuple[Any, int]:
    """Return an array, and the number that is added to each of its elements to give another one.

    Sums that wrap around count as if int64 had more digits, so only tests of small numbers may use
    this: an index that wraps around is beyond all axes before the number is added.
    """
    shift = 0
    while array.owner is not None and array.dtype == "int64":
        op = array.owner.op
        if not isinstance(op, Elemwise) or op.scalar_op.name not in ("add", "sub"):
            break
        first, second = array.owner.inputs
        if op.scalar_op.name == "add" and known_elements(first) is not None:
            first, second = second, first
        number = known_elements(second)
        if number is None or number.size != 1 or first.dtype != "int64" or first.ndim < array.ndim:
            break
        value = int(number.item()) * (1 if op.scalar_op.name == "add" else -1)
        if abs(shift + value) > _MOST_SHIFTED:
            break
        array, shift = first, shift + value
    return array, shift


def counts_from_zero(array: Any) -> bool:
    """Return whether an index array is ``arange(n)`` for some n."""
    counter = counter_of(array)
    if counter is None:
        return False
    return bool(dim_value(counter.inputs[0]) == 0 and dim_value(counter.inputs[2]) == 1)


def surely_inside(array: Any, length: Any) -> bool:
    """Return whether all elements of an index array are known to be within an axis."""
    elements = known_elements(array)
    if elements is not None:
        within = isinstance(length, int) and ((elements >= -length) & (elements < length)).all()
        return bool(within or not elements.size)
    while array.owner is not None and isinstance(array.owner.op, DimShuffle):
        array = array.owner.inputs[0]
    counter = counter_of(array)
    if counter is None or not never_negative(array):
        return False
    stop, step = dim_value(counter.inputs[1]), dim_value(counter.inputs[2])
    return step == 1 and (stop is length or (isinstance(stop, int) and stop == length))

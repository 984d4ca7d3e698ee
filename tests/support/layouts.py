"""One array in every layout that NumPy can give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def layouts(array: Array) -> Iterator[tuple[str, Array]]:
    """Yield (name, array) of equal values, each laid out in another way."""
    yield "contiguous", np.array(array, order="C")
    yield "Fortran", np.array(array, order="F")
    if array.ndim:
        yield "strided", strided(array)
        yield "negative strides", reversed_strides(array)
        yield "padded rows", padded(array)
    yield "misaligned", misaligned(array)
    if array.dtype.itemsize > 1:
        yield "byte-swapped", array.astype(array.dtype.newbyteorder())
    fixed = array.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed


def laid_out(array: Array, layout: str) -> Array:
    """Return the array in a layout, or unchanged if it has no such layout."""
    return dict(layouts(array)).get(layout, array)


def strided(array: Array) -> Array:
    """Return every second element of a larger array."""
    large = np.zeros([2 * n for n in array.shape], array.dtype)
    part = large[(slice(None, None, 2),) * array.ndim]
    part[...] = array
    return part


def reversed_strides(array: Array) -> Array:
    """Return the array, stored back to front along every axis."""
    backwards = (slice(None, None, -1),) * array.ndim
    return np.array(array[backwards], order="C")[backwards]


def padded(array: Array) -> Array:
    """Return the array as the inside of a larger one."""
    large = np.zeros([n + 3 for n in array.shape], array.dtype)
    part = large[tuple(slice(1, 1 + n) for n in array.shape)]
    part[...] = array
    return part


def misaligned(array: Array) -> Array:
    """Return the array, one byte off its alignment."""
    memory = np.zeros(array.nbytes + 1, "uint8")
    moved = memory[1:].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def repeated(array: Array, axis: int) -> Array:
    """Return the array's first items along an axis, repeated there by a stride of zero."""
    first = array[(slice(None),) * axis + (slice(0, 1),)]
    return np.broadcast_to(first, array.shape)


LAYOUTS = [name for name, _ in layouts(np.zeros(1))]

"""Pooling in NumPy: the definition that compiled code is compared with.

The last axes of all arrays have windows. Elements are combined in the order of compiled code: those
of a window's rows first, then along the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from symtheano.tensor.signal.pooling.windows import Windows

Array = np.ndarray[Any, Any]


def counts(at: Windows, image: tuple[int, ...], with_border: bool) -> list[Array]:
    """Return the number of elements of each window along each axis."""
    sizes = []
    for axis, length in enumerate(image):
        pad = at.pad[axis]
        first = np.arange(at.length(axis, length)) * at.stride[axis] - pad
        low, high = (-pad, length + pad) if with_border else (0, length)
        end = np.minimum(first + at.ws[axis], high)
        sizes.append(end - np.maximum(first, low))
    return sizes


def average_sizes(at: Windows, image: tuple[int, ...], mode: str, dtype: Any) -> Array:
    """Return the numbers by which sums are divided."""
    sizes = np.ones((1,) * at.dims, dtype)
    if mode != "sum":
        along = counts(at, image, mode == "average_inc_pad")
        for axis, count in enumerate(along):
            sizes = sizes * count.astype(dtype).reshape(-1, *[1] * (at.dims - 1 - axis))
    return sizes


def combined(x: Array, at: Windows, largest: bool) -> Array:
    """Return the largest elements or the sums of windows."""
    combine: Any = np.add
    nothing = -np.zeros((), x.dtype)
    if largest:
        least = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        combine, nothing = np.maximum, np.asarray(least, x.dtype)
    split = at.dims - 1
    for axes in (range(split), range(split, at.dims)):
        if axes:
            image = x.shape[x.ndim - at.dims :]
            lengths = at.lengths(image)
            shape = [n if axis in axes else image[axis] for axis, n in enumerate(lengths)]
            y = np.full((*x.shape[: x.ndim - at.dims], *shape), nothing)
            for places, elements in _meetings(at, axes, image):
                y[places] = combine(y[places], x[elements])
            x = y
    return x


def spread(g: Array, at: Windows, image: tuple[int, ...]) -> Array:
    """Return the sum of ``g`` over the windows of each element."""
    sums = np.zeros((*g.shape[: g.ndim - at.dims], *image), g.dtype)
    for places, elements in _meetings(at, range(at.dims), image):
        sums[elements] += g[places]
    return sums


def largest_image(x: Array, y: Array, g: Array, at: Windows) -> Array:
    """Return the gradient of the largest elements: for each that is equal to a window's largest."""
    gradient = np.zeros_like(x)
    for places, elements in _meetings(at, range(at.dims), x.shape[x.ndim - at.dims :]):
        gradient[elements] += np.where(
            x[elements] == y[places], g[places], np.zeros_like(g[places])
        )
    return gradient


def largest_tangent(x: Array, y: Array, v: Array, at: Windows) -> Array:
    """Return the sum of ``v`` over the elements of a window that are equal to its largest."""
    tangent = np.zeros_like(y)
    for places, elements in _meetings(at, range(at.dims), x.shape[x.ndim - at.dims :]):
        met = v[elements]
        tangent[places] += np.where(x[elements] == y[places], met, np.zeros_like(met))
    return tangent


Slices = tuple[Any, ...]


def _meetings(at: Windows, axes: range, image: Sequence[int]) -> Iterator[tuple[Slices, Slices]]:
    """Yield, for each element of a window along some axes, the windows in which it is in the image.

    The second one is where it is then. Other axes are whole.
    """
    along = [_along(at, axis, image[axis]) if axis in axes else [_WHOLE] for axis in range(at.dims)]
    for pairs in product(*along):
        places, elements = zip(*pairs, strict=True)
        yield (..., *places), (..., *elements)


_WHOLE = (slice(None), slice(None))


def _along(at: Windows, axis: int, length: int) -> Iterator[tuple[slice, slice]]:
    """Yield the meetings along one axis, for ascending elements of a window."""
    stride, count = at.stride[axis], at.length(axis, length)
    for k in _taps(at, axis, length):
        first = k - at.pad[axis]
        begin, end = max(-(first // stride), 0), min(-((first - length) // stride), count)
        if begin < end:
            start = begin * stride + first
            yield slice(begin, end), slice(start, start + (end - begin) * stride, stride)


def _taps(at: Windows, axis: int, length: int) -> Iterator[int]:
    """Yield the elements of windows that are in the image in any window, and perhaps others."""
    stride, count = at.stride[axis], at.length(axis, length)
    apart = stride > length  # what two windows have of the image is not the same then
    for t in range(count - 1, -1, -1 if apart else -max(count, 1)):
        begin = at.pad[axis] - t * stride
        end = begin + length if apart else at.pad[axis] + length
        yield from range(max(begin, 0), min(end, at.ws[axis]))

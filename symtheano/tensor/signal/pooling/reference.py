"""Pooling in NumPy: the definition that compiled code is compared with.

The last axes of all arrays have windows. Elements are combined in the order of compiled code: those
of a window's rows first, then along the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from symtheano.tensor.signal.pooling.windows import Windows

Array = np.ndarray[Any, Any]


def counts(at: Windows, image: tuple[int, ...], with_border: bool) -> list[Array]:
    """Return the number of elements of each window along each axis."""
    found = []
    for axis, length in enumerate(image):
        pad = at.pad[axis]
        first = np.arange(at.length(axis, length)) * at.stride[axis] - pad
        low, high = (-pad, length + pad) if with_border else (0, length)
        end = np.minimum(first + at.ws[axis], high)
        found.append(end - np.maximum(first, low))
    return found


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
    fill: Any = 0
    if largest:
        fill = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    made = _padded(x, at, fill)
    lengths = at.lengths(x.shape)[x.ndim - at.dims :]
    combine = np.maximum if largest else np.add
    split = at.dims - 1
    for axes in (range(split), range(split, at.dims)):
        if axes:
            taps = [made[met] for met in _taps(at, axes, lengths)]
            made = taps[0]
            for other in taps[1:]:
                made = combine(made, other)
    return np.ascontiguousarray(made)


def spread(g: Array, at: Windows, image: tuple[int, ...]) -> Array:
    """Return the sum of ``g`` over the windows of each element."""
    made = _padded(np.zeros((*g.shape[: g.ndim - at.dims], *image), g.dtype), at, 0)
    for met in _taps(at, range(at.dims), g.shape[g.ndim - at.dims :]):
        made[met] += g
    return np.ascontiguousarray(made[_inside(at, image)])


def largest_image(x: Array, y: Array, g: Array, at: Windows) -> Array:
    """Return the gradient of the largest elements: for each that is equal to a window's largest."""
    image = x.shape[x.ndim - at.dims :]
    padded = _padded(x, at, 0)
    # Elements of the border count for nothing, whatever they are equal to.
    made = np.zeros_like(padded)
    for met in _taps(at, range(at.dims), y.shape[y.ndim - at.dims :]):
        made[met] += np.where(padded[met] == y, g, np.zeros_like(g))
    return np.ascontiguousarray(made[_inside(at, image)])


def largest_tangent(x: Array, y: Array, v: Array, at: Windows) -> Array:
    """Return the sum of ``v`` over the elements of a window that are equal to its largest."""
    made = np.zeros_like(y)
    px, pv = _padded(x, at, 0), _padded(v, at, 0)
    for met in _taps(at, range(at.dims), y.shape[y.ndim - at.dims :]):
        made += np.where(px[met] == y, pv[met], np.zeros_like(made))
    return made


def _padded(x: Array, at: Windows, fill: Any) -> Array:
    """Return an array that has all elements of all windows."""
    front, image = x.shape[: x.ndim - at.dims], x.shape[x.ndim - at.dims :]
    places = at.lengths(image)
    lengths = [
        max(pad + length, (t - 1) * stride + ws if t else 0)
        for pad, length, t, stride, ws in zip(
            at.pad, image, places, at.stride, at.ws, strict=True
        )
    ]  # fmt: skip
    padded = np.full((*front, *lengths), fill, x.dtype)
    padded[_inside(at, image)] = x
    return padded


def _inside(at: Windows, image: tuple[int, ...]) -> tuple[Any, ...]:
    starts = zip(at.pad, image, strict=True)
    return (..., *(slice(pad, pad + length) for pad, length in starts))


def _taps(at: Windows, axes: range, lengths: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield, for each element of a window along some axes, where all windows have it."""
    for tap in np.ndindex(*(at.ws[axis] for axis in axes)):
        met: list[Any] = [slice(None)] * at.dims
        for axis, k in zip(axes, tap, strict=True):
            stride = at.stride[axis]
            met[axis] = slice(k, k + lengths[axis] * stride, stride)
        yield (..., *met)

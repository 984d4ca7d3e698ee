"""Convolution in NumPy: the definition that compiled code is compared with.

All functions work for any number of axes. ``x`` is an image (items, channels, *lengths), ``w`` a
filter (filters, channels of a group, *lengths), and ``y`` the result (items, filters, *positions).
Unshared filters have their positions before the channels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from symtheano.dataclass import dataclass

Array = np.ndarray


@dataclass(frozen=True)
class Windows:
    """Numbers that describe the windows that a filter meets, one for each axis but ``groups``.

    Attributes
    ----------
    image, kernel, output
        Lengths of the image and of the filter, and the number of positions.
    before
        Zeros before the image.
    stride, dilation
        The distance of positions, and of elements of the filter.
    groups
        The number of groups of channels.
    """

    image: tuple[int, ...]
    kernel: tuple[int, ...]
    output: tuple[int, ...]
    before: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int

    @property
    def dims(self) -> int:
        """The number of axes."""
        return len(self.image)

    def met(self, tap: Sequence[int]) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
        """Return the elements of the image that an element of the filter meets, and where."""
        elements, places = [slice(None)] * 2, [slice(None)] * 2
        for k, i, t, low, s, d in zip(
            tap, self.image, self.output, self.before, self.stride, self.dilation, strict=True
        ):
            first = k * d - low
            begin, end = max(-(first // s), 0), min(-((first - i) // s), t)
            count = max(end - begin, 0)
            start = begin * s + first if count else 0
            elements.append(slice(start, start + count * s, s))
            places.append(slice(begin, begin + count))
        return tuple(elements), tuple(places)

    def rows(self, x: Array, tap: Sequence[int]) -> Array:
        """Return what an element of the filter meets at all positions: zeros around images, too."""
        rows = np.zeros((*x.shape[:2], *self.output), x.dtype)
        elements, places = self.met(tap)
        rows[places] = x[elements]
        return rows


def convolve(x: Array, w: Array, at: Windows) -> Array:
    """Return the correlation of images with filters."""
    unshared = w.ndim > x.ndim
    items, filters = len(x), len(w)
    y = np.zeros((items, filters, *at.output), x.dtype)
    for tap in np.ndindex(*at.kernel):
        rows = _grouped(at.rows(x, tap), at.groups)
        taps = _by_group(w[(..., *tap)], at.groups)
        term = np.einsum("ngc...,go...c->ngo..." if unshared else "ngc...,goc->ngo...", rows, taps)
        y += term.reshape(y.shape)
    return y


def convolve_inputs(w: Array, y: Array, at: Windows) -> Array:
    """Return the gradient with respect to the images, given that of the result."""
    unshared = w.ndim > y.ndim
    channels = w.shape[-at.dims - 1] * at.groups
    x = np.zeros((len(y), channels, *at.image), y.dtype)
    rows = _grouped(y, at.groups)
    for tap in np.ndindex(*at.kernel):
        taps = _by_group(w[(..., *tap)], at.groups)
        term = np.einsum("ngo...,go...c->ngc..." if unshared else "ngo...,goc->ngc...", rows, taps)
        elements, places = at.met(tap)
        x[elements] += term.reshape(len(y), channels, *at.output)[places]
    return x


def convolve_weights(x: Array, y: Array, at: Windows, unshared: bool) -> Array:
    """Return the gradient with respect to the filters, given that of the result."""
    filters, channels = y.shape[1], x.shape[1] // at.groups
    between = at.output if unshared else ()
    w = np.zeros((filters, *between, channels, *at.kernel), x.dtype)
    rows = _grouped(y, at.groups)
    for tap in np.ndindex(*at.kernel):
        met = _grouped(at.rows(x, tap), at.groups)
        if unshared:
            term = np.einsum("ngo...,ngc...->go...c", rows, met)
        else:
            term = np.einsum("ngot,ngct->goc", _flat(rows), _flat(met))
        w[(..., *tap)] = term.reshape(filters, *between, channels)
    return w


def _flat(a: Array) -> Array:
    return a.reshape(*a.shape[:3], math.prod(a.shape[3:]))


def _grouped(a: Array, groups: int) -> Array:
    return a.reshape(len(a), groups, a.shape[1] // groups, *a.shape[2:])


def _by_group(taps: Array, groups: int) -> Array:
    return taps.reshape(groups, len(taps) // groups, *taps.shape[1:])

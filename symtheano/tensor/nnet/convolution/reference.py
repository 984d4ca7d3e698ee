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

    @property
    def padded(self) -> tuple[int, ...]:
        """The lengths of an image that has all elements that the filter meets."""
        return tuple(
            max(low + i, (t - 1) * s + (k - 1) * d + 1 if t and k else 0)
            for i, k, t, low, s, d in zip(
                self.image, self.kernel, self.output, self.before, self.stride, self.dilation,
                strict=True,
            )
        )  # fmt: skip

    def inside(self) -> tuple[slice, ...]:
        """Return where the image is in the padded one."""
        starts = zip(self.before, self.image, strict=True)
        return (slice(None), slice(None), *(slice(low, low + i) for low, i in starts))

    def met(self, tap: Sequence[int]) -> tuple[slice, ...]:
        """Return the elements of the padded image that an element of the filter meets."""
        along = zip(tap, self.output, self.stride, self.dilation, strict=True)
        return (slice(None), slice(None), *(slice(k * d, k * d + t * s, s) for k, t, s, d in along))


def convolve(x: Array, w: Array, at: Windows) -> Array:
    """Return the correlation of images with filters."""
    padded, unshared = _pad(x, at), w.ndim > x.ndim
    items, filters = len(x), len(w)
    y = np.zeros((items, filters, *at.output), x.dtype)
    for tap in np.ndindex(*at.kernel):
        rows = _grouped(padded[at.met(tap)], at.groups)
        taps = _by_group(w[(..., *tap)], at.groups)
        term = np.einsum("ngc...,go...c->ngo..." if unshared else "ngc...,goc->ngo...", rows, taps)
        y += term.reshape(y.shape)
    return y


def convolve_inputs(w: Array, y: Array, at: Windows) -> Array:
    """Return the gradient with respect to the images, given that of the result."""
    unshared = w.ndim > y.ndim
    channels = w.shape[-at.dims - 1] * at.groups
    padded = np.zeros((len(y), channels, *at.padded), y.dtype)
    rows = _grouped(y, at.groups)
    for tap in np.ndindex(*at.kernel):
        taps = _by_group(w[(..., *tap)], at.groups)
        term = np.einsum("ngo...,go...c->ngc..." if unshared else "ngo...,goc->ngc...", rows, taps)
        padded[at.met(tap)] += term.reshape(len(y), channels, *at.output)
    return padded[at.inside()].copy()


def convolve_weights(x: Array, y: Array, at: Windows, unshared: bool) -> Array:
    """Return the gradient with respect to the filters, given that of the result."""
    padded = _pad(x, at)
    filters, channels = y.shape[1], x.shape[1] // at.groups
    between = at.output if unshared else ()
    w = np.zeros((filters, *between, channels, *at.kernel), x.dtype)
    rows = _grouped(y, at.groups)
    for tap in np.ndindex(*at.kernel):
        met = _grouped(padded[at.met(tap)], at.groups)
        if unshared:
            term = np.einsum("ngo...,ngc...->go...c", rows, met)
        else:
            term = np.einsum("ngot,ngct->goc", _flat(rows), _flat(met))
        w[(..., *tap)] = term.reshape(filters, *between, channels)
    return w


def _pad(x: Array, at: Windows) -> Array:
    padded = np.zeros((*x.shape[:2], *at.padded), x.dtype)
    padded[at.inside()] = x
    return padded


def _flat(a: Array) -> Array:
    return a.reshape(*a.shape[:3], math.prod(a.shape[3:]))


def _grouped(a: Array, groups: int) -> Array:
    return a.reshape(len(a), groups, a.shape[1] // groups, *a.shape[2:])


def _by_group(taps: Array, groups: int) -> Array:
    return taps.reshape(groups, len(taps) // groups, *taps.shape[1:])

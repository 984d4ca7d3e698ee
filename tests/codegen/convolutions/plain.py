"""Convolution and its gradients as plain loops over elements of filters: what they must compute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.codegen.convolutions.harness import Shape

Array = np.ndarray[Any, Any]


def _meetings(shape: Shape) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """Yield, for each element of a filter, where it is stored, and what of two arrays meets.

    The last two are indices of the elements of an image that exist, and of the positions at which
    the filter's element meets them.
    """
    for tap in np.ndindex(*shape.k):
        met, places = [], []
        for axis, k in enumerate(tap):
            positions = np.arange(shape.t[axis])
            elements = positions * shape.s[axis] + k * shape.d[axis] - shape.p[axis]
            inside = (elements >= 0) & (elements < shape.i[axis])
            met.append(elements[inside])
            places.append(positions[inside])
        stored = tuple(n - 1 - k for n, k in zip(shape.k, tap, strict=True)) if shape.flip else tap
        yield stored, np.ix_(*met), np.ix_(*places)


def maps(shape: Shape, x: Array, f: Array, y: Array) -> list[Array]:
    """Return the result, the gradient of the image and that of the filter, in double precision."""
    n, groups, c, o = shape[:4]
    wide = [a.astype("float64") for a in (x, f, y)]
    image = wide[0].reshape(n, groups, c, *shape.i)
    kernel = wide[1].reshape(groups, o, c, *shape.k)
    result = wide[2].reshape(n, groups, o, *shape.t)
    made = [np.zeros_like(a) for a in (result, image, kernel)]
    every = (slice(None),) * 3
    for stored, met, places in _meetings(shape):
        seen, given, tap = image[every + met], result[every + places], kernel[every + stored]
        made[0][every + places] += np.einsum("ngc...,goc->ngo...", seen, tap)
        made[1][every + met] += np.einsum("ngo...,goc->ngc...", given, tap)
        made[2][every + stored] += np.einsum("ngot,ngct->goc", _flat(given), _flat(seen))
    return [a.reshape(b.shape) for a, b in zip(made, (y, x, f), strict=True)]


def _flat(a: Array) -> Array:
    return a.reshape(*a.shape[:3], int(np.prod(a.shape[3:])))

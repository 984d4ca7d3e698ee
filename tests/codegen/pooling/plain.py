"""Pooling as plain loops over windows: what it must compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtheano.tensor.signal.pooling.windows import Windows

Array = np.ndarray[Any, Any]
Place = tuple[Any, ...]


def _windows(at: Windows, image: Sequence[int], counted: int) -> Iterator[tuple[Place, Place, int]]:
    """Yield the place of each window, its elements in the image, and the number of an average."""
    for place in np.ndindex(*at.lengths(image)):
        met, count = [], 1
        for axis, t in enumerate(place):
            first = t * at.stride[axis] - at.pad[axis]
            end = min(first + at.ws[axis], image[axis])
            met.append(slice(max(first, 0), end))
            if counted == 1:
                border = image[axis] + at.pad[axis]
                count *= min(first + at.ws[axis], border) - first
            elif counted == 2:
                count *= end - max(first, 0)
        yield (..., *place), (..., *met), count


def computed(name: str, at: Windows, given: dict[str, Array], counted: int) -> Array:
    """Return what the kernel of a name makes of arrays (items, lengths...)."""
    x, y, g, v = (given[key] for key in "xygv")
    image, axes = x.shape[1:], tuple(range(1, x.ndim))
    made = np.zeros_like(x if name.endswith("image") else y)
    for place, met, count in _windows(at, image, counted):
        share = (slice(None), *(None,) * at.dims)
        match name:
            case "max":
                made[place] = x[met].max(axes)
            case "sum":
                made[place] = x[met].sum(axes) / count if counted else x[met].sum(axes)
            case "max_image":
                made[met] += np.where(x[met] == y[place][share], g[place][share], 0)
            case "max_tangent":
                made[place] = np.where(x[met] == y[place][share], v[met], 0).sum(axes)
            case "sum_image":
                made[met] += (g[place] / count if counted else g[place])[share]
    return made

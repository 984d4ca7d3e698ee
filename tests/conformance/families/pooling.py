"""Pooling, neighbourhoods of images, and pyramids."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.conformance.draws import Array
from tests.conformance.row import Arg, Row, each

FILLED = {"n": 2, "m": 2, "k": 2}
"""Windows have elements."""


def pooled(
    reduce: Callable[..., Any], ws: tuple[int, ...], stride: tuple[int, ...] | None = None,
    whole: bool = True,
) -> Callable[[Array], Array]:  # fmt: skip
    """Return a function of windows without a border; ``whole`` ones, or also cut ones."""
    steps = stride or ws

    def made(x: Array) -> Array:
        lengths = x.shape[x.ndim - len(ws) :]
        starts = [
            [i for i in range(0, n, s) if i + w <= n] if whole else cut(n, w, s)
            for n, w, s in zip(lengths, ws, steps, strict=True)
        ]
        found = np.zeros((*x.shape[: x.ndim - len(ws)], *map(len, starts)), x.dtype)
        axes = tuple(range(-len(ws), 0))
        for place in np.ndindex(*found.shape[x.ndim - len(ws) :]):
            first = (s[k] for s, k in zip(starts, place, strict=True))
            key = tuple(slice(f, f + w) for f, w in zip(first, ws, strict=True))
            found[(..., *place)] = reduce(x[(..., *key)], axis=axes)
        return found

    return made


def cut(length: int, window: int, step: int) -> list[int]:
    """Return the first elements of windows up to the one that contains the last element."""
    starts = [0] if length else []
    while starts and step < window and starts[-1] + window < length:
        starts.append(starts[-1] + step)
    return starts if step < window else list(range(0, length, step))


def total(x: Array, axis: Any) -> Array:
    """Return the sum in the dtype of the array."""
    return np.asarray(x.sum(axis, dtype=x.dtype))


def windows() -> Iterator[Row]:
    """Yield rows of pooling."""
    pool = "T.signal.pool"
    for mode, reduce in (("max", np.max), ("sum", total)):
        yield from each(
            [f"{pool}.pool_2d(x, (2, 2), ignore_border=True, mode='{mode}')"], ["n m", "2 n m"],
            "iuF", plain=pooled(reduce, (2, 2)), edges=mode == "max",
        )  # fmt: skip
        yield from each(
            [f"{pool}.pool_2d(x, (3, 2), False, (2, 1), mode='{mode}')"], ["n m"], "iF",
            plain=pooled(reduce, (3, 2), (2, 1), False), least=FILLED, edges=mode == "max",
        )  # fmt: skip
        known_in_call = "(2 + 0 * x.shape[0], 2)"
        yield from each(
            [f"{pool}.pool_2d(x, {known_in_call}, ignore_border=True, mode='{mode}')"], ["n m"],
            "iuF", plain=pooled(reduce, (2, 2)), edges=mode == "max",
        )  # fmt: skip
    yield from each(
        [f"{pool}.pool_2d(x, (3, 3), True, (2, 2), mode='average_exc_pad')"], ["n m"], "F",
        plain=pooled(np.mean, (3, 3), (2, 2)), edges=False, slack=20,
    )  # fmt: skip
    yield from each(
        [f"{pool}.pool_3d(x, (1, 2, 2), ignore_border=True)"], ["n m k"], "F",
        plain=pooled(np.max, (1, 2, 2)),
    )  # fmt: skip
    yield from each(
        ["T.signal.downsample.max_pool_2d(x, (2, 3), ignore_border=True)"], ["n m"], "iF",
        plain=pooled(np.max, (2, 3)),
    )  # fmt: skip
    yield from each(
        [f"{pool}.max_pool_2d_same_size(x, (1, 1))"], ["n m"], "iF",
        plain=lambda x: np.where(x == x, x, np.zeros_like(x)),
    )  # fmt: skip
    yield from each(
        [f"{pool}.spatial_pyramid_pool_2d(x, (1,), 'sum')"], ["n 2 m k"], "F", edges=False,
        plain=lambda x: x.sum((2, 3)),
    )  # fmt: skip


def classes() -> Iterator[Row]:
    """Yield rows of Theano's classes."""
    pool = "T.signal.pool"
    yield from each([f"{pool}.Pool(True)(x, (2, 2))"], ["n m"], "F", plain=pooled(np.max, (2, 2)))
    for text in (
        "MaxPoolGrad(True)(x, x, x, (1, 1))",
        "DownsampleFactorMaxGradGrad(True)(x, x, x, (1, 1))",
        "MaxPoolRop(True)(x, x, (1, 1))",
    ):
        plain = "np.where(x == x, x, np.zeros_like(x))"
        yield from each([f"{pool}.{text}"], ["n m"], "F", plain=plain)
    yield from each([f"{pool}.AveragePoolGrad(True)(x, x, (1, 1))"], ["n m"], "F", plain="x")


def neighbourhoods() -> Iterator[Row]:
    """Yield rows of neighbourhoods."""
    yield from each(
        ["T.nnet.neighbours.images2neibs(x, (1, 2), mode='ignore_borders')",
         "T.nnet.neighbours.Images2Neibs('ignore_borders')(x, (1, 2))"], ["2 1 n m"], "iF",
        plain=lambda x: x[..., : x.shape[3] // 2 * 2].reshape(-1, 2),
    )  # fmt: skip
    yield Row(
        "T.nnet.neighbours.neibs2images(x, (1, 3), (2, 1, x.shape[0] // 2, 3))",
        {"x": Arg("4 3")}, "iF", plain=lambda x: x.reshape(2, 1, 2, 3),
    )  # fmt: skip


ROWS: list[Row] = [*windows(), *classes(), *neighbourhoods()]

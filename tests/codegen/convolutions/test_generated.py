"""Our own convolutions against plain loops: borders of all kinds, lengths around those of vectors.

A run takes a few windows of each seed; ``SYMTHEANO_LONG_RUN=N`` takes N times as many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.codegen.convolutions import LIBRARY
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from tests.codegen.convolutions.harness import (
    Kernels,
    Shape,
    eager_source,
    fast_source,
    transforming_source,
    windows,
)
from tests.codegen.convolutions.plain import maps
from tests.support.extent import TIMES

pytestmark = pytest.mark.needs_cc

LENGTHS = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33)
SOURCES = {
    "default": eager_source,
    "fast": fast_source,
    "transforming": transforming_source,
}


@pytest.fixture(scope="module", params=LIBRARY.suffixes)
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> dict[str, Kernels]:
    """Return the kernels of one dtype, for each choice of algorithms."""
    return {name: Kernels(request.param, toolchain, cache, text) for name, text in SOURCES.items()}


def _channels(rng: np.random.Generator) -> tuple[int, int, int, int]:
    """Return numbers of items, groups, channels and filters: those of every kernel."""
    n = int(rng.choice([0, 1, 2, 2, 3, 5, 9], p=[0.04, 0.16, 0.2, 0.2, 0.2, 0.1, 0.1]))
    match int(rng.integers(6)):
        case 0:
            return max(n, 2), int(rng.integers(4, 10)), 1, 1
        case 1:
            return n, int(rng.integers(1, 3)), int(rng.integers(16, 19)), int(rng.integers(16, 20))
        case 2:
            return n, int(rng.integers(1, 3)), int(rng.integers(2, 4)), int(rng.integers(1, 9))
        case 3:
            return n, 1, int(rng.integers(1, 3)), int(rng.integers(20, 70))
        case _:
            return n, *(int(m) for m in rng.integers(1, (4, 6, 9)))


def _border(rng: np.random.Generator, reach: int) -> tuple[int, int]:
    """Return the zeros before and behind an axis."""
    low, high = (int(m) for m in rng.integers(1, rng.choice([3, 6, reach + 2, 40]), 2))
    return ((0, 0), (0, high), (low, 0), (low, high))[int(rng.integers(4))]


def drawn(rng: np.random.Generator) -> Shape:
    """Return random windows."""
    dims = int(rng.choice([1, 2, 2, 3]))
    n, groups, c, o = _channels(rng)
    common = rng.random() < 0.6
    axes = []
    for axis in range(dims):
        k = int(rng.choice([3, 3, 5, 7]) if common else rng.integers(1, rng.choice([4, 8, 14])))
        s, d = (1 if common and rng.random() < 0.6 else int(rng.integers(1, 5)) for _ in range(2))
        lengths = LENGTHS if axis + 2 > dims else LENGTHS[:6]
        i = int(rng.choice(lengths))
        if dims == 3 and axis == 0 and rng.random() < 0.5:  # two axes, but for what a border adds
            i = k = 1
        reach = (k - 1) * d + 1
        p, q = _border(rng, reach)
        i = max(i, reach - p - q) if rng.random() < 0.9 else max(i + reach, 0)
        axes.append((i, k, p, s, d, q))
    i, k, p, s, d, q = zip(*axes, strict=True)
    return Shape(n, groups, c, o, i, k, p, s, d, bool(rng.integers(2)), q)


def check(kernels: Kernels, shape: Shape, rng: np.random.Generator) -> None:
    """Compare the three maps with plain loops, for one and two threads."""
    x, f, y = (
        rng.normal(size=lengths).astype(kernels.dtype)
        for lengths in (
            (shape.n, shape.c * shape.groups, *shape.i),
            (shape.o * shape.groups, shape.c, *shape.k),
            (shape.n, shape.o * shape.groups, *shape.t),
        )
    )
    tolerance = 3e-5 if kernels.dtype == "float32" else 1e-12
    for wanted, expected in enumerate(maps(shape, x, f, y)):
        arrays = ((x, f), (f, y), (x, y))[wanted]
        found = kernels(wanted, windows(shape), arrays, expected.shape, int(rng.integers(1, 3)))
        scale = max(1.0, np.abs(expected).max(initial=0))
        wrong = ~(np.abs(found - expected) <= tolerance * scale)
        assert not wrong.any(), (shape, wanted, np.argwhere(wrong)[:5].tolist())


@pytest.mark.parametrize("algorithms", SOURCES)
@pytest.mark.parametrize("seed", range(4))
def test_generated_windows(kernels: dict[str, Kernels], algorithms: str, seed: int) -> None:
    rng = np.random.default_rng([seed, list(SOURCES).index(algorithms)])
    for _ in range(40 * TIMES or 40):
        check(kernels[algorithms], drawn(rng), rng)


# Zeros behind images only, or along an axis of which there would be none otherwise.
BORDERS = {
    "line": Shape(2, 1, 2, 3, (4,), (3,), (0,), (1,), (1,), True, (1,)),
    "square": Shape(2, 1, 4, 2, (6, 6), (2, 2), (0, 0), (1, 1), (1, 1), False, (1, 1)),
    "strided": Shape(2, 1, 4, 2, (6, 6), (2, 2), (0, 0), (2, 1), (1, 1), False, (1, 0)),
    "winograd": Shape(
        2, 1, 16, 16, (1, 12, 12), (1, 3, 3), (0, 1, 1), (1, 1, 1), (1, 1, 1), True, (2, 1, 1)
    ),
    "overlap": Shape(
        2, 1, 9, 9, (1, 40, 40), (1, 9, 9), (0, 0, 0), (1, 1, 1), (1, 1, 1), True, (1, 0, 0)
    ),
    "depthwise": Shape(
        2, 5, 1, 1, (1, 12, 12), (1, 3, 3), (1, 1, 1), (2, 1, 1), (1, 1, 1), True, (0, 1, 1)
    ),
    "strips": Shape(
        2, 1, 3, 4, (1, 12, 12), (1, 4, 4), (1, 1, 1), (2, 2, 2), (1, 1, 1), True, (0, 1, 1)
    ),
}


@pytest.mark.parametrize("algorithms", SOURCES)
@pytest.mark.parametrize("name", BORDERS)
def test_borders_of_one_side(kernels: dict[str, Kernels], name: str, algorithms: str) -> None:
    check(kernels[algorithms], BORDERS[name], np.random.default_rng(0))

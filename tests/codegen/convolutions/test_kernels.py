"""Our own convolutions, against NumPy: random windows, one and two threads, guarded memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.convolutions import LIBRARY
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.packed import PackedFilters
from symtheano.tensor.nnet.convolution import reference
from tests.codegen.convolutions.harness import (
    Array,
    Kernels,
    Shape,
    Windows,
    fast_source,
    three,
    transforming_source,
    windows,
)

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module", params=LIBRARY.suffixes)
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache)


@pytest.fixture(scope="module", params=LIBRARY.suffixes)
def transforming(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache, transforming_source)


def plain(n: int, c: int, o: int, i: int, k: int, p: int = 0, s: int = 1) -> Shape:
    """Return a shape with two equal axes."""
    return Shape(n, 1, c, o, (i, i), (k, k), (p, p), (s, s), (1, 1), False)


def drawn(seed: int) -> Shape:
    """Return a random shape."""
    rng = np.random.default_rng(seed)
    dims, groups = int(rng.choice([1, 2, 2, 3])), int(rng.choice([1, 1, 2, 3]))
    k, d, s, p = (rng.integers(*ends, dims) for ends in ((1, 6), (1, 3), (1, 4), (0, 4)))
    i = np.maximum((k - 1) * d + 1 - 2 * p, 1) + rng.integers(0, rng.choice([6, 40]), dims)
    n, c, o = (int(m) for m in rng.integers((0, 1, 1), (4, 7, 20)))
    lengths = (tuple(int(m) for m in numbers) for numbers in (i, k, p, s, d))
    return Shape(n, groups, c, o, *lengths, bool(rng.integers(2)))


@pytest.fixture(scope="module", params=LIBRARY.suffixes)
def fast(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache, fast_source)


@pytest.mark.parametrize("seed", range(8))
def test_random_windows(kernels: Kernels, seed: int) -> None:
    for number in range(25):
        check(kernels, drawn(1000 * seed + number))


@pytest.mark.parametrize(
    "shape",
    [
        *(plain(3, c, o, 9, 1) for c, o in ((40, 70), (33, 41), (16, 9))),
        *(plain(n, c, 20, i, 1) for n, c, i in ((1, 3, 2), (1, 80, 3), (2, 80, 7), (1, 5, 13))),
        Shape(1, 2, 70, 18, (3, 5, 7), (1, 1, 1), (0, 0, 0), (1, 1, 1), (2, 1, 1), True),
        *(plain(n, 18, 35, i, 3, 1) for n, i in ((1, 7), (5, 7), (9, 2), (40, 1))),
        plain(2, 260, 17, 6, 3, 1),
        *(plain(n, 17, 23, i, 3, p) for n, i, p in ((1, 24, 1), (3, 15, 0), (2, 16, 2), (7, 9, 1))),
        Shape(2, 2, 16, 18, (13, 22), (3, 3), (1, 2), (1, 1), (1, 1), True),
        plain(3, 1, 20, 28, 5),
        plain(5, 20, 50, 12, 5),
        plain(1, 3, 24, 45, 7, 3, 2),
        Shape(2, 9, 1, 1, (20, 35), (3, 3), (1, 1), (1, 1), (1, 1), True),
        Shape(2, 3, 2, 4, (20, 35), (3, 3), (1, 1), (2, 2), (2, 1), False),
        # Strips of images: all phases of filters, parts of images, and elements that nothing meets.
        *(plain(2, 3, 5, 37, k, p, 2) for k, p in ((2, 1), (3, 1), (4, 0), (4, 1), (5, 7))),
        Shape(1, 2, 2, 70, (140, 301), (6, 7), (3, 2), (3, 2), (1, 1), True),
        Shape(3, 1, 2, 4, (61, 50), (3, 2), (2, 3), (1, 2), (1, 1), False),
        Shape(1, 1, 3, 1, (9, 6), (5, 5), (0, 0), (4, 2), (1, 1), True),
        # A panel that is not full, whose points are 16 apart in the image.
        Shape(1, 1, 6, 1, (7, 8, 5), (5, 3, 3), (1, 0, 2), (1, 3, 1), (2, 1, 2), False),
        # Images of fewer elements than a vector.
        Shape(9, 1, 1, 6, (1, 3), (1, 2), (0, 0), (1, 1), (1, 1), False),
        # Filters whose sums are divided into parts, with and without zeros around images.
        plain(1, 3, 20, 40, 3, 1),
        plain(19, 1, 20, 28, 5),
        plain(70, 2, 17, 9, 3, 1),
        Shape(3, 2, 3, 33, (30, 21), (3, 2), (1, 0), (1, 1), (1, 2), True),
        plain(2, 3, 13, 50, 11),
        plain(1, 17, 16, 24, 5, 2),
        Shape(3, 4, 1, 1, (40, 31), (15, 13), (7, 6), (1, 1), (1, 1), True),
        Shape(2, 1, 5, 8, (1000,), (129,), (64,), (1,), (1,), False),
    ],
    ids=str,
)
def test_windows_of_networks(kernels: Kernels, shape: Shape) -> None:
    check(kernels, shape)


@pytest.mark.parametrize("tall", [3, 5, 7])
@pytest.mark.parametrize("seed", range(4))
def test_depthwise(kernels: Kernels, tall: int, seed: int) -> None:
    """Groups of one channel, of all widths of rows, some of them shorter than a vector."""
    rng = np.random.default_rng(100 * tall + seed)
    for _ in range(12):
        stride, wide = rng.integers(1, (3, 4)), int(rng.choice([tall, tall, *range(1, 10)]))
        n, groups = (int(m) for m in rng.choice([(1, 9), (3, 8), (9, 1), (2, 5), (5, 3)]))
        p = (int(rng.integers(0, tall + 2)), int(rng.integers(0, wide + 2)))
        d = (1, int(rng.choice([1, 1, 2])))
        least = (tall, (wide - 1) * d[1] + 1)
        i = tuple(
            max(m - 2 * q, 1) + int(rng.integers(0, 40)) for m, q in zip(least, p, strict=True)
        )
        flip = bool(rng.integers(2))
        strides = (int(stride[0]), int(stride[1]))
        check(kernels, Shape(n, groups, 1, 1, i, (tall, wide), p, strides, d, flip))


@pytest.mark.parametrize(
    "shape",
    [
        *(plain(n, 17, 23, i, 3, p) for n, i, p in ((1, 24, 1), (3, 15, 0), (2, 16, 2), (7, 9, 1))),
        plain(2, 40, 16, 37, 3, 1),
        Shape(2, 2, 16, 18, (13, 22), (3, 3), (1, 2), (1, 1), (1, 1), True),
    ],
    ids=str,
)
def test_larger_tiles_of_winograd(fast: Kernels, shape: Shape) -> None:
    check(fast, shape)


def large(seed: int) -> Shape:
    """Return a random shape with large filters along one or two axes."""
    rng = np.random.default_rng(seed)
    dims, groups = int(rng.integers(1, 3)), int(rng.choice([1, 1, 2, 9]))
    k = rng.integers(1 if dims == 2 else 9, 20 if dims == 2 else 150, dims)
    p = rng.integers(0, 1 + k * 3 // 2)
    i = np.maximum(k - 2 * p, 1) + rng.integers(0, 50, dims)
    n, c, o = (int(m) for m in rng.integers((1, 1, 1), (3, 4, 9)))
    lengths = (tuple(int(m) for m in numbers) for numbers in (i, k, p))
    return Shape(n, groups, c, o, *lengths, (1,) * dims, (1,) * dims, bool(rng.integers(2)))


@pytest.mark.parametrize("seed", range(6))
def test_large_filters(transforming: Kernels, seed: int) -> None:
    for number in range(4):
        check(transforming, large(100 * seed + number))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, "huge"])
@pytest.mark.parametrize("wanted", [0, 1, 2])
def test_transforms_are_for_moderate_elements(
    transforming: Kernels, value: float | str, wanted: int
) -> None:
    """Only what an element meets is not finite, and large elements do not overflow."""
    huge = np.finfo(transforming.dtype).max / 4 if value == "huge" else float(value)
    rng = np.random.default_rng(1)
    x, y = (rng.uniform(0.5, 1, (1, 1, m, m)).astype(transforming.dtype) for m in (60, 50))
    f = rng.uniform(0, 0.01, (1, 1, 11, 11)).astype(transforming.dtype)
    w = Windows(
        1, 1, 1, 1, three([60, 60]), three([11, 11]), three([50, 50]), three([0, 0], 0),
        three([1, 1]), three([1, 1]), 0, 0,
    )  # fmt: skip
    at = reference.Windows((60, 60), (11, 11), (50, 50), (0, 0), (1, 1), (1, 1), 1)
    (x, y, x)[wanted][0, 0, 7, 9] = huge
    with np.errstate(invalid="ignore"):
        if wanted == 0:
            expected = reference.convolve(x, f, at)
            found = transforming(0, w, (x, f), y.shape, 1)
        elif wanted == 1:
            expected = reference.convolve_inputs(f, y, at)
            found = transforming(1, w, (f, y), x.shape, 1)
        else:
            y /= 100
            expected = reference.convolve_weights(x, y, at, False)
            found = transforming(2, w, (x, y), f.shape, 1)
    assert np.isfinite(found).any()
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def check(kernels: Kernels, shape: Shape) -> None:
    """Compare the three maps with NumPy, for one and two threads."""
    rng = np.random.default_rng(0)
    n, groups, c, o, i, k, p, s, d, flip, _ = shape
    t, dims = shape.t, len(i)
    w = windows(shape)
    x, f, y = (
        rng.normal(size=lengths).astype(kernels.dtype)
        for lengths in ((n, c * groups, *i), (o * groups, c, *k), (n, o * groups, *t))
    )
    at = reference.Windows(i, k, t, p, s, d, groups)
    axes = tuple(range(-dims, 0)) if flip else ()
    wide = [a.astype("float64") for a in (x, np.flip(f, axes), y)]
    expected = [
        reference.convolve(wide[0], wide[1], at),
        reference.convolve_inputs(wide[1], wide[2], at),
        np.flip(reference.convolve_weights(wide[0], wide[2], at, False), axes),
    ]
    tolerance = 2e-5 if kernels.dtype == "float32" else 1e-12
    for wanted, arrays in enumerate([(x, f), (f, y), (x, y)]):
        run = partial(kernels, wanted, w, arrays, expected[wanted].shape)
        packed = PackedFilters()
        found = [run(1), run(2, packed), run(1, packed)]
        for other in found[1:]:
            np.testing.assert_array_equal(found[0], other)
        scale = max(1.0, np.abs(expected[wanted]).max(initial=0))
        error = np.abs(found[0] - expected[wanted]).max(initial=0)
        assert error <= tolerance * scale, (shape, wanted)


# For each algorithm that packs filters: its name, the array that it makes, and a shape.
PACKED = [
    ("gather", 0, plain(2, 5, 7, 9, 3)),
    ("gather", 0, plain(2, 5, 3, 9, 3)),
    ("gather", 1, plain(2, 5, 7, 9, 3, 1, 2)),
    ("scatter", 1, plain(2, 2, 64, 20, 5)),
    ("winograd", 0, plain(2, 16, 20, 20, 3, 1)),
    ("winograd", 1, plain(2, 16, 20, 20, 3, 1)),
    ("overlap", 0, plain(2, 16, 20, 40, 9, 4)),
    ("overlap", 1, plain(2, 16, 20, 40, 9, 4)),
    ("strips", 1, plain(2, 3, 8, 20, 5, 2, 2)),
]


@pytest.mark.parametrize(("algorithm", "wanted", "shape"), PACKED)
def test_constant_filters_are_packed_once(
    kernels: Kernels, algorithm: str, wanted: int, shape: Shape
) -> None:
    rng = np.random.default_rng(0)
    filters = rng.normal(size=(shape.o, shape.c, *shape.k)).astype(kernels.dtype)

    def prepared(shape: Shape) -> Callable[..., Array]:
        """Return the kernel for new arrays, except the filters."""
        read, made = ((shape.c, *shape.i), (shape.o, *shape.t))[:: -1 if wanted else 1]
        array = rng.normal(size=(shape.n, *read)).astype(kernels.dtype)
        given = (filters, array) if wanted else (array, filters)
        return partial(kernels, wanted, windows(shape), given, (shape.n, *made))

    packed = PackedFilters()
    run = prepared(shape)
    first = run(2, packed)
    (block,) = packed
    number, made = (ctypes.c_int64.from_address(block + at).value for at in (16, 24))
    assert ([*LIBRARY.chosen("default")][number].name, made) == (algorithm, wanted)
    before, filters[:] = filters.copy(), 0
    np.testing.assert_array_equal(run(2, packed), first)
    assert not run(2, packed, 2).any()  # another call has another filter
    assert len(list(packed)) == 2
    filters[:] = before
    # For images of other lengths, filters are packed anew up to four times.
    for more in range(1, 7):
        run = prepared(shape._replace(i=tuple(length + more for length in shape.i)))
        np.testing.assert_array_equal(run(1, packed), run(1))
    assert 2 <= len(list(packed)) <= 5


def test_no_kernel_for_unshared_filters_or_little_memory(kernels: Kernels) -> None:
    ones = np.ones((1, 1, 3, 3), kernels.dtype)
    one = (three([1, 1]), three([3, 3]))
    for unshared, size in ((1, 1 << 20), (0, 0)):
        w = Windows(
            1, 1, 1, 1, one[1], one[0], one[1], three([0, 0], 0), one[0], one[0], 0, unshared
        )
        memory = np.zeros(1 << 20, np.uint8)
        arrays = (ctypes.c_void_p(a.ctypes.data) for a in (ones, ones, ones.copy(), memory))
        run = kernels.library.st_convolve
        assert run(0, ctypes.byref(w), 1, *arrays, ctypes.c_int64(size), *[None] * 4) == 0

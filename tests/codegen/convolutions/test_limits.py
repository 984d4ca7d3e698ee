"""Our own convolutions with lengths at the limits of integers: right values, or no kernel.

The library is compiled with overflows of signed integers undefined, which ``.ci/sanitize`` reports.
A run takes some windows; ``SYMTHEANO_LONG_RUN=N`` takes 10 N times as many.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
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
    transforming_source,
    windows,
)
from tests.codegen.convolutions.plain import maps
from tests.support.extent import TIMES

pytestmark = pytest.mark.needs_cc

COUNT = 3000 * TIMES or 300
MOST_BYTES = 1 << 22
LARGE = (2**10, 2**20 - 1, 2**21 - 1, 2**30, 2**31 - 2, 2**31 - 1)
HUGE = (*LARGE, 2**31, 2**32, 2**44 - 1, 2**44)


@pytest.fixture(scope="module", params=LIBRARY.suffixes)
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> list[Kernels]:
    """Return the kernels of one dtype, in two variants."""
    return [
        Kernels(request.param, toolchain, cache, source)
        for source in (eager_source, transforming_source)
    ]


def _number(rng: np.random.Generator, large: Sequence[int], small: int, share: float) -> int:
    return int(rng.choice(large) if rng.random() < share else rng.integers(1, small))


def drawn(rng: np.random.Generator) -> Shape:
    """Return windows of arrays that may exist: either small ones, or ones without elements."""
    dims, empty = int(rng.choice([1, 2, 2, 3])), rng.random() < 0.4
    share = float(rng.choice([0.1, 0.3, 0.7]))
    axes = []
    for _ in range(dims):
        k = (
            _number(rng, HUGE, 5, share)
            if empty and rng.random() < 0.2
            else int(rng.integers(1, 5))
        )
        s, d = (_number(rng, LARGE, 4, share) for _ in range(2))
        reach = (k - 1) * d + 1
        i = _number(rng, HUGE, 20, share) if empty else int(rng.integers(0, 20))
        match int(rng.integers(4)):
            case 0:
                p = q = reach - 1
            case 1:
                p = q = d if rng.random() < 0.5 else reach // 2
            case 2:
                p, q = 0, max(reach - i, 0) + int(rng.integers(0, 4))
            case _:
                p, q = (_number(rng, LARGE, 4, share) for _ in range(2))
        if i + p + q < reach:
            p = reach - i - q
        axes.append((i, k, p, s, d, q))
    i, k, p, s, d, q = zip(*axes, strict=True)
    n = 0 if empty else int(rng.integers(1, 4))
    groups, c, o = (int(m) for m in rng.choice([(1, 1, 1), (9, 1, 1), (1, 3, 20), (2, 17, 16)]))
    return Shape(n, groups, c, o, i, k, p, s, d, bool(rng.integers(2)), q)


def elements(lengths: Sequence[int]) -> int:
    """Return how many elements an array has."""
    made = 1
    for length in lengths:
        made *= length
    return made


@pytest.mark.parametrize("variant", [0, 1])
def test_limits(kernels: list[Kernels], variant: int) -> None:
    """Small arrays are computed; of others the memory is measured."""
    rng, library = np.random.default_rng(variant), kernels[variant]
    computed = 0
    for _ in range(COUNT):
        shape = drawn(rng)
        w = windows(shape)
        threads = int(rng.choice([1, 2, 64]))
        image = (shape.n, shape.c * shape.groups, *shape.i)
        kernel = (shape.o * shape.groups, shape.c, *shape.k)
        result = (shape.n, shape.o * shape.groups, *shape.t)
        sizes = [library.measure(wanted, w, threads) for wanted in range(3)]
        assert all(0 <= size < 2**62 for size in sizes), (shape, sizes)
        if max(map(elements, (image, kernel, result))) * 8 > MOST_BYTES:
            continue
        try:
            x, f, y = (rng.normal(size=m).astype(library.dtype) for m in (image, kernel, result))
        except ValueError:  # NumPy has no such array, even without elements
            continue
        # Without items there are no results, and the gradient of filters is zero.
        expected = maps(shape, x, f, y) if shape.n else [y, x, np.zeros_like(f)]
        for wanted, size in enumerate(sizes):
            if 0 < size <= MOST_BYTES:
                arrays = ((x, f), (f, y), (x, y))[wanted]
                made = library(wanted, w, arrays, expected[wanted].shape, 1)
                scale = max(1.0, np.abs(expected[wanted]).max(initial=0))
                assert np.abs(made - expected[wanted]).max(initial=0) <= 3e-5 * scale, shape
                computed += 1
    assert computed > COUNT / 10


def test_impossible_arrays_have_no_kernel(kernels: list[Kernels]) -> None:
    far = Shape(0, 1, 1, 1, (2**40, 2**40), (1, 1), (0, 0), (1, 1), (1, 1), False)
    wide = Shape(1, 1, 1, 1, (1, 1), (3, 3), (2**31 - 1,) * 2, (1, 1), (2**31 - 1,) * 2, False)
    apart = Shape(1, 1, 1, 1, (1, 1), (1, 1), (2**31 - 1,) * 2, (2**31 - 1,) * 2, (1, 1), False)
    memory = np.zeros(1 << 12, np.uint8)
    pointers = [ctypes.c_void_p(memory.ctypes.data)] * 4
    for shape in (far, wide, apart):
        w = windows(shape)
        for wanted in range(3):
            for library in kernels:
                assert library.measure(wanted, w, 1) == 0
                run = library.library.st_convolve
                size = ctypes.c_int64(1 << 12)
                assert run(wanted, ctypes.byref(w), 1, *pointers, size, *[None] * 4) == 0

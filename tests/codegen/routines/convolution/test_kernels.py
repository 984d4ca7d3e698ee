"""Our own convolutions, against NumPy: random windows, one and two threads, guarded memory."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.routines.convolution.kernels import (
    KERNEL_FLAGS,
    KERNEL_TYPES,
    kernels_source,
)
from symtheano.codegen.runtime.own_library import OwnLibrary
from symtheano.tensor.nnet.convolution import reference

Array = np.ndarray[Any, Any]

pytestmark = pytest.mark.needs_cc

_Three = ctypes.c_int64 * 3


class _Windows(ctypes.Structure):
    """``st_windows``."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("n", "groups", "c", "o")),
        *((name, _Three) for name in "iktpsd"),
        *((name, ctypes.c_int64) for name in ("flip", "unshared")),
    )


class Kernels:
    """The kernels of one dtype."""

    def __init__(self, suffix: str, toolchain: Toolchain, cache: Cache) -> None:
        tools = toolchain.with_flags(KERNEL_FLAGS)
        self.library = OwnLibrary(kernels_source, KERNEL_TYPES, tools, cache.place).load()[suffix]
        self.library.st_convolution_memory.restype = ctypes.c_int64
        self.dtype = {"f32": "float32", "f64": "float64"}[suffix]

    def __call__(
        self, wanted: int, w: _Windows, arrays: Sequence[Array], shape: Any, threads: int
    ) -> Array:
        """Compute an array of a shape; the memory is as large as it says, and full of NaN."""
        measure, run = self.library.st_convolution_memory, self.library.st_convolve
        size = measure(wanted, ctypes.byref(w), threads)
        memory = np.full(size + 64, 255, np.uint8)
        made = np.full(shape, np.nan, self.dtype)
        given = (array.ctypes.data for array in (*arrays, made))
        done = run(
            wanted, ctypes.byref(w), threads, *map(ctypes.c_void_p, given),
            ctypes.c_void_p(memory.ctypes.data), ctypes.c_int64(size), None, None,
        )  # fmt: skip
        assert done == 1
        assert (memory[size:] == 255).all()
        return made


def three(values: Any, missing: int = 1) -> Any:
    """Return three numbers: those that are missing come first."""
    return _Three(*[missing] * (3 - len(values)), *(int(v) for v in values))


@pytest.fixture(scope="module", params=KERNEL_TYPES)
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache)


@pytest.mark.parametrize("seed", range(8))
def test_random_windows(kernels: Kernels, seed: int) -> None:
    for number in range(25):
        check(kernels, 1000 * seed + number)


def check(kernels: Kernels, seed: int) -> None:
    """Compare the three maps for random windows with NumPy."""
    rng = np.random.default_rng(seed)
    dims, groups = int(rng.choice([1, 2, 2, 3])), int(rng.choice([1, 1, 2, 3]))
    k, d, s, p = (rng.integers(*ends, dims) for ends in ((1, 6), (1, 3), (1, 4), (0, 4)))
    reach = (k - 1) * d + 1
    i = np.maximum(reach - 2 * p, 1) + rng.integers(0, rng.choice([6, 40]), dims)
    t = (i + 2 * p - reach) // s + 1
    n, c, o = (int(m) for m in rng.integers((0, 1, 1), (4, 7, 20)))
    flip = bool(rng.integers(2))
    w = _Windows(
        n, groups, c, o, three(i), three(k), three(t), three(p, 0), three(s), three(d), flip, 0
    )
    x, f, y = (
        rng.normal(size=shape).astype(kernels.dtype)
        for shape in ((n, c * groups, *i), (o * groups, c, *k), (n, o * groups, *t))
    )
    lengths = (tuple(int(m) for m in numbers) for numbers in (i, k, t, p, s, d))
    at = reference.Windows(*lengths, groups)
    axes = tuple(range(-dims, 0)) if flip else ()
    wide = [a.astype("float64") for a in (x, np.flip(f, axes), y)]
    expected = [
        reference.convolve(wide[0], wide[1], at),
        reference.convolve_inputs(wide[1], wide[2], at),
        np.flip(reference.convolve_weights(wide[0], wide[2], at, False), axes),
    ]
    tolerance = 2e-5 if kernels.dtype == "float32" else 1e-12
    for wanted, arrays in enumerate([(x, f), (f, y), (x, y)]):
        found = [kernels(wanted, w, arrays, expected[wanted].shape, m) for m in (1, 2)]
        np.testing.assert_array_equal(found[0], found[1])
        scale = max(1.0, np.abs(expected[wanted]).max(initial=0))
        error = np.abs(found[0] - expected[wanted]).max(initial=0)
        assert error <= tolerance * scale, (seed, wanted)


def test_no_kernel_for_unshared_filters_or_little_memory(kernels: Kernels) -> None:
    ones = np.ones((1, 1, 3, 3), kernels.dtype)
    one = (three([1, 1]), three([3, 3]))
    for unshared, size in ((1, 1 << 20), (0, 0)):
        w = _Windows(
            1, 1, 1, 1, one[1], one[0], one[1], three([0, 0], 0), one[0], one[0], 0, unshared
        )
        memory = np.zeros(1 << 20, np.uint8)
        arrays = (ctypes.c_void_p(a.ctypes.data) for a in (ones, ones, ones.copy(), memory))
        run = kernels.library.st_convolve
        assert run(0, ctypes.byref(w), 1, *arrays, ctypes.c_int64(size), None, None) == 0

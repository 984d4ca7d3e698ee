"""Our own pooling against plain loops: windows and borders of all kinds, lengths around vectors'.

A run takes a few windows of each seed; ``SYMTHEANO_LONG_RUN=N`` takes 4 N times as many. Some have
lengths at the limits of integers; the library is compiled with overflows of signed integers
undefined, which ``.ci/sanitize`` reports.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.pooling import WANTED
from symtheano.tensor.signal.pooling.windows import Windows
from tests.codegen.pooling.harness import Kernels, Pools, three
from tests.codegen.pooling.plain import computed
from tests.support.extent import TIMES

pytestmark = pytest.mark.needs_cc

COUNT = 100 * TIMES or 25
LENGTHS = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33)
LARGE = (2**10, 2**20 - 1, 2**30, 2**31 - 2, 2**31 - 1)


@pytest.fixture(scope="module", params=["f32", "f64", "i16"])
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache, ("-fno-wrapv",))


def _windows(rng: np.random.Generator, large: float) -> tuple[Windows, tuple[int, ...]]:
    """Return windows, and the lengths of images; a share of the numbers is large."""
    dims, border = int(rng.choice([1, 2, 2, 3])), bool(rng.integers(2))
    axes = []
    for axis in range(dims):
        i = int(rng.choice(LENGTHS if axis + 2 > dims else LENGTHS[:7]))
        ws, stride = (int(m) for m in rng.integers(1, (6, 5)))
        ws = int(rng.choice(LARGE)) if rng.random() < large else ws
        stride = int(rng.choice(LARGE)) if rng.random() < large else stride
        pad = int(rng.integers(0, min(ws, rng.choice([4, 4, 2**40])))) if border else 0
        axes.append((i, ws, stride, pad))
    i, ws, stride, pad = zip(*axes, strict=True)
    return Windows(ws, border, stride, pad), i


def _cut(at: Windows, image: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return windows and strides as generated code passes them: no larger than padded images."""
    most = [max(i + 2 * p, 1) for i, p in zip(image, at.pad, strict=True)]
    return list(map(min, at.ws, most)), list(map(min, at.stride, most))


@pytest.mark.parametrize("large", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_generated_windows(kernels: Kernels, seed: int, large: float) -> None:
    rng, dtype = np.random.default_rng([seed, int(large > 0)]), np.dtype(kernels.dtype)
    found = 0
    for _ in range(COUNT):
        at, image = _windows(rng, large)
        places = at.lengths(image)
        empty = any(at.is_empty(axis) and not length for axis, length in enumerate(image))
        if empty or math.prod(places) > 3000:
            continue
        wide = any(p > i for p, i in zip(at.pad, image, strict=True))
        if wide or not math.prod(places):  # plain loops compute, without memory
            windows = (*map(three, (image, places, at.ws, at.stride)), three(at.pad, 0))
            assert not any(kernels.measure(name, Pools(2, *windows, 0), 2) for name in WANTED)
            continue
        items = int(rng.choice([0, 1, 2, 3, 5]))
        x, v = (rng.integers(0, 9, (items, *image)).astype(dtype) for _ in range(2))
        g = rng.integers(1, 9, (items, *places)).astype(dtype)
        y = computed("max", at, {"x": x, "y": g, "g": g, "v": v}, 0)
        given = {"x": x, "y": y, "g": g, "v": v}
        counted = int(rng.integers(3)) if dtype.kind == "f" else 0
        for lengths in ((at.ws, at.stride), _cut(at, image)):
            windows = (*map(three, (image, places, *lengths)), three(at.pad, 0))
            for name in WANTED:
                how = counted if name.startswith("sum") else 0
                w, threads = Pools(items, *windows, how), int(rng.integers(1, 3))
                if kernels.measure(name, w, threads) > 1 << 24:
                    continue
                arrays = {**given, "g": v} if name == "max_tangent" else given
                if max(*lengths[0], *lengths[1]) > 1 << 11:
                    continue  # loops over windows as long as no image are not asked for
                expected = computed(name, at, given, how)
                made = kernels(name, w, arrays, expected.shape, threads)
                np.testing.assert_allclose(
                    made, expected, rtol=1e-5, err_msg=f"{name} {at} {image}"
                )
                found += 1
    assert found > COUNT

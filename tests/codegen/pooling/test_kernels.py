"""Our own pooling, against NumPy: random windows, one and two threads, guarded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.pooling import WANTED
from symtheano.tensor.signal.pooling import reference
from symtheano.tensor.signal.pooling.windows import Windows
from tests.codegen.pooling.harness import Array, Kernels, Pools, three

pytestmark = pytest.mark.needs_cc

SUFFIXES = ("f32", "f64", "i16")


@pytest.fixture(scope="module", params=SUFFIXES)
def kernels(request: Any, toolchain: Toolchain, cache: Cache) -> Kernels:
    return Kernels(request.param, toolchain, cache)


def drawn(rng: np.random.Generator) -> tuple[Windows, tuple[int, ...]]:
    """Return random windows, and the shape of images."""
    dims = int(rng.choice([1, 2, 2, 3]))
    ws, stride = (rng.integers(1, 6, dims).tolist() for _ in range(2))
    if rng.random() < 0.5:
        ws, stride = [int(rng.integers(2, 4))] * dims, [int(rng.integers(1, 3))] * dims
    if dims == 3 and rng.random() < 0.5:
        ws[0] = stride[0] = 1
    border = bool(rng.integers(2))
    pad = [int(rng.integers(0, w)) if border else 0 for w in ws]
    image = np.maximum(rng.integers(1, rng.choice([8, 40]), dims), ws)
    at = Windows(tuple(ws), border, tuple(stride), tuple(pad))
    return at, (int(rng.integers(0, 4)), *(int(m) for m in image))


def expected(name: str, at: Windows, given: dict[str, Array], counted: int) -> Array:
    """Return what NumPy computes."""
    x, y, g, v = (given[key] for key in "xygv")
    if name == "max":
        return reference.combined(x, at, largest=True)
    if name == "max_image":
        return reference.largest_image(x, y, g, at)
    if name == "max_tangent":
        return reference.largest_tangent(x, y, v, at)
    mode = ("sum", "average_inc_pad", "average_exc_pad")[counted]
    sizes = reference.average_sizes(at, x.shape[1:], mode, x.dtype)
    if name == "sum":
        made = reference.combined(x, at, largest=False)
        return made / sizes if counted else made
    return reference.spread(g / sizes if counted else g, at, x.shape[1:])


@pytest.fixture(scope="module")
def narrow(kernels: Kernels, toolchain: Toolchain, cache: Cache) -> Kernels:
    """The same with vectors of 16 bytes."""
    suffix = SUFFIXES[("float32", "float64", "int16").index(kernels.dtype)]
    return Kernels(suffix, toolchain, cache, ("-DST_WIDEST_BYTES=16",))


@pytest.mark.parametrize("seed", range(8))
def test_bits_do_not_depend_on_the_width_of_vectors(
    seed: int, kernels: Kernels, narrow: Kernels
) -> None:
    rng = np.random.default_rng(seed)
    at, shape = drawn(rng)
    dtype = np.dtype(kernels.dtype)
    x = rng.choice([rng.normal(0, 9), np.nan, np.inf, -0.0] if dtype.kind == "f" else [3, 4], shape)
    x = np.where(rng.random(shape) < 0.8, rng.normal(0, 9, shape), x).astype(dtype)
    y = reference.combined(x, at, largest=True)
    given = {"x": x, "y": y, "g": rng.normal(0, 9, y.shape).astype(dtype), "v": x}
    lengths = (*map(three, (shape[1:], y.shape[1:], at.ws, at.stride)), three(at.pad, 0))
    w = Pools(shape[0], *lengths, 0)
    for name in WANTED:
        arrays = {**given, "g": x} if name == "max_tangent" else given
        made = x.shape if name.endswith("image") else y.shape
        wide, other = (each(name, w, arrays, made, 1) for each in (kernels, narrow))
        np.testing.assert_array_equal(wide.view("uint8"), other.view("uint8"), f"{name} {at}")


@pytest.mark.parametrize("seed", range(24))
def test_random_windows(seed: int, kernels: Kernels) -> None:
    rng = np.random.default_rng(seed)
    at, shape = drawn(rng)
    dtype = np.dtype(kernels.dtype)
    counted = int(rng.integers(3)) if dtype.kind == "f" else 0
    x, v = (rng.integers(0, 9, shape).astype(dtype) for _ in range(2))
    y = reference.combined(x, at, largest=True)
    g = rng.integers(1, 9, y.shape).astype(dtype)
    given = {"x": x, "y": y, "g": g, "v": v}
    lengths = (*map(three, (shape[1:], y.shape[1:], at.ws, at.stride)), three(at.pad, 0))
    for name in WANTED:
        w = Pools(shape[0], *lengths, counted if name.startswith("sum") else 0)
        arrays = {**given, "g": v} if name == "max_tangent" else given
        wanted = expected(name, at, given, counted)
        found = [kernels(name, w, arrays, wanted.shape, threads) for threads in (1, 2)]
        np.testing.assert_allclose(found[0], wanted, rtol=1e-5, err_msg=f"{name} {at} {shape}")
        np.testing.assert_array_equal(*found)

"""Times behind the estimates by which convolutions choose between transforms and products.

    python -m benchmarks.convolution_costs

For each algorithm, a library is compiled that has no other, with vectors of eight numbers in single
precision, and Fourier transforms of tiles of 64 x 64 elements. One thread computes convolutions of
several shapes, each several times; the shortest time of the processor counts. The numbers of the
estimates are fitted to these times (least squares of relative errors), and are printed beside those
of the library's declaration. For images, which are scattered or gathered by an estimate that counts
products, it prints how often the faster way is chosen.
"""

from __future__ import annotations

import ctypes
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

import numpy as np

from symtheano.codegen.convolutions import LIBRARY
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import Toolchain, find_toolchain
from symtheano.codegen.runtime.own_library import load_libraries

RESULT, IMAGE, FILTER = (LIBRARY.wanted.index(name) for name in ("result", "image", "filter"))
ALGORITHMS = {each.name: each for each in LIBRARY.algorithms}
TILE, ROUNDS = 64, 5
# Items, groups, channels, filters, length of an image along both axes, and of a filter.
SHAPES = [
    (n, 1, c, o, length, k)
    for k in (9, 17)
    for length in (96, 160)
    for n, c, o in ((1, 4, 4), (2, 16, 8), (8, 2, 16), (1, 64, 64), (4, 32, 32), (2, 8, 128))
]
SMALL = [
    (1, 1, c, o, length, k)
    for k in (3, 5, 7)
    for length in (40, 80)
    for c, o in ((1, 16), (3, 16), (8, 32), (32, 8), (16, 64), (4, 4))
]
Shape = tuple[int, int, int, int, int, int]
Terms = Callable[[Shape], Sequence[float]]


def tiles_of(shape: Shape, out: int) -> int:
    """Return the tiles of all items."""
    return int(shape[0] * ceil(out / (TILE - shape[5] + 1)) ** 2)


def overlap_terms(shape: Shape) -> tuple[float, ...]:
    """Return what the numbers of ``overlap_cost`` are multiplied by."""
    _, groups, c, o, length, k = shape
    units = floor((tiles_of(shape, length - k + 1) + 7) / 8) * groups
    area = TILE**2
    return area * units * (c + o), area * units * c * o, area * ((groups * c * o + 7) // 8)


def product_terms(shape: Shape) -> tuple[float, ...]:
    """Return the same for ``product_cost``."""
    n, groups, c, o, length, k = shape
    out = length - k + 1
    vectors = n * groups * c * k**2 * out * ((out + 7) // 8)
    return vectors * o, vectors * ((o + 5) // 6), vectors * (o > 4)


def correlation_terms(shape: Shape) -> tuple[float, ...]:
    """Return the same for ``correlation_cost``."""
    _, groups, c, o, length, k = shape
    tiles, area = tiles_of(shape, length - k + 1), groups * TILE**2
    transforms, sums = (c + 7) // 8 + (o + 7) // 8, (max(c, o) + 7) // 8 * min(c, o)
    return area * tiles * transforms, area * tiles * sums, area * sums


def sum_terms(shape: Shape) -> tuple[float, ...]:
    """Return the same for the sums of products to which it is compared."""
    n, groups, c, o, length, k = shape
    return (n * groups * c * o * k**2 * (length - k + 1) ** 2 / 8,)


def is_scattered(shape: Shape, stride: int) -> bool:
    """Return what ``fits_scatter`` says, for vectors of eight numbers."""
    _, _, c, o, length, k = shape
    out = (length - k) // stride + 1
    vectors, gathered = out * ceil(out / 8) * 8, (length / stride) ** 2
    cost = {name: cost.value for name, cost in ALGORITHMS["scatter"].costs.items()}
    runs, stores = cost["run"] * 16 * stride / length, cost["store"] * (stride > 1)
    copies = cost["direct"] if c <= 4 else cost["copy"] + runs + stores
    return vectors * c * (1 + cost["add"] / o) < gathered * (c + copies)


# The algorithm, what it computes, and the names of its costs with their terms.
ESTIMATES: tuple[tuple[str, int, Terms, tuple[str, ...]], ...] = (
    ("overlap", RESULT, overlap_terms, ("transform", "pair", "filter")),
    ("gather", RESULT, product_terms, ("multiply", "load", "copy")),
    ("correlation", FILTER, correlation_terms, ("transform", "add", "restore")),
    ("across", FILTER, sum_terms, ("multiply",)),
)


def numbers_of(name: str, costs: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return the library's numbers for the terms of an estimate."""
    numbers = [ALGORITHMS[name].costs[cost].value for cost in costs]
    if name == "gather":  # loads are counted in multiplications
        numbers[1] *= numbers[0]
    return np.array(numbers)


def library(algorithm: str, toolchain: Toolchain, directory: str) -> ctypes.CDLL:
    """Return a library that has one algorithm, and what its file needs."""
    files = {"correlation": ("fourier", "tiling", "overlap", "correlation")}
    one = ALGORITHMS[algorithm]
    head = ALGORITHMS["overlap"].head if algorithm in files else one.head
    one = replace(one, by_elements=False, files=files.get(algorithm, one.files), head=head)
    text = replace(LIBRARY, algorithms=(one,), words=LIBRARY.costs).text("f32")
    text = re.sub(
        r"lengths\[\] = \{[^}]*\}", f"lengths[] = {{{TILE}, {TILE}, {TILE}, {TILE}}}", text
    )
    text = text.replace("LEAST_GAIN = 20000", "LEAST_GAIN = -2000000000")
    text = re.sub(r"return vectors \* w->c .*;", "return 1;", text)
    unit = Unit(text, (*LIBRARY.flags, "-mno-avx512f"))
    loaded = load_libraries({algorithm: unit}, toolchain, directory)
    assert loaded
    loaded[algorithm].st_convolution_memory.restype = ctypes.c_int64
    return loaded[algorithm]


def time_of(kernels: ctypes.CDLL, wanted: int, shape: Shape, stride: int = 1) -> float:
    """Return the nanoseconds of one convolution."""
    n, groups, c, o, length, k = shape
    out = (length - k) // stride + 1
    lengths = [(1, x, x) for x in (length, k, out)]
    lengths += [(0, 0, 0), (1, stride, stride), (1, 1, 1)]
    numbers = (n, groups, c, o, *(x for axes in lengths for x in axes), 0, 0)
    windows = ctypes.byref((ctypes.c_int64 * len(numbers))(*numbers))
    sizes = ((n, groups * c, length, length), (groups * o, c, k, k), (n, groups * o, out, out))
    image, filters, result = (np.full(size, 0.5, "float32") for size in sizes)
    arrays = [(image, filters, result), (filters, result, image), (image, result, filters)][wanted]
    memory = np.zeros(kernels.st_convolution_memory(wanted, windows, 1), "uint8")
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, memory)]
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.thread_time_ns()
        done = kernels.st_convolve(
            wanted, windows, 1, *addresses, ctypes.c_int64(memory.size), *[None] * 3,
            ctypes.c_int64(0),
        )  # fmt: skip
        best = min(best, time.thread_time_ns() - begin)
        assert done == 1
    return best


def main() -> None:
    """Print the numbers of all estimates."""
    toolchain = find_toolchain()
    with tempfile.TemporaryDirectory() as directory:
        for name, wanted, terms, costs in ESTIMATES:
            ours = numbers_of(name, costs)
            kernels = library(name, toolchain, Cache(directory).place)
            times = np.array([time_of(kernels, wanted, shape) for shape in SHAPES])
            rows = np.array([terms(shape) for shape in SHAPES]) / times[:, None]
            fitted = np.linalg.lstsq(rows, np.ones(len(times)), rcond=None)[0]
            ratios = 1 / (rows @ ours)
            spread = np.round(np.percentile(ratios, [10, 50, 90]), 2)
            print(f"{name}: fitted {np.round(fitted, 3)}, library {ours};", end=" ")
            print(f"time over the library's estimate {spread}")
        choices(toolchain, Cache(directory).place)


def choices(toolchain: Toolchain, directory: str) -> None:
    """Print how good the choices between scattering and gathering are."""
    both = [library(name, toolchain, directory) for name in ("gather", "scatter")]
    for stride in (1, 2):
        losses = []
        for shape in SMALL:
            times = [time_of(kernels, IMAGE, shape, stride) for kernels in both]
            losses.append(times[is_scattered(shape, stride)] / min(times))
        print(
            f"scatter or gather, stride {stride}: {losses.count(1)} of {len(losses)} choices are",
            end=" ",
        )
        print(f"right; wrong ones take up to {max(losses):.2f} times as long")


if __name__ == "__main__":
    main()

"""Our own convolutions, called directly with windows of any kind."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtheano.codegen.convolutions import LIBRARY
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.own_library import load_libraries
from symtheano.codegen.runtime.packed import PackedFilters
from symtheano.dataclass import replace

Array = np.ndarray[Any, Any]

_Three = ctypes.c_int64 * 3


class Windows(ctypes.Structure):
    """``st_windows``."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("n", "groups", "c", "o")),
        *((name, _Three) for name in "iktpsd"),
        *((name, ctypes.c_int64) for name in ("flip", "unshared")),
    )


# The algorithms that are for all shapes. With few others, a library compiles in half the time.
_GENERAL = ("gather", "sums", "across")


def eager_source(suffix: str, variant: str = "default", only: Collection[str] = ()) -> str:
    """Return the C text of a library that uses all threads for little work, too.

    With ``only``, it has these algorithms and those for windows of any kind.
    """
    chosen = {*only, *_GENERAL} if only else {each.name for each in LIBRARY.algorithms}
    algorithms = tuple(each for each in LIBRARY.algorithms if each.name in chosen)
    text = replace(LIBRARY, algorithms=algorithms).text(suffix, variant)
    assert "WORK = 500000" in text
    return text.replace("WORK = 500000", "WORK = 1")


def fast_source(suffix: str) -> str:
    """Return the C text of a library with larger tiles of Winograd's algorithm."""
    return eager_source(suffix, "fast", ["winograd"])


def transforming_source(suffix: str) -> str:
    """Return the C text of a library that uses Fourier transforms where it can."""
    text = eager_source(suffix, only=["overlap", "correlation"])
    assert "LEAST_GAIN = 20000" in text
    return text.replace("LEAST_GAIN = 20000", "LEAST_GAIN = -2000000000")


class Kernels:
    """The kernels of one dtype."""

    def __init__(
        self,
        suffix: str,
        toolchain: Toolchain,
        cache: Cache,
        source: Callable[[str], str] = eager_source,
    ) -> None:
        # Overflows of signed integers are undefined, so that sanitizers report them.
        flags = (*LIBRARY.flags, "-fno-wrapv")
        units = {each: Unit(source(each), flags) for each in LIBRARY.suffixes}
        libraries = load_libraries(units, toolchain, cache.place)
        assert libraries is not None
        self.library = libraries[suffix]
        self.library.st_convolution_memory.restype = ctypes.c_int64
        self.dtype = LIBRARY.suffixes[suffix]

    def measure(self, wanted: int, w: Windows, threads: int) -> int:
        """Return how many bytes of memory a call needs; 0 if there is no kernel."""
        return int(self.library.st_convolution_memory(wanted, ctypes.byref(w), threads))

    def __call__(
        self,
        wanted: int,
        w: Windows,
        arrays: Sequence[Array],
        shape: Any,
        threads: int,
        packed: PackedFilters | None = None,
        call: int = 1,
    ) -> Array:
        """Compute an array of a shape; the memory is as large as it says, and full of NaN.

        Filters that never change are packed once, under the number of a call.
        """
        run = self.library.st_convolve
        size = self.measure(wanted, w, threads)
        memory = np.full(size + 64, 255, np.uint8)
        made = np.full(shape, np.nan, self.dtype)
        given = (array.ctypes.data for array in (*arrays, made))
        done = run(
            wanted, ctypes.byref(w), threads, *map(ctypes.c_void_p, given),
            ctypes.c_void_p(memory.ctypes.data), ctypes.c_int64(size), None, None,
            ctypes.c_void_p(packed and packed.address), ctypes.c_int64(call),
        )  # fmt: skip
        assert done == 1
        assert (memory[size:] == 255).all()
        return made


def three(values: Any, missing: int = 1) -> Any:
    """Return three numbers: those that are missing come first."""
    return _Three(*[missing] * (3 - len(values)), *(int(v) for v in values))


class Shape(NamedTuple):
    """The windows of a convolution; ``i``, ``k`` and the rest have a number for each axis.

    ``p`` are the zeros before an image, and behind it if ``behind`` is None.
    """

    n: int
    groups: int
    c: int
    o: int
    i: tuple[int, ...]
    k: tuple[int, ...]
    p: tuple[int, ...]
    s: tuple[int, ...]
    d: tuple[int, ...]
    flip: bool
    behind: tuple[int, ...] | None = None

    @property
    def t(self) -> tuple[int, ...]:
        """The number of positions along each axis."""
        behind = self.p if self.behind is None else self.behind
        along = zip(self.i, self.k, self.p, behind, self.s, self.d, strict=True)
        return tuple((i + p + q - (k - 1) * d - 1) // s + 1 for i, k, p, q, s, d in along)


def windows(shape: Shape) -> Windows:
    """Return a shape in C."""
    n, groups, c, o, i, k, p, s, d, flip, _ = shape
    t = three(shape.t)
    return Windows(n, groups, c, o, three(i), three(k), t, three(p, 0), three(s), three(d), flip, 0)

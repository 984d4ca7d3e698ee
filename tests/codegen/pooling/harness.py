"""Our own pooling, called directly with windows of any kind."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.pooling import LIBRARY, WANTED
from symtheano.codegen.runtime.own_library import load_libraries

Array = np.ndarray[Any, Any]

_Three = ctypes.c_int64 * 3


class Pools(ctypes.Structure):
    """``st_pools``."""

    _fields_ = (
        ("n", ctypes.c_int64),
        *((name, _Three) for name in "itksp"),
        ("counted", ctypes.c_int64),
    )


def eager_source(suffix: str) -> str:
    """Return the C text of a library that uses all threads for little work, too."""
    text = LIBRARY.text(suffix)
    assert "WORK = 100000" in text
    return text.replace("WORK = 100000", "WORK = 1")


class Kernels:
    """The kernels of one dtype."""

    def __init__(
        self, suffix: str, toolchain: Toolchain, cache: Cache, flags: Sequence[str] = ()
    ) -> None:
        units = {suffix: Unit(eager_source(suffix), (*LIBRARY.flags, *flags))}
        libraries = load_libraries(units, toolchain, cache.place)
        assert libraries is not None
        self.library = libraries[suffix]
        self.library.st_pooling_memory.restype = ctypes.c_int64
        self.dtype = LIBRARY.suffixes[suffix]

    def measure(self, wanted: str, w: Pools, threads: int) -> int:
        """Return how many bytes of memory a call needs; 0 if there is no kernel."""
        number = WANTED.index(wanted)
        return int(self.library.st_pooling_memory(number, ctypes.byref(w), threads))

    def __call__(
        self, wanted: str, w: Pools, arrays: Mapping[str, Array], shape: Any, threads: int
    ) -> Array:
        """Compute an array of a shape; the memory is as large as it says, and full of NaN."""
        number = WANTED.index(wanted)
        size = self.measure(wanted, w, threads)
        memory = np.full(size + 128, 255, np.uint8)
        start = -memory.ctypes.data % 64
        made = np.full(shape, 99, self.dtype)
        given = [arrays[name].ctypes.data if name in arrays else None for name in "xyg"]
        address = ctypes.c_void_p(memory.ctypes.data + start)

        def run(size: int) -> int:
            return int(
                self.library.st_pool(
                    number, ctypes.byref(w), threads, *map(ctypes.c_void_p, given),
                    ctypes.c_void_p(made.ctypes.data), address, ctypes.c_int64(size),
                )
            )  # fmt: skip

        assert run(size - 1) == 0
        assert run(size) == 1
        assert (memory[start + size :] == 255).all()
        return made


def three(values: Any, missing: int = 1) -> Any:
    """Return three numbers: those that are missing come first."""
    return _Three(*[missing] * (3 - len(values)), *(int(v) for v in values))

"""Libraries of drivers: C that asks a device, which is compiled when it is first needed."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import LoadedLibrary, Resource
from symtheano.codegen.template import file_text, fill

# The files that a driver includes.
_PARTS = {
    "emulated_driver.c": ("driver.h", "times.h", "allocator.h", "wide.h"),
    "cuda_driver.c": (
        *("driver.h", "times.h", "cuda_library.c", "cuda_memory.c", "cuda_streams.c"),
        *("allocator.h", "wide.h", "cuda_pool.c", "cuda_copies.c", "cuda_products.c"),
        *("cuda_biases.c", "cuda_graphs.c", "cuda_calls.c"),
        *("cuda_transforms.c", "cuda_batches.c", "cuda_matrices.c"),
        *("cuda_convolutions.c", "cuda_poolings.c"),
    ),
}
_FLAGS = ("-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-O1", "-pthread")


def load_driver(name: str, toolchain: Toolchain, directory: str) -> LoadedLibrary:
    """Return the library of a driver.

    Parameters
    ----------
    name
        Its file in ``codegen/cuda``.
    toolchain
        The C compiler.
    directory
        The directory of the cache.
    """
    from symtheano.codegen import cuda

    words = {part: file_text(cuda.__file__, part) for part in _PARTS[name]}
    text = fill(file_text(cuda.__file__, name), words)
    toolchain = toolchain._replace(flags=_FLAGS, link_flags=("-ldl",))
    return Cache(directory).load(text, toolchain, LoadedLibrary)


@cache
def table_of(library: LoadedLibrary) -> type[Resource]:
    """Return the class of addresses of a driver's tables, which are unloaded with these objects."""
    unload = library.st_unload
    unload.argtypes, unload.restype = [ctypes.c_void_p], None

    def finalize(table: int, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # By the end of the process, the driver may be gone.
        if not ending():
            unload(table)

    return type("DriverTable", (Resource,), {"__slots__": (), "__del__": finalize})

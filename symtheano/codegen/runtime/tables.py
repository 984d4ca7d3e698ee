"""Tables of our own convolutions and pooling, for generated code."""

from __future__ import annotations

import ctypes
from functools import cache

from symtheano.codegen.native.later import Later
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import symbol_address
from symtheano.codegen.runtime.own_library import library_unit, load_libraries, own_library


class KernelTable(ctypes.Structure):
    """``st_kernels`` of ``kernels.inc``."""

    _fields_ = (("memory", ctypes.c_void_p), ("run", ctypes.c_void_p))


@cache
def kernel_table(name: str, toolchain: Toolchain, directory: str, algorithms: str) -> KernelTable:
    """Return the table of kernels for one dtype.

    It lives as long as the process.

    Kernels that are not in the cache are compiled in the background; plain loops compute until
    they are in the table, and always if there are none for the dtype.

    Parameters
    ----------
    name
        What the file is linked with, such as ``convolution_f32``.
    toolchain, directory
        The compiler, and the cache.
    algorithms
        The option ``convolution``.
    """
    start, _, suffix = name.partition("_")
    library = own_library(start)
    table = KernelTable()
    if suffix in library.suffixes:
        units = {suffix: library_unit(library, suffix, algorithms)}

        def fill(wait: bool) -> bool:
            """Fill the table; return False if the library is missing, and must be compiled."""
            loaded = load_libraries(units, toolchain, directory, wait)
            for each in (loaded or {}).values():
                # Calls may read it at any time: each pointer is written atomically.
                table.memory = symbol_address(each, library.exports["memory"])
                table.run = symbol_address(each, library.exports["run"])
            return loaded is not None

        if not fill(wait=False):
            _filling.append(Later(lambda: fill(wait=True)))
    return table


_filling: list[Later[bool]] = []


def wait_for_kernels() -> None:
    """Wait until all tables of the process are filled."""
    for later in _filling:
        later.result()

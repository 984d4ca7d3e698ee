"""The table of our own convolutions for generated code."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache, partial

from symtheano.codegen.convolutions.kernels import (
    KERNEL_FLAGS,
    KERNEL_TYPES,
    kernels_source,
)
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import symbol_address
from symtheano.codegen.runtime.own_library import OwnLibrary


class _Table(ctypes.Structure):
    """``st_convolutions`` of ``table.c``."""

    _fields_ = (
        ("memory", ctypes.c_void_p * len(KERNEL_TYPES)),
        ("run", ctypes.c_void_p * len(KERNEL_TYPES)),
    )


@cache
def convolution_table(toolchain: Toolchain, directory: str, algorithms: str) -> ctypes.Structure:
    """Return the table ``st_convolutions`` for a value of the option ``convolution``.

    It lives as long as the process.

    Kernels that are not in the cache are compiled in the background; plain loops compute until
    they are in the table.
    """
    tools = toolchain.with_flags(KERNEL_FLAGS)
    source = partial(kernels_source, algorithms=algorithms)
    library = OwnLibrary(source, KERNEL_TYPES, tools, directory)
    table = _Table()
    found = library.load(wait=False)
    if found is None:
        _filling.append(Later(lambda: _fill(table, library.load() or {})))
    else:
        _fill(table, found)
    return table


_filling: list[Later[None]] = []


def wait_for_kernels() -> None:
    """Wait until all tables of the process are filled."""
    for later in _filling:
        later.result()


def _fill(table: _Table, libraries: Mapping[str, ctypes.CDLL]) -> None:
    for suffix, found in libraries.items():
        # Calls may read it at any time: each pointer is written atomically.
        number = KERNEL_TYPES.index(suffix)
        table.memory[number] = symbol_address(found, "st_convolution_memory")
        table.run[number] = symbol_address(found, "st_convolve")

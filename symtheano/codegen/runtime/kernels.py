"""Tables of our own convolutions and pooling, for generated code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import symbol_address
from symtheano.codegen.runtime.own_library import OwnLibrary


class KernelTable(ctypes.Structure):
    """``st_kernels`` of ``kernels.inc``."""

    _fields_ = (("memory", ctypes.c_void_p), ("run", ctypes.c_void_p))


class _Kind(NamedTuple):
    """A kind of kernels: what their libraries export, and of what they are made."""

    memory: str
    run: str
    suffixes: tuple[str, ...]
    flags: tuple[str, ...]
    source: Callable[[str], str]


def _convolutions(algorithms: str) -> _Kind:
    from symtheano.codegen.convolutions.kernels import KERNEL_FLAGS, KERNEL_TYPES, kernels_source

    source = partial(kernels_source, algorithms=algorithms)
    return _Kind("st_convolution_memory", "st_convolve", KERNEL_TYPES, KERNEL_FLAGS, source)


def _pooling(algorithms: str) -> _Kind:
    from symtheano.codegen.pooling.kernels import KERNEL_DTYPES, kernels_source

    return _Kind("st_pooling_memory", "st_pool", tuple(KERNEL_DTYPES), (), kernels_source)


_KINDS = {"convolution": _convolutions, "pooling": _pooling}


def kernel_units(algorithms: str = "default") -> dict[str, Unit]:
    """Return what is compiled for all tables, by their names."""
    units = {}
    for start, kind_of in _KINDS.items():
        kind = kind_of(algorithms)
        for suffix in kind.suffixes:
            units[f"{start}_{suffix}"] = Unit(kind.source(suffix), kind.flags)
    return units


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
    kind = _KINDS[start](algorithms)
    table = KernelTable()
    if suffix in kind.suffixes:
        library = OwnLibrary(kind.source, (suffix,), toolchain, directory, kind.flags)
        if not _fill(table, kind, library, wait=False):
            _filling.append(Later(lambda: _fill(table, kind, library, wait=True)))
    return table


_filling: list[Later[bool]] = []


def wait_for_kernels() -> None:
    """Wait until all tables of the process are filled."""
    for later in _filling:
        later.result()


def _fill(table: KernelTable, kind: _Kind, library: OwnLibrary, wait: bool) -> bool:
    """Fill a table; return False if the library is missing, and must be compiled."""
    libraries = library.load(wait)
    if libraries is None:
        return False
    for found in libraries.values():
        # Calls may read it at any time: each pointer is written atomically.
        table.memory = symbol_address(found, kind.memory)
        table.run = symbol_address(found, kind.run)
    return True

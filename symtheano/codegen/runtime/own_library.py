"""Own libraries, compiled once per machine and dtype: found, compiled and loaded."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module

from symtheano.codegen.library import Library
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.errors import CompileError

_PACKAGES = {"product": "products", "convolution": "convolutions", "pooling": "pooling"}
"""The own libraries by name, and the packages of ``codegen`` that declare them."""


def own_library(name: str) -> Library:
    """Return the library of a name.

    Examples
    --------
    >>> own_library("product").dtypes
    ('float32', 'float64')
    """
    library: Library = import_module(f"symtheano.codegen.{_PACKAGES[name]}").LIBRARY
    return library


def library_units(library: Library, variant: str | None = None) -> dict[str, Unit]:
    """Return what is compiled for a library, by short names of dtypes."""
    return {suffix: library_unit(library, suffix, variant) for suffix in library.suffixes}


def library_unit(library: Library, suffix: str, variant: str | None = None) -> Unit:
    """Return what is compiled for one dtype."""
    return Unit(library.text(suffix, variant), library.flags)


def own_units() -> Iterator[tuple[str, Unit]]:
    """Yield what is compiled for all libraries in their usual variants, with names.

    Examples
    --------
    >>> next(own_units())[0]
    'product_f32'
    """
    for name in _PACKAGES:
        for suffix, unit in library_units(own_library(name)).items():
            yield f"{name}_{suffix}", unit


def load_libraries(
    units: Mapping[str, Unit], toolchain: Toolchain, directory: str, wait: bool = True
) -> Mapping[str, ctypes.CDLL] | None:
    """Return the loaded libraries by the names of units; those that are missing are compiled.

    They are compiled side by side. A compiler without vector types rejects them: there is no
    library then.

    Parameters
    ----------
    units
        What is loaded.
    toolchain, directory
        The compiler, and the cache.
    wait
        Whether missing ones are compiled; otherwise, None is returned if one is missing.
    """
    store = Cache(directory)
    loaded: dict[str, ctypes.CDLL] = {}
    missing = []
    for name, unit in units.items():
        library = find_unit(unit, toolchain, store, ctypes.CDLL)
        if library is None:
            missing.append(name)
        else:
            loaded[name] = library
    if missing and not wait:
        return None

    def compiled(name: str) -> None:
        with suppress(CompileError):
            loaded[name] = load_unit(units[name], toolchain, store, ctypes.CDLL)

    for one in [Later(partial(compiled, name)) for name in missing]:
        one.result()
    return loaded

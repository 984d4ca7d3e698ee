"""Our own kernels: C libraries that are compiled once per machine and element type."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.dataclass import dataclass
from symtheano.errors import CompileError


@dataclass(frozen=True)
class OwnLibrary:
    """The texts of a library, one for each element type, in a compiler and a cache.

    Attributes
    ----------
    source
        Function that returns the C text for a suffix.
    suffixes
        Short names of the element types.
    toolchain, directory
        The compiler, and the cache.
    flags
        Flags in addition to those of generated code.
    """

    source: Callable[[str], str]
    suffixes: tuple[str, ...]
    toolchain: Toolchain
    directory: str
    flags: tuple[str, ...] = ()

    def units(self) -> dict[str, Unit]:
        """Return what is compiled, by suffix."""
        return {suffix: Unit(self.source(suffix), self.flags) for suffix in self.suffixes}

    def load(self, wait: bool = True) -> Mapping[str, ctypes.CDLL] | None:
        """Return the loaded libraries by suffix; those that are missing are compiled side by side.

        A compiler without vector types rejects them: there is no library then. Without ``wait``,
        nothing is compiled, and None is returned if one is missing.
        """
        store = Cache(self.directory)
        units = self.units()
        found: dict[str, ctypes.CDLL] = {}
        missing = []
        for suffix, unit in units.items():
            library = find_unit(unit, self.toolchain, store, ctypes.CDLL)
            if library is None:
                missing.append(suffix)
            else:
                found[suffix] = library
        if missing and not wait:
            return None

        def compiled(suffix: str) -> None:
            with suppress(CompileError):
                found[suffix] = load_unit(units[suffix], self.toolchain, store, ctypes.CDLL)

        for one in [Later(partial(compiled, suffix)) for suffix in missing]:
            one.result()
        return found

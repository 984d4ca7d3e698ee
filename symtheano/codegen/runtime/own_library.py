"""Our own kernels: C libraries that are compiled once per machine and element type."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.later import Later
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
        The compiler, with the flags of the library, and the cache.
    """

    source: Callable[[str], str]
    suffixes: tuple[str, ...]
    toolchain: Toolchain
    directory: str

    def is_compiled(self) -> bool:
        """Return whether all texts are in the cache."""
        return not self._missing()

    def load(self) -> Mapping[str, ctypes.CDLL]:
        """Return the loaded libraries by suffix; those that are missing are compiled side by side.

        A compiler without vector types rejects them: there is no library then.
        """
        found: dict[str, ctypes.CDLL] = {}
        missing = self._missing()
        for one in [Later(partial(self._load, suffix, found)) for suffix in missing]:
            one.result()
        for suffix in self.suffixes:
            if suffix not in missing:
                self._load(suffix, found)
        return found

    def _load(self, suffix: str, found: dict[str, ctypes.CDLL]) -> None:
        with suppress(CompileError):
            store = Cache(self.directory)
            found[suffix] = store.load(self.source(suffix), self.toolchain, ctypes.CDLL)

    def _missing(self) -> Sequence[str]:
        store = Cache(self.directory)
        keys = ((s, entry_key(self.source(s), self.toolchain)) for s in self.suffixes)
        return [suffix for suffix, key in keys if store.path_of(key) is None]

"""Programs whose optimized code is still being compiled, and the first tier of their code.

Functions of one program share both, as they share the library in the cache later.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.later import Later
from symtheano.codegen.record import Record
from symtheano.codegen.runtime.library import LoadedLibrary
from symtheano.graph.forks import after_fork


class Tier:
    """The first tier of a program.

    Attributes
    ----------
    record
        How the program is called.
    library
        The library that is not optimized.
    optimized
        The one that is.
    """

    optimized: Later[LoadedLibrary]

    def __init__(self, record: Record, library: LoadedLibrary, place: str) -> None:
        self.record, self.library = record, library
        self._place = place
        self._graphs: list[str] = []

    def _begin(self, compile_optimized: Callable[[], LoadedLibrary], store: Cache) -> None:
        def finish() -> LoadedLibrary:
            try:
                library = compile_optimized()
                record = self.record.to_bytes()
                if record is not None:
                    for graph in self._graphs:
                        store.remember(graph, record)
            finally:
                with _registering:
                    for key in (self.record.library, *self._graphs):
                        _unfinished.pop((self._place, key), None)
            return library

        self.optimized = Later(finish)

    def add_graph(self, key: str) -> None:
        """Let functions of a graph find the tier, and its record be stored with the library."""
        with _registering:
            if (self._place, self.record.library) in _unfinished:
                self._graphs.append(key)
                _unfinished[self._place, key] = self


_unfinished: dict[tuple[str, str], Tier] = {}
_registering = RLock()


@after_fork
def _renew_lock() -> None:
    global _registering
    _registering = RLock()


def unfinished_tier(store: Cache, key: str) -> Tier | None:
    """Return the tier of a library, or of a graph, whose optimized code is being compiled."""
    return _unfinished.get((store.place, key))


def begin_tier(
    record: Record,
    library: LoadedLibrary,
    store: Cache,
    compile_optimized: Callable[[], LoadedLibrary],
) -> Tier:
    """Start compiling the optimized code of a program in the background.

    Parameters
    ----------
    record
        How the program is called.
    library
        The first tier.
    store
        The cache of the optimized code.
    compile_optimized
        Compiles it, and loads it.
    """
    tier = Tier(record, library, store.place)
    with _registering:
        _unfinished[store.place, record.library] = tier
        tier._begin(compile_optimized, store)
    return tier

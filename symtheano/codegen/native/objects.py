"""Object files of routines, which many programs are linked with.

They are entries of the cache like libraries, and units that may have been compiled ahead.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from symtheano.codegen.native.entries import read_own
from symtheano.codegen.native.first_tier import compile_first_tier, unoptimized_toolchain
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.parts import Division, divide
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit
from symtheano.codegen.native.toolchain import Toolchain, compile_shared
from symtheano.graph.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    from symtheano.codegen.c.program import CSource
    from symtheano.codegen.native.cache import Cache
    from symtheano.codegen.native.entries import StrPath


def object_unit(text: str) -> Unit:
    """Return a text as a unit that is compiled to an object file."""
    return Unit(text, ("-c",))


class Translation:
    """A program that is compiled to a library; the object files of its routines are in a cache.

    Parameters
    ----------
    source
        The program.
    store
        The cache.
    toolchain
        The compiler.
    """

    def __init__(self, source: CSource, store: Cache, toolchain: Toolchain) -> None:
        self._source, self._store, self._toolchain = source, store, toolchain
        self._compiled: dict[int, bytes] = {}

    @lazy
    def _separated(self) -> tuple[str, tuple[str, ...]]:
        return self._source.separate()

    @lazy
    def _objects(self) -> list[Later[bytes]]:
        return [
            _begin_object(object_unit(routine), self._toolchain, self._store)
            for routine in self._separated[1]
        ]

    @lazy
    def _division(self) -> Division:
        return divide(self._separated[0])

    def first_tier(self) -> Callable[[str], None] | None:
        """Return a function that makes the library of the first tier, at a path.

        Returns
        -------
        None if the program has none.
        """
        quick = unoptimized_toolchain(self._toolchain)
        if quick is None or self._division.free is None:
            return None
        return partial(self._make_first_tier, quick)

    def _make_first_tier(self, quick: Toolchain, target: str) -> None:
        self._compiled = compile_first_tier(
            self._division, self._objects, target, self._toolchain, quick
        )

    def make(self, text: str, target: StrPath, toolchain: Toolchain) -> None:
        """Compile the program; see :func:`symtheano.codegen.native.toolchain.compile_shared`.

        Raises
        ------
        CompileError
            See :func:`symtheano.codegen.native.toolchain.compile_shared`.
        """
        compile_shared(
            text,
            target,
            toolchain,
            body=self._separated[0],
            objects=self._objects,
            compiled=self._compiled,
        )


def _begin_object(unit: Unit, toolchain: Toolchain, store: Cache) -> Later[bytes]:
    content = find_unit(unit, toolchain, store, read_own)
    if content is not None:
        return Later.of(content)
    return Later(partial(load_unit, unit, toolchain, store, read_own, quiet=True))

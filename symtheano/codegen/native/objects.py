"""Object files of routines, which many programs are linked with.

They are entries of the cache like libraries, and units that may have been compiled ahead.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from symtheano.codegen.native.entries import read_own
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit
from symtheano.codegen.native.toolchain import Toolchain, compile_shared

if TYPE_CHECKING:
    from symtheano.codegen.c.program import CSource
    from symtheano.codegen.native.cache import Cache
    from symtheano.codegen.native.entries import StrPath


def object_unit(text: str) -> Unit:
    """Return a text as a unit that is compiled to an object file."""
    return Unit(text, ("-c",))


def compile_program(
    source: CSource, store: Cache, text: str, target: StrPath, toolchain: Toolchain
) -> None:
    """Compile a program to a library; the object files of its routines are taken from a cache.

    Parameters
    ----------
    source
        The program.
    store
        The cache.
    text, target, toolchain
        As for :func:`symtheano.codegen.native.toolchain.compile_shared`.

    Raises
    ------
    CompileError
        See :func:`symtheano.codegen.native.toolchain.compile_shared`.
    """
    body, routines = source.separate()
    objects = [_begin_object(object_unit(routine), toolchain, store) for routine in routines]
    compile_shared(text, target, toolchain, body=body, objects=objects)


def _begin_object(unit: Unit, toolchain: Toolchain, store: Cache) -> Later[bytes]:
    content = find_unit(unit, toolchain, store, read_own)
    if content is not None:
        return Later.of(content)
    return Later(partial(load_unit, unit, toolchain, store, read_own, quiet=True))

"""The first tier: a library with few optimizations, for calls until the optimized one is compiled.

Compiling with few optimizations takes a third of the time; with none it takes a fifth, but calls
take ten times as long. Results have the same bits: the parts of a text whose results depend on the
optimizer (``parts.py``), and routines, are optimized in both libraries, and compiled once.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from symtheano.codegen.native.compiler import run_compiler, unoptimized
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.machine import processor_levels
from symtheano.codegen.native.prebuilt import is_plain
from symtheano.codegen.native.toolchain import Toolchain, write_bytes, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symtheano.codegen.native.parts import Division

_TIMEOUT = 600.0


def unoptimized_toolchain(toolchain: Toolchain) -> Toolchain | None:
    """Return the toolchain for the first tier; None if results may have other bits with it.

    So it is with flags that are the user's, and without fused multiplications, because functions
    of the C library replace some of our own then.
    """
    flags = unoptimized(toolchain.flags) if is_plain(toolchain) else None
    if flags is None or "x86-64-v3" not in processor_levels():
        return None
    return toolchain._replace(flags=flags)


def compile_first_tier(
    division: Division,
    objects: Sequence[Later[bytes]],
    target: str,
    toolchain: Toolchain,
    quick: Toolchain,
) -> dict[int, bytes]:
    """Compile a library without optimization.

    Parameters
    ----------
    division
        The text, which has a part that is free.
    objects
        Contents of object files of routines.
    target
        The library to make, in a directory that has no other files.
    toolchain, quick
        The compiler, and the one from :func:`unoptimized_toolchain`.

    Returns
    -------
    The object files of the fixed parts, by their numbers.

    Raises
    ------
    CompileError
        If the compiler fails.
    OSError
        If files can't be written.
    """
    assert division.free is not None
    workplace, name = os.path.split(target)

    def run(tools: Toolchain, *arguments: str) -> None:
        run_compiler(tools.command, (*tools.flags, *arguments), workplace, _TIMEOUT)

    def place(name: str) -> str:
        return os.path.join(workplace, name)

    running: list[Later[None]] = []
    fixed = sorted(division.fixed)
    for number in fixed:
        write_text(division.parts[number], place(f"{number}.c"))
        running.append(Later(partial(run, toolchain, "-c", f"{number}.c", "-o", f"{number}.o")))
    write_text(division.free, place("free.c"))
    run(quick, "-c", "free.c", "-o", "free.o")
    linked = [f"routine{number}.o" for number in range(len(objects))]
    for path, content in zip(linked, objects, strict=True):
        write_bytes(content.result(), place(path))
    for one in running:
        one.wait()
    for one in running:
        one.result()
    object_files = [f"{number}.o" for number in fixed]
    run(quick, "free.o", *object_files, *linked, "-o", name, *toolchain.link_flags)
    return dict(zip(fixed, (_read(place(path)) for path in object_files), strict=True))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

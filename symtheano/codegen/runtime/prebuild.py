"""Compiling the translation units of this package ahead, for an image of a machine or a wheel.

``symtheano/codegen/native/prebuilt.py`` says when they are used.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence

from symtheano.codegen.native.compiler import PROCESSOR_FLAGS
from symtheano.codegen.native.entries import beside, remove_path, write_whole
from symtheano.codegen.native.prebuilt import (
    LIST,
    Prebuilt,
    Unit,
    digest_of,
    is_plain,
    prebuilt_units,
    unit_key,
)
from symtheano.codegen.native.toolchain import Toolchain, compile_shared

NATIVE = "native"
"""The processor of this machine, in place of a level."""


def default_processors() -> tuple[str, ...]:
    """Return the processors for which units are compiled, in the order in which they are tried.

    Examples
    --------
    >>> "native" in default_processors() or "x86-64-v3" in default_processors()
    True
    """
    if platform.machine() in ("x86_64", "AMD64"):
        return ("x86-64-v4", "x86-64-v3")
    return (NATIVE,)


def package_units() -> dict[str, Unit]:
    """Return the units that are compiled for the default configuration, by name.

    Raises
    ------
    NoDispatcherError
        If headers are missing.

    Examples
    --------
    >>> "convolution_f32" in package_units()
    True
    """
    from symtheano.codegen.runtime.dispatch import dispatcher_unit
    from symtheano.codegen.runtime.own_library import own_units

    return {"dispatcher": dispatcher_unit(), **dict(own_units()), **dict(_object_units())}


def _object_units() -> Iterator[tuple[str, Unit]]:
    """Yield the object files of matrix products and mathematical functions, with names."""
    from symtheano.codegen.c.separate import routine_texts
    from symtheano.codegen.c.text import without_comments
    from symtheano.codegen.c.vector_math import own_functions, text_alone
    from symtheano.codegen.native.objects import object_unit
    from symtheano.codegen.routines.blas import PRODUCTS

    for name, text in routine_texts(PRODUCTS, ("float32", "float64")):
        yield f"routine_{name.removeprefix('st_')}", object_unit(text)
    for name in sorted(own_functions()):
        yield f"function_{name}", object_unit(without_comments(text_alone(name)))


def prebuild(
    units: Mapping[str, Unit], toolchain: Toolchain, processors: Sequence[str], directory: str
) -> Iterator[tuple[str, str, int]]:
    """Compile units into a directory, and replace its list.

    Files that the new list does not have are removed.

    Parameters
    ----------
    units
        The units by name.
    toolchain
        The compiler.
    processors
        Levels that the compiler knows, such as ``x86-64-v3``, or :data:`NATIVE`; a machine takes
        the first that its processor fulfils.
    directory
        The directory, which is created if there is none.

    Yields
    ------
    processor, name, bytes
        Each unit, when it was compiled.

    Raises
    ------
    CompileError
        If the compiler does not know a processor, or files can't be written.
    OSError
        If the directory can't be created.
    ValueError
        If the compiler's command has flags, which others would not expect.
    """
    if not is_plain(toolchain):
        raise ValueError(
            "prebuild compiles with the flags of symtheano only: remove the flags from the "
            f"compiler's command, {' '.join(toolchain.command)!r}"
        )
    os.makedirs(directory, exist_ok=True)
    listed: list[Prebuilt] = []
    for processor in processors:
        tools = _made_for(processor, toolchain)
        digests: dict[str, str] = {}
        for name, unit in units.items():
            key = unit_key(unit, tools)
            path = os.path.join(directory, f"{key}.so")
            compile_shared(unit.source, path, unit.toolchain(tools))
            # The digest of the text is in the name, and other users may read the package.
            remove_path(beside(path, ".c"))
            os.chmod(path, 0o644)
            digests[key] = digest_of(path)
            yield processor, name, os.path.getsize(path)
        listed.append(Prebuilt(tools.cpu, tools, digests))
    text = "\n\n".join(map(_printed, listed)) + "\n"
    write_whole(os.path.join(directory, LIST), text.encode())
    os.chmod(os.path.join(directory, LIST), 0o644)
    current = {f"{key}.so" for prebuilt in listed for key in prebuilt.digests}
    for file in os.listdir(directory):
        if file.endswith(".so") and file not in current:
            remove_path(os.path.join(directory, file))
    prebuilt_units.cache_clear()


def _printed(prebuilt: Prebuilt) -> str:
    tools = prebuilt.toolchain
    lists = (" ".join(tools.flags), " ".join(tools.link_flags))
    units = (f"{key} {content}" for key, content in sorted(prebuilt.digests.items()))
    return "\n".join((prebuilt.processor, tools.version, tools.build, *lists, *units))


def _made_for(processor: str, toolchain: Toolchain) -> Toolchain:
    """Return the compiler with the flags for a level, or for this machine."""
    if processor == NATIVE:
        return toolchain
    flags = [f"-march={processor}" if f in PROCESSOR_FLAGS else f for f in toolchain.flags]
    return toolchain._replace(flags=tuple(flags), cpu=processor)

"""Translation units of this package, and those that were compiled before it was installed.

The dispatcher and our own kernels are the same for all programs, and take a compiler longer than
most programs do. ``symtheano cache prebuild`` compiles them into the folder ``prebuilt`` of the
package. An image of a machine, or a wheel, takes them to other machines. There, a file is used if

- the compiler's name is all that the user says about it, so that its flags are ours;
- the processor has the instructions for which it was compiled;
- it was compiled from the text of this installation: its name is a digest of the text, the flags
  and the compiler;
- its content is that of the list, ``units.txt``.

Otherwise the unit is compiled, as if there were no such folder. Whoever can write to it can write
to the package as well, so permissions are not checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple, TypeVar

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.compiler import PROCESSOR_FLAGS
from symtheano.codegen.native.machine import processor_levels
from symtheano.codegen.native.toolchain import ZIGLANG, Toolchain
from symtheano.dataclass import dataclass
from symtheano.graph.digest import digest

DIRECTORY = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "prebuilt")
"""Where files that belong to the package are."""

LIST = "units.txt"
"""The file of the directory that says what the others are."""

T = TypeVar("T")


class Unit(NamedTuple):
    """A C text of this package that all programs share.

    Attributes
    ----------
    source
        The text.
    flags
        Flags in addition to those of generated code.
    headers
        Directories of headers.
    """

    source: str
    flags: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    def toolchain(self, base: Toolchain) -> Toolchain:
        """Return the compiler with the flags for this unit."""
        return base.with_flags((*self.flags, *(f"-I{path}" for path in self.headers)))


def find_unit(
    unit: Unit, toolchain: Toolchain, store: Cache, loader: Callable[[str], T]
) -> T | None:
    """Return the result of ``loader`` for a unit that need not be compiled, or None."""
    prebuilt = _find_prebuilt(unit, toolchain, loader)
    if prebuilt is not None:
        return prebuilt
    return store.find(entry_key(unit.source, unit.toolchain(toolchain)), loader)


def load_unit(
    unit: Unit, toolchain: Toolchain, store: Cache, loader: Callable[[str], T], quiet: bool = False
) -> T:
    """Return the result of ``loader`` for a unit, which is compiled if the cache lacks it.

    Raises
    ------
    CompileError
        See :meth:`symtheano.codegen.native.cache.Cache.load`.
    """
    return store.load(unit.source, unit.toolchain(toolchain), loader, quiet)


@dataclass(frozen=True)
class Prebuilt:
    """The units that one compiler has compiled for one kind of processors.

    Attributes
    ----------
    processor
        A level, such as ``x86-64-v3``, or what :attr:`Toolchain.cpu` says of one machine.
    toolchain
        The compiler, as far as keys depend on it.
    digests
        For the key of each unit, the digest of its library.
    """

    processor: str
    toolchain: Toolchain
    digests: Mapping[str, str]

    def runs_on(self, cpu: str) -> bool:
        """Return whether the processor of this machine, described by ``cpu``, has what it needs."""
        return self.processor == cpu or self.processor in processor_levels()


def _find_prebuilt(unit: Unit, toolchain: Toolchain, loader: Callable[[str], T]) -> T | None:
    if not is_plain(toolchain):
        return None
    for prebuilt in prebuilt_units(DIRECTORY):
        if not prebuilt.runs_on(toolchain.cpu):
            continue
        key = unit_key(unit, prebuilt.toolchain)
        path = os.path.join(DIRECTORY, f"{key}.so")
        # A C library older than that of the compiler refuses the file.
        with suppress(OSError, ImportError):
            if prebuilt.digests.get(key) == digest_of(path):
                return loader(path)
    return None


def is_plain(toolchain: Toolchain) -> bool:
    """Return whether all flags are ours, and the processor is that of this machine."""
    named = [flag for flag in toolchain.flags if flag.startswith(("-march=", "-mcpu="))]
    options = toolchain.command[1:]
    return options in ((), ZIGLANG) and named in ([flag] for flag in PROCESSOR_FLAGS)


def unit_key(unit: Unit, toolchain: Toolchain) -> str:
    """Return the name of a unit's file: the digest of its text, its flags and the compiler."""
    # Where headers are is not part of it: the text names their versions.
    return entry_key(unit.source, toolchain.with_flags(unit.flags))


def digest_of(path: str) -> str:
    """Return the digest of a file."""
    with open(path, "rb") as file:
        return digest(file.read())


# -- the list ------------------------------------------------------------------------------------


@cache
def prebuilt_units(directory: str) -> tuple[Prebuilt, ...]:
    """Return what the list of a directory says; nothing if there is none, or it can't be read."""
    try:
        with open(os.path.join(directory, LIST), encoding="utf-8") as file:
            return tuple(_parsed(paragraph) for paragraph in file.read().strip().split("\n\n"))
    except (OSError, ValueError):
        return ()


def _parsed(paragraph: str) -> Prebuilt:
    processor, version, build, flags, libraries, *units = paragraph.split("\n")
    toolchain = Toolchain(
        command=("cc",),
        version=version,
        flags=tuple(flags.split()),
        link_flags=tuple(libraries.split()),
        cpu=processor,
        vector_functions=frozenset(),
        build=build,
    )
    return Prebuilt(processor, toolchain, dict(_pair(unit) for unit in units))


def _pair(line: str) -> tuple[str, str]:
    key, content = line.split()
    return key, content

"""What tells a compiler from others that print the same version.

It is the content of the programs that run (the driver, a script, and the compiler that gcc's driver
starts), of gcc's file of specs, and the variables of the environment that name other programs,
headers or libraries. The build ID of a program stands for its content: gcc's compiler has 33 MB,
and the first function on a machine waited 60 ms for their hash. Programs are read when a compiler
is first used on a machine. After that, their sizes and times are compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from symtheano.graph.digest import new_digest

_VARIABLES = (
    *("COMPILER_PATH", "GCC_EXEC_PREFIX", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH"),
    "CCC_OVERRIDE_OPTIONS",
)

QUESTIONS = ("-print-prog-name=cc1", "-print-file-name=specs")
"""What gcc is asked for the paths of its compiler and of its specs."""


def compiler_environment() -> tuple[str, ...]:
    """Return the settings of the environment that change what a compiler does.

    Examples
    --------
    >>> all("=" in setting for setting in compiler_environment())
    True
    """
    return tuple(f"{name}={os.environ[name]}" for name in _VARIABLES if os.environ.get(name))


def build_digest(programs: Iterable[str]) -> str:
    """Return a digest of the content of files and of the environment.

    A program that has a build ID is known by it and by its size. One that may be run but not read
    is known by its time and size.
    """
    from symtheano.codegen.native.elf import build_id  # a known compiler needs none

    digest = new_digest()
    for setting in compiler_environment():
        data = setting.encode("utf-8", "surrogateescape")
        digest.update(b"%d:" % len(data) + data)
    for program in programs:
        digest.update(b"%d:" % os.stat(program).st_size)
        try:
            with open(program, "rb") as file:
                written = build_id(file)
                if written is not None:
                    digest.update(written)
                    continue
                file.seek(0)
                while block := file.read(1 << 20):
                    digest.update(block)
        except PermissionError:
            digest.update(stamp_of(program).encode())
    return digest.hexdigest()[:16]


def stamp_of(program: str) -> str:
    """Return a file's path, time and size as one word."""
    status = os.stat(program)
    return f"{status.st_mtime_ns}:{status.st_size}:{os.fsencode(program).hex()}"


def is_current(stamp: str) -> bool:
    """Return whether a file is still as it was when :func:`stamp_of` described it."""
    program = os.fsdecode(bytes.fromhex(stamp.rpartition(":")[2]))
    try:
        return stamp_of(program) == stamp
    except OSError:
        return False

"""The C toolchain: find a compiler, and make one shared library from one C text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from symtheano.codegen.compiler import (
    CompilerTroubleError,
    compiler_traits,
    find_executable,
    known_traits,
    run_compiler,
)
from symtheano.codegen.directory import cache_directory
from symtheano.codegen.machine import cpu_identity
from symtheano.errors import CompileError, NoCompilerError, format_error

if TYPE_CHECKING:
    from pathlib import Path

    from symtheano.codegen.entries import AnyPath

_WAYS_TO_GET_ONE = (
    ("Debian, Ubuntu", "apt install gcc"),
    ("Fedora", "dnf install gcc"),
    ("macOS", "xcode-select --install, or brew install gcc"),
    ("anywhere", "pip install ziglang"),
)
_ELSEWHERE = (
    "make room, or name another directory in SYMTHEANO_CACHE_DIR; mode='INTERPRET' needs no "
    "compiler"
)


class Toolchain(NamedTuple):
    """A C compiler and how it is used here.

    Attributes
    ----------
    command
        The compiler's words; the first one is an absolute path.
    version
        The first line of what ``--version`` prints.
    flags
        What stands before the source file.
    link_flags
        What stands after it: libraries and how they are linked.
    cpu
        What code for this very machine depends on: system, C library, CPU and its features.
    vector_functions
        C functions, such as ``expf`` and ``pow``, whose vectorized forms can be linked.
    """

    command: tuple[str, ...]
    version: str
    flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    cpu: str
    vector_functions: frozenset[str]

    @property
    def parallel(self) -> bool:
        """Whether ``#pragma omp parallel`` makes threads."""
        return "-fopenmp" in self.flags

    def with_flags(self, flags: Sequence[str]) -> Toolchain:
        """Return this toolchain with more flags."""
        return self._replace(flags=(*self.flags, *flags))


def find_toolchain(
    cc: str | None = None, extra_flags: Sequence[str] = (), directory: AnyPath | None = None
) -> Toolchain:
    """Find a C compiler: the given one, or gcc, clang or cc, or ziglang from PyPI.

    Parameters
    ----------
    cc
        The compiler's command, possibly of several words; by default the first one found.
    extra_flags
        Flags to stand behind our own.
    directory
        Where to remember what was learnt about the compiler; by default the user's cache.

    Raises
    ------
    NoCompilerError
        When there is none, or the given one does not compile.

    Examples
    --------
    >>> find_toolchain("no-such-compiler")
    Traceback (most recent call last):
    symtheano.errors.NoCompilerError: no C compiler was found as 'no-such-compiler'; ...
    """
    place = None if directory is None else os.fspath(directory)
    return _find_toolchain(cc or None, tuple(extra_flags), place)


def knows_compiler(cc: str | None = None, directory: AnyPath | None = None) -> bool:
    """Tell whether :func:`find_toolchain` needs to run no compiler.

    Raises
    ------
    NoCompilerError
        When there is none of this name.
    """
    command = _find_command(cc or None)
    return command in _tried or known_traits(command, cache_directory(directory)) is not None


# The compilers whose traits this process knows.
_tried: set[tuple[str, ...]] = set()


@cache
def _find_toolchain(
    cc: str | None, extra_flags: tuple[str, ...], directory: str | None
) -> Toolchain:
    command = _find_command(cc)
    traits = compiler_traits(command, cache_directory(directory))
    _tried.add(command)
    return Toolchain(
        command=command,
        version=traits.version,
        flags=traits.flags + extra_flags,
        link_flags=traits.libraries,
        cpu=cpu_identity(),
        vector_functions=frozenset(traits.vector_functions),
    )


def _find_command(cc: str | None) -> tuple[str, ...]:
    for name in ("gcc", "clang", "cc") if cc is None else (cc,):
        words = [name] if name.isalnum() else _words(name)
        path = find_executable(words[0]) if words else None
        if path is not None:
            return (path, *words[1:])
    if cc is None:
        from importlib.util import find_spec

        if find_spec("ziglang") is not None:
            return (sys.executable, "-m", "ziglang", "cc")
    given = "" if cc is None else f" as {cc!r}"
    raise NoCompilerError(
        format_error(
            f"no C compiler was found{given}; install one",
            operands=_WAYS_TO_GET_ONE,
            hint="or name yours in the environment variable SYMTHEANO_CC",
        )
    )


def _words(command: str) -> list[str]:
    import shlex

    return shlex.split(command)


def compile_shared(
    source: str, target: AnyPath, toolchain: Toolchain, timeout: float = 600.0
) -> None:
    """Compile C text into a shared library, and keep the text beside it.

    ``target`` appears at once and whole, or not at all; ``target.with_suffix(".c")`` holds the
    text. Same text and toolchain make the same bytes in any process.

    Parameters
    ----------
    source
        The C text.
    target
        The library to make, and its directory if need be.
    toolchain
        The compiler and its flags.
    timeout
        Seconds after which the compiler is stopped.

    Raises
    ------
    CompileError
        When the compiler refuses; the message gives the first error and the file that holds the
        text for a report.
    CompilerTroubleError
        When it is killed or takes too long, or the disk is full.
    """
    from pathlib import Path
    from shutil import rmtree
    from tempfile import mkdtemp

    target = Path(target)
    text = target.with_suffix(".c")
    workplace: Path | None = None
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        workplace = Path(mkdtemp(dir=target.parent, prefix=".build-"))
        # Compiled under the same relative name always: the name becomes part of the library.
        (workplace / text.name).write_text(source)
        arguments = (*toolchain.flags, text.name, "-o", target.name, *toolchain.link_flags)
        run_compiler(toolchain.command, arguments, workplace, timeout)
        for path in (text, target):
            # Nobody else may change them, whatever the umask.
            (workplace / path.name).chmod(0o600)
            os.replace(workplace / path.name, path)
    except OSError as error:
        raise CompilerTroubleError(
            format_error(
                f"compiled code can't be written to {target.parent}: {error.strerror}",
                hint=_ELSEWHERE,
            )
        ) from error
    except CompilerTroubleError as error:
        raise CompilerTroubleError(
            format_error(
                f"the C compiler did not finish in {target.parent}: {error}", hint=_ELSEWHERE
            )
        ) from None
    except CompileError as error:
        raise CompileError(_report(error, toolchain, workplace, target)) from None
    finally:
        if workplace is not None:
            rmtree(workplace, ignore_errors=True)


def _report(error: CompileError, toolchain: Toolchain, workplace: Path | None, target: Path) -> str:
    """Write the message of a failure, and keep the text that failed."""
    operands = [("compiler", toolchain.version)]
    kept = target.with_suffix(".failed.c")
    with suppress(OSError):
        if workplace is not None:
            os.replace(workplace / target.with_suffix(".c").name, kept)
            operands.append(("source", str(kept)))
    return format_error(
        f"the C compiler failed: {error}",
        operands=operands,
        hint="this is a defect of symtheano: please report it, with the source; "
        "mode='INTERPRET' needs no compiler",
    )

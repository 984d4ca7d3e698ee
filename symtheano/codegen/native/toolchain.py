"""The C toolchain: finding a compiler, and compiling C text to a shared library."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from symtheano.codegen.native.build import compiler_environment
from symtheano.codegen.native.compiler import (
    NO_DESCRIPTORS,
    CompilerTroubleError,
    compiler_traits,
    find_executable,
    known_traits,
    machine_of,
    run_compiler,
)
from symtheano.codegen.native.directory import cache_directory
from symtheano.errors import CompileError, NoCompilerError, format_error

if TYPE_CHECKING:
    from symtheano.codegen.native.entries import StrPath
    from symtheano.codegen.native.later import Later

_WAYS_TO_GET_ONE = (
    ("Debian, Ubuntu", "apt install gcc"),
    ("Fedora", "dnf install gcc"),
    ("macOS", "xcode-select --install, or brew install gcc"),
    ("anywhere", "pip install ziglang"),
)
ZIGLANG = ("-m", "ziglang", "cc")
"""Arguments of Python for the compiler from PyPI."""

_ELSEWHERE = (
    "make room, or name another directory in SYMTHEANO_CACHE_DIR; mode='INTERPRET' needs no "
    "compiler"
)


_FEWER_FILES = (
    "close files, or raise the limit of open files (ulimit -n); mode='INTERPRET' needs no compiler"
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
        Flags before the source file.
    link_flags
        Flags after it: libraries and linker options.
    cpu
        Properties on which machine-specific code depends: system, C library, CPU and its features.
    vector_functions
        C functions, such as ``expf`` and ``pow``, whose vectorized forms can be linked.
    build
        A digest that tells it from other compilers of this version.
    """

    command: tuple[str, ...]
    version: str
    flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    cpu: str
    vector_functions: frozenset[str]
    build: str = ""

    @property
    def parallel(self) -> bool:
        """Whether ``#pragma omp parallel`` makes threads."""
        return "-fopenmp" in self.flags

    def with_flags(self, flags: Sequence[str]) -> Toolchain:
        """Return this toolchain with more flags."""
        return self._replace(flags=(*self.flags, *flags))


def find_toolchain(
    cc: str | None = None, extra_flags: Sequence[str] = (), directory: StrPath | None = None
) -> Toolchain:
    """Find a C compiler: the given one, or gcc, clang or cc, or ziglang from PyPI.

    Parameters
    ----------
    cc
        The compiler's command, possibly of several words; by default the first one found.
    extra_flags
        Additional flags.
    directory
        Directory for properties of the compiler; by default the user's cache.

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
    return _find_toolchain(cc or None, tuple(extra_flags), place, compiler_environment())


def knows_compiler(cc: str | None = None, directory: StrPath | None = None) -> bool:
    """Return whether :func:`find_toolchain` needs to run no compiler.

    Raises
    ------
    NoCompilerError
        When there is not one of this name.
    """
    command = _find_command(cc or None)
    tried = (command, compiler_environment()) in _tried
    return tried or known_traits(command, cache_directory(directory)) is not None


# The compilers whose traits this process knows.
_tried: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()


@cache
def _find_toolchain(
    cc: str | None,
    extra_flags: tuple[str, ...],
    directory: str | None,
    environment: tuple[str, ...],
) -> Toolchain:
    command = _find_command(cc)
    traits = compiler_traits(command, cache_directory(directory))
    _tried.add((command, environment))
    return Toolchain(
        command=command,
        version=traits.version,
        flags=traits.flags + extra_flags,
        link_flags=traits.libraries,
        cpu=machine_of(command, traits.flags),
        vector_functions=frozenset(traits.vector_functions),
        build=traits.build,
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
            return (sys.executable, *ZIGLANG)
    qualifier = "" if cc is None else f" as {cc!r}"
    raise NoCompilerError(
        format_error(
            f"no C compiler was found{qualifier}; install one",
            operands=_WAYS_TO_GET_ONE,
            hint="or name yours in the environment variable SYMTHEANO_CC",
        )
    )


def _words(command: str) -> list[str]:
    import shlex

    try:
        return shlex.split(command)
    except ValueError as error:
        raise ValueError(
            f"the compiler's command {command!r} (config.cc, SYMTHEANO_CC, CC): {error}"
        ) from None


def compile_shared(
    source: str,
    target: StrPath,
    toolchain: Toolchain,
    timeout: float = 600.0,
    body: str | None = None,
    objects: Sequence[Later[bytes]] = (),
    compiled: Mapping[int, bytes] | None = None,
) -> None:
    """Compile C text to a shared library, and store the text with it.

    ``target`` is created atomically; a file with the same name and the suffix ``.c`` contains the
    text. The same text and toolchain give the same bytes in any process.

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
    body
        The text without what ``objects`` has; the whole text if it is None.
    objects
        Contents of object files that the library is linked with. If they can't be linked, the
        library is made of ``source`` alone.
    compiled
        Contents of object files of the text's parts, by their numbers, which were compiled before.

    Raises
    ------
    CompileError
        If the compiler rejects the text. The message contains the first error and the path of a
        file with the text, for a report.
    CompilerTroubleError
        If the compiler is killed or takes too long, or the disk is full.
    """
    from symtheano.codegen.native.parts import divide

    path = os.path.abspath(target)
    folder, name = os.path.split(path)
    text = os.path.splitext(name)[0] + ".c"
    workplace: str | None = None
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        workplace = os.path.join(folder, f".build-{os.urandom(8).hex()}")
        os.mkdir(workplace, mode=0o700)
        write_text(source, os.path.join(workplace, text))
        try:
            parts = divide(source if body is None else body).parts
            _translate(parts, objects, compiled or {}, name, toolchain, workplace, timeout)
        except CompilerTroubleError:
            raise
        except CompileError:
            if not objects or any(one.failed for one in objects):
                raise
            # An object file may have been sealed that cannot be linked.
            _translate(divide(source).parts, (), {}, name, toolchain, workplace, timeout)
        for file in (text, name):
            # Only the user may change them, independent of the umask.
            os.chmod(os.path.join(workplace, file), 0o600)
            os.replace(os.path.join(workplace, file), os.path.join(folder, file))
    except OSError as error:
        raise CompilerTroubleError(
            format_error(
                f"compiled code can't be written to {folder}: {error.strerror}",
                hint=_remedy(error),
            )
        ) from error
    except CompilerTroubleError as error:
        raise CompilerTroubleError(
            format_error(f"the C compiler did not finish in {folder}: {error}", hint=_remedy(error))
        ) from None
    except CompileError as error:
        raise CompileError(_report(error, toolchain, source, path)) from None
    finally:
        if workplace is not None:
            remove_workplace(workplace)


def _remedy(error: Exception) -> str:
    return _FEWER_FILES if NO_DESCRIPTORS in str(error) else _ELSEWHERE


def _translate(
    parts: Sequence[str],
    objects: Sequence[Later[bytes]],
    compiled: Mapping[int, bytes],
    name: str,
    toolchain: Toolchain,
    workplace: str,
    timeout: float,
) -> None:
    """Make the library ``name`` of C texts and object files in ``workplace``."""
    from symtheano.codegen.native.later import Later

    def run(*arguments: str) -> None:
        run_compiler(toolchain.command, (*toolchain.flags, *arguments), workplace, timeout)

    # Always compiled under the same relative names, which become part of the library.
    texts = [f"{number}.c" for number in range(len(parts))]
    for text, part in zip(texts, parts, strict=True):
        write_text(part, os.path.join(workplace, text))
    object_files = [f"{number}.o" for number in range(len(parts))]
    linked = [f"routine{number}.o" for number in range(len(objects))]
    alone = len(parts) == 1 and all(one.ready for one in objects)
    running: list[Later[None]] = []
    for number in range(0 if alone else len(parts)):
        if number in compiled:
            write_bytes(compiled[number], os.path.join(workplace, object_files[number]))
        else:
            running.append(Later(partial(run, "-c", texts[number], "-o", object_files[number])))
    for path, content in zip(linked, objects, strict=True):
        write_bytes(content.result(), os.path.join(workplace, path))
    for one in running:
        one.wait()
    for one in running:
        one.result()
    run(*(texts if alone else object_files), *linked, "-o", name, *toolchain.link_flags)


def write_text(text: str, path: str) -> None:
    """Write a C text."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_bytes(content: bytes, path: str) -> None:
    """Write an object file."""
    with open(path, "wb") as file:
        file.write(content)


def remove_workplace(workplace: str) -> None:
    """Remove a directory of files; what a killed compiler has left in it, too."""
    try:
        for name in os.listdir(workplace):
            os.unlink(os.path.join(workplace, name))
        os.rmdir(workplace)
    except OSError:
        from shutil import rmtree

        rmtree(workplace, ignore_errors=True)


def _report(error: CompileError, toolchain: Toolchain, source: str, path: str) -> str:
    """Write the message of a failure, and keep the text that failed."""
    operands = [("compiler", toolchain.version)]
    kept = os.path.splitext(path)[0] + ".failed.c"
    with suppress(OSError):
        write_text(source, kept)
        operands.append(("source", kept))
    return format_error(
        f"the C compiler failed: {error}",
        operands=operands,
        hint="this is a defect of symtheano: please report it, with the source; "
        "mode='INTERPRET' needs no compiler",
    )

"""Running a C compiler, and determining which flags it accepts.

Properties of a compiler are stored in the cache directory under the path, time and size of its
executable, so that a warm start runs no subprocess.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from symtheano.codegen.native.ancestry import anchored
from symtheano.codegen.native.build import (
    QUESTIONS,
    build_digest,
    compiler_environment,
    is_current,
    stamp_of,
)
from symtheano.codegen.native.directory import temporary_directory
from symtheano.codegen.native.entries import read_sealed, write_sealed
from symtheano.codegen.native.machine import cpu_identity, machine_identity, vector_functions
from symtheano.codegen.threads import load_openmp
from symtheano.errors import CompileError, NoCompilerError, format_error
from symtheano.graph.digest import digest
from symtheano.graph.forks import after_fork, forks_allowed, no_forks

if TYPE_CHECKING:
    import subprocess

    from symtheano.codegen.native.entries import StrPath

# Optimization: -O1 with the loop vectorizer compiles in half the time of -O3 and runs as fast;
# the SLP vectorizer gained nothing. Clang vectorizes from -O2 on.
# Numerics: C must agree with NumPy to the bit in + - * / and so may not fuse multiply and add;
# this does not slow down kernels that are limited by memory, costs others a few per cent, and
# matrix products use BLAS. Integers wrap around, complex division is NumPy's (Smith's), errno and
# floating-point traps are ignored. Never -ffast-math: besides wrong results, linking with it
# disables denormals in the whole process.
# Aliasing: one slot of the workspace holds values of different types over time.
# -g0: some compilers write debugging records by default, and with them the build's directory.
_COMMON = (
    *("-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-g0"),
    *("-ffp-contract=off", "-fwrapv", "-fno-math-errno", "-fno-trapping-math"),
    "-fno-strict-aliasing",
)
# -fcaller-saves: numbers of a loop stay in registers beside a call that is hardly ever made, such
# as a poll; without it, each iteration of a short loop waits for memory, for 1.4 times as long.
# -fno-thread-jumps: jumps around the remainders of vector loops are copied otherwise, 5 % of the
# assembly; loops, sorting and decompositions are as fast without. docs/performance.md has flags
# that save more time and are not used, since loops are slower.
# -pipe: the assembler and the compiler run at the same time, which saves 5 ms of 60.
_GNU = (
    *("-O1", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic", "-fexpensive-optimizations"),
    *("-fcaller-saves", "-fno-thread-jumps", "-pipe"),
)
_LLVM = ("-O2",)
_UNOPTIMIZED = ("-Og", "-pipe")
# Each row: the preferred flag, then alternatives; the last one is to omit it. No other linker is
# selected: they save only 2 of 40 ms, and may be uninstalled later.
PROCESSOR_FLAGS = ("-march=native", "-mcpu=native")
"""Flags for the instructions of this machine's processor, in the order in which they are tried."""

_OPTIONAL: tuple[tuple[str, ...], ...] = (
    PROCESSOR_FLAGS,
    ("-fopenmp", "-fopenmp-simd"),
    # gcc 12.2 treats some functions that write through their arguments as pure and drops their
    # calls: for example one that reads x[n - 2*i - 1] and x[m - i] and stores two results, from
    # -O1 on.
    ("-fno-ipa-pure-const",),
    ("-fno-ipa-modref",),
    # Without AVX, gcc 12 moves halves of vectors through MMX registers, and leaves x87 registers
    # occupied, which are the same: LAPACK returned NaN afterwards.
    ("-mno-mmx",),
    # gcc 12 stores constants from registers of 512 bits, and takes a repeated number that is
    # followed by zeros for one that fills the register: four ones and four zeros become eight ones.
    ("-mstore-max=128",),
    # gcc 12 prefers halves of registers of 512 bits for Intel's processors, not for AMD's.
    ("-mprefer-vector-width=512",),
    ("-fcx-fortran-rules", "-fcomplex-arithmetic=smith"),
)
_LLVM_OPTIONAL = (*_OPTIONAL, ("-fveclib=libmvec",))
# With --as-needed, a library which the file does not use is not loaded with it.
_LLVM_LIBRARIES: tuple[tuple[str, ...], ...] = (("-Wl,--as-needed",), ("-lmvec",), ("-lm",))
# Two thirds of a linker's time are spent on the C library, which the process has loaded anyway, and
# on the startup code of programs.
_GNU_LIBRARIES = (
    *_LLVM_LIBRARIES,
    *(("-lgomp",), ("-lgcc",), ("-nostdlib",), ("-fno-use-linker-plugin",)),
)

_PROBE = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
__attribute__((visibility("default"))) int32_t probe(double *x, int64_t n) {
    char *copy = aligned_alloc(64, (size_t)n);
    if (!copy) return 1;
    memcpy(copy, x, (size_t)n);
    free(copy);
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) x[i] = x[i] * 2.0;
    return 0;
}
"""


NO_DESCRIPTORS = os.strerror(errno.EMFILE)
"""What programs and libraries say if a process has as many open files as it may have."""

NO_MEMORY = os.strerror(errno.ENOMEM)
"""What the loader says if a process has as much memory, or as many mappings, as it may have."""

# Why a program can't be started now, but perhaps later.
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
# What compilers say of it. Theirs are the C library's messages, and gcc's own.
_SCARCE = (os.strerror(errno.EAGAIN), NO_MEMORY, "out of memory", "virtual memory exhausted")
_NAME_ANOTHER = "name another compiler in the environment variable SYMTHEANO_CC"


class CompilerTraits(NamedTuple):
    """Properties of a compiler: its version, flags, and vectorizable functions.

    ``build`` tells it from others of this version, and ``programs`` has the stamps of its files.
    """

    version: str
    flags: tuple[str, ...]
    libraries: tuple[str, ...]
    vector_functions: tuple[str, ...] = ()
    build: str = ""
    programs: tuple[str, ...] = ()


class CompilerTroubleError(CompileError):
    """The compiler could not finish: it was killed, took too long, or the disk is full."""


def find_executable(name: str) -> str | None:
    """Return the absolute path of a program, as the shell would find it, or None."""
    # shutil.which does the same, but importing shutil takes several milliseconds.
    folders = [""] if os.path.dirname(name) else os.get_exec_path()
    for folder in folders:
        path = os.path.abspath(os.path.join(folder, name))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def run_compiler(
    command: Sequence[str], arguments: Sequence[str], directory: StrPath, timeout: float
) -> str:
    """Run the compiler in ``directory`` and return what it printed.

    Raises
    ------
    CompileError
        If it rejects the text, with one line of explanation.
    CompilerTroubleError
        If it is killed, takes too long, or cannot write its output.
    """
    import subprocess

    # Its intermediate files go with the directory, also when it is killed.
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": str(directory)}
    try:
        # A process that is forked meanwhile would get the ends of the compiler's pipes, and its
        # output would not end before that process does.
        with no_forks():
            done = subprocess.Popen(
                [*command, *arguments],
                cwd=directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                # A group of its own, so that what the compiler starts ends with it.
                start_new_session=True,
            )
            _compilers.add(done)
    except OSError as error:
        kind = CompilerTroubleError if error.errno in _EXHAUSTED else CompileError
        raise kind(f"it can't be run: {error}") from error
    with done:
        try:
            if is_stopped():
                raise CompilerTroubleError(_ENDS)
            with forks_allowed():
                output = done.communicate(timeout=timeout)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            _kill(done)
            raise CompilerTroubleError(f"did not finish within {timeout:g} seconds") from None
        except BaseException:
            _kill(done)
            raise
        finally:
            _compilers.discard(done)
    if is_stopped():
        raise CompilerTroubleError(_ENDS)
    if done.returncode != 0:
        trouble = _trouble(output, done.returncode)
        if trouble is not None:
            raise CompilerTroubleError(trouble)
        raise CompileError(_first_error(output, done.returncode))
    return output


_ENDS = "the process ends"
# The compilers that run for this process, and whether it ends.
_compilers: set[subprocess.Popen[bytes]] = set()
_stopped = False


def stop_compilers() -> None:
    """End the compilers that run for threads in the background; these start no others."""
    global _stopped
    _stopped = True
    for running in list(_compilers):
        _kill(running)


def is_ending() -> bool:
    """Return whether the process ends."""
    return _stopped


def unoptimized(flags: Sequence[str]) -> tuple[str, ...] | None:
    """Return the flags of gcc for code of the same results that is not optimized.

    Returns
    -------
    The flags; None for another compiler.

    Examples
    --------
    >>> unoptimized(("-std=c11", *_GNU, "-fopenmp"))
    ('-std=c11', '-fopenmp', '-Og', '-pipe')
    """
    if not set(_GNU).issubset(flags):
        return None
    return (*(flag for flag in flags if flag not in _GNU), *_UNOPTIMIZED)


def is_stopped() -> bool:
    """Return whether the calling thread runs in the background of a process that ends."""
    return _stopped and threading.current_thread() is not threading.main_thread()


@after_fork
def _leave_compilers() -> None:
    """In a forked child: the compilers are the parent's, and no pipe leads to them."""
    _compilers.clear()


def _kill(running: subprocess.Popen[bytes]) -> None:
    """End a compiler and what it has started."""
    import signal  # compilers need it, and a function from the cache does not

    try:
        os.killpg(running.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # it has ended, or the system has no groups
        running.kill()


def _trouble(output: str, status: int) -> str | None:
    """Return why the compiler could not run, or None if it rejected the text."""
    if any(words in output for words in ("No space left on device", "Disk quota exceeded")):
        return "no space left on the disk that holds the compiled code"
    if NO_DESCRIPTORS in output:
        return f"the compiler can't read its files: {NO_DESCRIPTORS}"
    if any(reason in output for reason in _SCARCE):
        return "the compiler gets no more processes (ulimit -u) or memory (ulimit -v)"
    if any(words in output for words in ("File too large", "File size limit exceeded")):
        return "the compiled file is too large for this process (ulimit -f)"
    if status < 0 or "Killed" in output:
        return f"killed (signal {-status}); the machine may be out of memory"
    return None


def _first_error(output: str, status: int) -> str:
    """Return the most informative line of the compiler's output."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "error:" in line or "undefined reference" in line]
    return (telling or lines or [f"exit status {status} without a message"])[0]


def compiler_traits(command: tuple[str, ...], directory: StrPath) -> CompilerTraits:
    """Return a compiler's traits, from ``directory`` if it has not changed since.

    Raises
    ------
    NoCompilerError
        When it does not compile a file of some lines.
    CompilerTroubleError
        When it could not be tested: no disk has space, or it was killed.
    """
    traits = known_traits(command, directory)
    if traits is not None:
        return traits
    try:
        traits = _probe_in(directory, command)
    except (CompilerTroubleError, NoCompilerError) as error:
        # The disk may be full: the compiler is tested where there is space.
        try:
            traits = _probe_in(temporary_directory(), command)
        except OSError:
            raise error from None
    traits = traits._replace(vector_functions=_vectorizable(traits))
    lists = (traits.flags, traits.libraries, traits.vector_functions, traits.programs)
    lines = (traits.version, *map(" ".join, lists), traits.build)
    with suppress(OSError):
        write_sealed(_notes(command, directory), "\n".join(lines).encode())
    return traits


def _vectorizable(traits: CompilerTraits) -> tuple[str, ...]:
    # Clang knows no simd attribute; it needs to be told of the library to vectorize calls.
    llvm = "clang" in traits.version or "zig" in traits.version
    vectorizes = "-lmvec" in traits.libraries and (not llvm or "-fveclib=libmvec" in traits.flags)
    return tuple(sorted(vector_functions())) if vectorizes else ()


def known_traits(command: tuple[str, ...], directory: StrPath) -> CompilerTraits | None:
    """Return a compiler's traits if they are in ``directory``, and the compiler is the same."""
    # Six lines of plain text: importing json would cost more than the rest of a warm start.
    with suppress(OSError, ValueError):
        data = read_sealed(_notes(command, anchored(os.fspath(directory))))
        version, *lists, build = data.decode().split("\n")
        flags, libraries, functions, programs = (tuple(line.split()) for line in lists)
        if all(map(is_current, programs)):
            return CompilerTraits(version, flags, libraries, functions, build, programs)
    return None


def _notes(command: tuple[str, ...], directory: StrPath) -> str:
    """Return the path of the notes about a compiler."""
    return os.path.join(directory, f"compiler-{_identity(command)}.txt")


def machine_of(command: tuple[str, ...], flags: Sequence[str]) -> str:
    """Return one line for the machine for which a compiler makes code: system, C library, CPU.

    If the system does not tell the processor's instructions, these are what the compiler defines
    for it, or else the machine's name: code for one machine must not run on another.
    """
    identity = cpu_identity()
    if identity is not None:
        return identity
    asked = ("-dM", "-E", "-x", "c", os.devnull)
    try:
        kept = [flag for flag in flags if flag.startswith("-m")]
        defined = run_compiler(command, (*kept, *asked), os.sep, 60)
    except CompileError:
        defined = platform.node()
    return machine_identity(defined)


def _identity(command: tuple[str, ...]) -> str:
    """Hash what the traits depend on: the executables, the machine and the requested flags."""
    wishes = (_COMMON, _GNU, _LLVM, _optional(command, True), _GNU_LIBRARIES, _PROBE)
    parts = [repr(command), repr(wishes), cpu_identity() or machine_identity(platform.node())]
    parts += compiler_environment()
    for word in command:
        # All words are relevant: in "ccache gcc" the second one is the compiler.
        path = find_executable(word)
        if path is not None:
            status = os.stat(path)
            parts.append(f"{path} {status.st_mtime_ns} {status.st_size}")
    return digest("\n".join(parts).encode())[:16]


def _optional(command: tuple[str, ...], llvm: bool) -> list[tuple[str, ...]]:
    """Return the optional flags; a processor that the command names itself is not overruled."""
    named = any(word.startswith(("-march=", "-mcpu=")) for word in command)
    rows = _LLVM_OPTIONAL if llvm else _OPTIONAL
    return [row for row in rows if not (named and row == PROCESSOR_FLAGS)]


def _probe_in(directory: StrPath, command: tuple[str, ...]) -> CompilerTraits:
    from tempfile import TemporaryDirectory

    try:
        with TemporaryDirectory(dir=directory, prefix=".symtheano-probe-") as workplace:
            return _probe(command, workplace)
    except CompilerTroubleError as error:
        raise CompilerTroubleError(
            format_error(
                f"the C compiler {' '.join(command)} can't be tried: {error}",
                hint="mode='INTERPRET' needs no compiler",
            )
        ) from None
    except OSError as error:
        raise CompilerTroubleError(
            f"the compiler can't be tried: files can't be written to {directory}: {error.strerror}"
        ) from error


def _probe(command: tuple[str, ...], directory: str) -> CompilerTraits:
    """Get the version, and test the flags: all at once, or one by one if that fails."""
    try:
        version = run_compiler(command, ("--version",), directory, 60).splitlines()[0].strip()
        programs = _programs(command, directory)
        build, stamps = build_digest(programs), tuple(map(stamp_of, programs))
    except CompilerTroubleError:
        raise
    except (CompileError, IndexError) as error:
        raise NoCompilerError(
            format_error(f"{' '.join(command)} is not a C compiler: {error}", hint=_NAME_ANOTHER)
        ) from error
    llvm = "clang" in version or "zig" in version
    required = _COMMON + (_LLVM if llvm else _GNU)
    optional = _optional(command, llvm)
    wanted = _LLVM_LIBRARIES if llvm else _GNU_LIBRARIES
    with open(os.path.join(directory, "probe.c"), "w") as file:
        file.write(_PROBE)
    flags = [*required, *(row[0] for row in optional)]
    libraries = [row[0] for row in wanted]
    if _refusal(command, flags, libraries, directory) is None:
        return CompilerTraits(version, tuple(flags), tuple(libraries), (), build, stamps)

    flags, libraries = list(required), []
    refusal = _refusal(command, flags, libraries, directory)
    if refusal is not None:
        raise NoCompilerError(
            format_error(
                f"{' '.join(command)} ({version}) does not compile: {refusal}", hint=_NAME_ANOTHER
            )
        )
    for chosen, rows in ((flags, optional), (libraries, wanted)):
        for row in rows:
            for flag in row:
                chosen.append(flag)
                if _refusal(command, flags, libraries, directory) is None:
                    break
                chosen.pop()
    return CompilerTraits(version, tuple(flags), tuple(libraries), (), build, stamps)


def _programs(command: tuple[str, ...], directory: str) -> list[str]:
    """Return the files that make a compiler what it is: all words may be programs (ccache gcc)."""
    paths = [path for path in map(find_executable, command) if path is not None]
    for question in QUESTIONS:
        with suppress(CompileError):
            path = run_compiler(command, (question,), directory, 60).strip()
            if os.path.isabs(path) and os.path.isfile(path):
                paths.append(path)
    return paths


def _refusal(
    command: tuple[str, ...], flags: Sequence[str], libraries: Sequence[str], directory: str
) -> str | None:
    """Compile and load the probe; return why it is rejected, or None.

    Raises
    ------
    CompilerTroubleError
        If the test was inconclusive, because its result would be stored.
    OSError
        When the disk is full.
    """
    from tempfile import mkstemp

    # A new name each time: the loader returns a library that it knows by name unread.
    handle, name = mkstemp(dir=directory, suffix=".so")
    os.close(handle)
    try:
        run_compiler(command, (*flags, "probe.c", "-o", name, *libraries), directory, 120)
    except CompilerTroubleError:
        raise
    except CompileError as error:
        return str(error)
    load_openmp()
    try:
        ctypes.CDLL(name)
    except OSError as error:
        if NO_DESCRIPTORS in str(error):
            raise CompilerTroubleError(str(error)) from error
        return str(error)
    return None

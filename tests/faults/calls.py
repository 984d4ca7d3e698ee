"""Calls of the system that fail: the N-th one of a kind, while something is done.

``failing.c`` is preloaded, which makes them fail. A process arms it, does one thing, and disarms
it; then it says whether the answer was right, an error was clear, or neither.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from symtheano.codegen.native.compiler import find_executable
from symtheano.errors import CompileError
from tests.faults.harness import CLEAR, FOREIGN, KILLED, RIGHT, WRONG, Call, Child, Outcome

KINDS = ("malloc", "own malloc", "open", "write", "rename", "fork", "mmap", "fsync", "close")
"""What fails; own memory is that which generated code and the dispatcher ask for."""

ERRORS = {
    "malloc": [errno.ENOMEM], "own malloc": [errno.ENOMEM], "mmap": [errno.ENOMEM],
    "open": [errno.EMFILE, errno.EACCES, errno.EIO], "write": [errno.ENOSPC, errno.EIO],
    "rename": [errno.EIO], "fork": [errno.EAGAIN], "fsync": [errno.EIO], "close": [errno.EIO],
}  # fmt: skip


class State(ctypes.Structure):
    """The state of ``failing.c``."""

    _fields_ = [
        ("kind", ctypes.c_int), ("error", ctypes.c_int), ("process", ctypes.c_int),
        ("nth", ctypes.c_long),
        ("count", ctypes.c_long), ("fired", ctypes.c_long),
        ("own", ctypes.c_char * 512), ("caller", ctypes.c_char * 512),
    ]  # fmt: skip


def preloaded(place: Path) -> str | None:
    """Compile ``failing.c``; return the library, or None where that is impossible."""
    compiler = find_executable("gcc") or find_executable("cc")
    if sys.platform != "linux" or compiler is None:
        return None
    library = place / "failing.so"
    source = Path(__file__).with_name("failing.c")
    command = [compiler, "-O1", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return str(library) if done.returncode == 0 else None


@cache
def state() -> State | None:
    """Return what says which call fails; None if ``failing.c`` is not preloaded."""
    try:
        find = ctypes.CDLL(None).failing_state
    except AttributeError:
        return None
    find.restype = ctypes.POINTER(State)
    found: State = find().contents
    return found


@contextmanager
def armed(call: Call, own: Path) -> Iterator[None]:
    """Let a call fail."""
    shared = state()
    assert shared is not None
    shared.nth, shared.own, shared.error = call.nth, os.fsencode(own), call.error
    shared.process = os.getpid()
    shared.kind = KINDS.index(call.kind) + 1
    try:
        yield
    finally:
        shared.kind = 0


def attempt(
    call: Call,
    own: Path,
    act: Callable[[], Any],
    check: Callable[[Any], None],
    begin: Callable[[], None] = lambda: None,
) -> Outcome:
    """Do something while a call fails, in a process of its own; return how that ended.

    Parameters
    ----------
    call
        What fails.
    own
        The directory of libraries whose memory is our own.
    act
        What is done.
    check
        Called with the result, or None after a clear error; raises an error if it is wrong.
    begin
        What is done before, while nothing fails.
    """
    shared = state()
    assert shared is not None
    shared.kind = shared.count = shared.fired = 0
    shared.caller = b""

    def task() -> Outcome:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begin()
            try:
                with armed(call, own):
                    result = act()
            except (CompileError, MemoryError, OSError) as error:
                check(None)
                return Outcome(CLEAR, detail=f"{type(error).__name__}: {error}"[:200])
            check(result)
        return Outcome(RIGHT)

    outcome = Child(task).outcome()
    if outcome.kind in (WRONG, KILLED):
        text = outcome.detail.strip().splitlines()[-1]
        caller = Path(shared.caller.decode()).name
        theirs = call.kind == "malloc" and shared.fired == 1 and _is_foreign(caller, text)
        detail = f"{call.kind} {call.nth} of {caller}: {outcome.detail}"
        kind, detail = (FOREIGN, f"{caller}: {text}") if theirs else (WRONG, detail)
        outcome = replace(outcome, kind=kind, detail=detail)
    return replace(outcome, reached=shared.fired > 0)


_FOREIGN_ERRORS = re.compile(
    r"SystemError: .* returned NULL without setting an exception"
    r"|SystemError: error return without exception set"
    r"|pyo3_runtime.PanicException: PyObject pointer is null"
)


def _is_foreign(caller: str, text: str) -> bool:
    """Return whether another library does this where memory is short.

    The library for the format of safetensors ends the process, or panics, for lack of a few bytes.
    The system's loader ends it if it has no memory when a function is called for the first time.
    CPython and NumPy lose some exceptions.
    """
    aborted = text == f"signal {signal.SIGABRT.value}" and caller.startswith("_safetensors_rust")
    unbound = text == "exit status 127" and caller.startswith("ld-linux")
    return aborted or unbound or _FOREIGN_ERRORS.search(text) is not None


def equal(left: Any, right: Any) -> None:
    """Raise an error unless arrays have the same bits."""
    for a, b in zip(left, right, strict=True):
        np.testing.assert_array_equal(a, b)

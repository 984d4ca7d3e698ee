"""Calls of the system that fail: the N-th one of a kind, while something is done.

``failing.c`` is preloaded, which makes them fail. A process arms it, does one thing, and disarms
it; then it says whether the answer was right, an error was clear, or neither.
"""

from __future__ import annotations

import ctypes
import errno
import os
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
from tests.faults.harness import CLEAR, FOREIGN, KILLED, RIGHT, WRONG, Child, Outcome

KINDS = ("malloc", "own malloc", "open", "write", "rename", "fork", "mmap", "fsync", "close")
"""What fails; own memory is that which generated code and the dispatcher ask for."""

_ERRORS = {
    "malloc": [errno.ENOMEM], "own malloc": [errno.ENOMEM], "mmap": [errno.ENOMEM],
    "open": [errno.EMFILE, errno.EACCES, errno.EIO], "write": [errno.ENOSPC, errno.EIO],
    "rename": [errno.EIO], "fork": [errno.EAGAIN], "fsync": [errno.EIO], "close": [errno.EIO],
}  # fmt: skip


class State(ctypes.Structure):
    """The state of ``failing.c``."""

    _fields_ = [
        ("kind", ctypes.c_int), ("error", ctypes.c_int), ("nth", ctypes.c_long),
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
def armed(kind: str, nth: int, own: Path) -> Iterator[None]:
    """Let the N-th call of a kind fail."""
    shared = state()
    assert shared is not None
    shared.nth, shared.own = nth, os.fsencode(own)
    shared.error = _ERRORS[kind][nth % len(_ERRORS[kind])]
    shared.kind = KINDS.index(kind) + 1
    try:
        yield
    finally:
        shared.kind = 0


def attempt(
    kind: str,
    nth: int,
    own: Path,
    act: Callable[[], Any],
    check: Callable[[Any], None],
    begin: Callable[[], None] = lambda: None,
) -> Outcome:
    """Do something while a call fails, in a process of its own; return how that ended.

    Parameters
    ----------
    kind, nth
        Which call fails.
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
                with armed(kind, nth, own):
                    result = act()
            except (CompileError, MemoryError, OSError) as error:
                check(None)
                return Outcome(CLEAR, detail=f"{type(error).__name__}: {error}"[:200])
            check(result)
        return Outcome(RIGHT)

    outcome = Child(task).outcome()
    # What other libraries make of failing memory is theirs, and written down.
    if outcome.kind in (WRONG, KILLED):
        text = outcome.detail.strip().splitlines()[-1]
        caller = Path(shared.caller.decode()).name
        where = f"{kind} {nth} of {caller}: "
        theirs = kind == "malloc" and shared.fired == 1
        outcome = replace(outcome, kind=FOREIGN if theirs else WRONG, detail=where + (
            f"{caller}: {text}" if theirs else outcome.detail))  # fmt: skip
    return outcome


def equal(left: Any, right: Any) -> None:
    """Raise an error unless arrays have the same bits."""
    for a, b in zip(left, right, strict=True):
        np.testing.assert_array_equal(a, b)

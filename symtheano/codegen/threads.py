"""How many threads compiled code may start, and which stacks it needs.

GNU's OpenMP ends the process if a thread can't be started, and waits for ever in a forked child if
the thread that forked had started some. Threads are therefore started once as a test before each
thread that calls functions uses OpenMP, and a forked child uses one thread.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from symtheano.graph.forks import after_fork
from symtheano.graph.origin import user_stacklevel

_of_thread = threading.local()
_used = _forked = False
# Kernels may use 32 kB of a stack, and libraries more.
_LEAST_STACK = 1 << 18

SPINS = 10_000
"""How often a thread of OpenMP looks whether it can go on before it sleeps, in about 0.2 ms."""


def usable_threads() -> int:
    """Return on how many processors this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def allowed_threads(wanted: int) -> int:
    """Return how many threads the calling thread may use of those that are wanted.

    It is ``wanted``, or 1 in a forked child, and if they can't be started.
    """
    global _used
    if wanted <= 1 or _forked:
        return 1
    if not hasattr(_of_thread, "tested"):
        _of_thread.tested = {}
    tested: dict[int, int] = _of_thread.tested
    if wanted not in tested:
        tested[wanted] = wanted if _can_start(wanted - 1) else 1
    _used |= tested[wanted] > 1
    return tested[wanted]


def _can_start(count: int) -> bool:
    """Return whether some more threads can run at one time."""
    if 0 < _stack_size() < _LEAST_STACK:
        warnings.warn(
            f"the stacks of OpenMP's threads have {_stack_size()} bytes: compiled code runs in one "
            f"thread. Set OMP_STACKSIZE to {_LEAST_STACK >> 10}K or more",
            RuntimeWarning,
            stacklevel=user_stacklevel(),
        )
        return False
    gate = threading.Event()
    started: list[threading.Thread] = []
    try:
        with stacks_of(_stack_size()):
            for _ in range(count):
                thread = threading.Thread(target=gate.wait, name="symtheano-test", daemon=True)
                thread.start()
                started.append(thread)
    except (RuntimeError, MemoryError):
        warnings.warn(
            f"only {len(started)} of {count} more threads can be started: compiled code runs in "
            "one thread. Raise the limits of this process (ulimit -u, ulimit -v), or set the "
            "option threads",
            RuntimeWarning,
            stacklevel=user_stacklevel(),
        )
        return False
    finally:
        gate.set()
    for thread in started:
        thread.join()
    return True


def _stack_size() -> int:
    """Return the size of the stacks of OpenMP's threads; 0 for the system's default."""
    for name in ("OMP_STACKSIZE", "GOMP_STACKSIZE"):
        text = os.environ.get(name, "").strip().upper()
        number, unit = (text[:-1], text[-1:]) if text[-1:].isalpha() else (text, "K")
        if number.strip().isdigit() and unit in "BKMG":
            return int(number) << {"B": 0, "K": 10, "M": 20, "G": 30}[unit]
    return 0


@cache
def load_openmp() -> None:
    """Load GNU's OpenMP, so that its threads wait for work and for each other in short loops.

    By default they do so for milliseconds before they sleep. Where other programs use the
    processors, what is waited for can't run meanwhile, and small parallel loops took ten times as
    long. The library reads the environment once, when it is loaded; what the user has set there
    remains.
    """
    if sys.platform != "linux" or {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
        return
    os.environ["GOMP_SPINCOUNT"] = str(SPINS)
    try:
        with suppress(OSError):
            ctypes.CDLL("libgomp.so.1")
    finally:
        del os.environ["GOMP_SPINCOUNT"]


@after_fork
def _use_one() -> None:
    global _forked, _is_child, _sizing
    _forked |= _used
    _is_child = True
    _sizing = threading.Lock()


# -- stacks ----------------------------------------------------------------------------------------

LEAST_STACK = 1 << 16
"""Bytes of the stack of a thread that makes functions, or calls one without linear algebra."""

_AMPLE = 1 << 20
_RLIMIT_STACK = 3
_sizing = threading.Lock()
_is_child = False


@contextmanager
def stacks_of(size: int) -> Iterator[None]:
    """Start threads with stacks of a size; 0 for the system's default, which is ample."""
    with _sizing:
        before = threading.stack_size()
        with suppress(ValueError):
            threading.stack_size(size)
        try:
            yield
        finally:
            threading.stack_size(before)


def require_stack(needed: int) -> int:
    """Return the size of the calling thread's stack.

    Raises
    ------
    RuntimeError
        If fewer bytes than ``needed``. The process would end without it.
    """
    size: int = getattr(_of_thread, "stack", 0)
    if not size:
        size = _of_thread.stack = _measured_stack()
    if size < needed:
        raise RuntimeError(
            f"this thread has a stack of {size >> 10} kB, and compiled code that it calls needs "
            f"{needed >> 10} kB: call threading.stack_size({needed}) before the thread is made"
            if threading.current_thread() is not threading.main_thread()
            else f"the stack of this process is limited to {size >> 10} kB, and compiled code "
            f"needs {needed >> 10} kB: use a larger limit (ulimit -s)"
        )
    return size


def _measured_stack() -> int:
    """Return the size of the calling thread's stack; a large number if it is not known."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if library is None or not hasattr(library, "pthread_getattr_np"):
        return sys.maxsize
    limit = (ctypes.c_ulong * 2)()
    # In the main thread, the function below reads a table of the process's memory, which is slow.
    # A child's main thread may be any thread of its parent.
    if threading.current_thread() is threading.main_thread() and not _is_child:
        library.getrlimit(_RLIMIT_STACK, limit)
        if limit[0] >= _AMPLE:
            return sys.maxsize
    attributes = ctypes.create_string_buffer(256)
    library.pthread_self.restype = ctypes.c_void_p
    if library.pthread_getattr_np(ctypes.c_void_p(library.pthread_self()), attributes):
        return sys.maxsize
    size = ctypes.c_size_t()
    library.pthread_attr_getstack(attributes, ctypes.byref(ctypes.c_void_p()), ctypes.byref(size))
    library.pthread_attr_destroy(attributes)
    return size.value

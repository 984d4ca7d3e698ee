"""How many threads compiled code may start.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import NamedTuple

from symtheano.cgroups import processor_quota
from symtheano.codegen.affinity import LOADED, OPENMP_LIBRARIES, processors
from symtheano.graph.forks import after_fork
from symtheano.graph.origin import user_stacklevel
from symtheano.graph.stacks import stacks_of
from symtheano.graph.workers import Worker

_of_thread = threading.local()
_used = _forked = _is_child = False
# Whether another package had loaded OpenMP before, and the threads not of Python when it was loaded
# and when a process forks.
_shared, _natives_when_loaded, _natives_at_fork = False, 0, 0
# Kernels may use 32 kB of a stack, and libraries more.
_LEAST_STACK = 1 << 18

SPINS = 10_000
"""How often a thread of OpenMP looks whether it can go on before it sleeps, in about 0.2 ms."""


def usable_threads() -> int:
    """Return on how many processors this process may run, by its affinity and quotas."""
    count, quota = len(processors()), _quota()
    return count if quota is None else min(count, quota)


@cache
def _quota() -> int | None:
    """Return the number of processors of this process's quota, which seldom changes."""
    return processor_quota()


def allowed_threads(wanted: int) -> int:
    """Return how many threads the calling thread may use of those that are wanted.

    It is ``wanted``, or 1 in a forked child, and if they can't be started; and at most what
    :func:`threads_limited` or a program such as threadpoolctl has set for the calling thread.
    """
    allowed = _startable(wanted)
    openmp = openmp_threads()
    if allowed > 1 and openmp is not None:
        limit = openmp.get()
        return min(allowed, limit) if 0 < limit < openmp.initial else allowed
    return allowed


def startable_threads(wanted: int) -> tuple[int, int, int, int]:
    """Return what a dispatcher needs to know of the calling thread, which limits it itself.

    That is how many threads can be started of those that are wanted; the address of the function
    that returns the limit of OpenMP's threads, or 0; this limit if none has been set; and the
    number of processors, which calls of several threads divide.
    """
    allowed = _startable(wanted)
    openmp = openmp_threads() if allowed > 1 else None
    limit = (0, 0) if openmp is None else (openmp.address, openmp.initial)
    return (allowed, *limit, usable_threads())


def _startable(wanted: int) -> int:
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
    gate = threading.Lock()
    started: list[Worker] = []
    gate.acquire()

    def wait() -> None:
        with gate:
            pass

    try:
        with stacks_of(_stack_size()):
            for _ in range(count):
                worker = Worker(wait)
                worker.start()
                started.append(worker)
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
        gate.release()
    for worker in started:
        worker.join()
    return True


def _stack_size() -> int:
    """Return the size of the stacks of OpenMP's threads; 0 for the system's default."""
    for name in ("OMP_STACKSIZE", "GOMP_STACKSIZE"):
        text = os.environ.get(name, "").strip().upper()
        number, unit = (text[:-1], text[-1:]) if text[-1:].isalpha() else (text, "K")
        if number.strip().isdigit() and unit in "BKMG":
            return int(number) << {"B": 0, "K": 10, "M": 20, "G": 30}[unit]
    return 0


class OpenMPThreads(NamedTuple):
    """OpenMP's limit of the number of threads, which each thread has for itself.

    Attributes
    ----------
    get, set
        Its functions of the calling thread's limit.
    address
        The address of the first one.
    initial
        The limit of a thread for which none was set: OMP_NUM_THREADS, or all processors.
    """

    get: Callable[[], int]
    set: Callable[[int], None]
    address: int
    initial: int


_openmp: list[OpenMPThreads] = []


def openmp_threads() -> OpenMPThreads | None:
    """Return the functions of the OpenMP library that is loaded for compiled code, or None."""
    if _openmp:
        return _openmp[0]
    load_openmp()
    for name in OPENMP_LIBRARIES:
        with suppress(OSError, AttributeError):
            _openmp.append(_threads_of(ctypes.CDLL(name, LOADED)))
            return _openmp[0]
    return None


def _threads_of(library: ctypes.CDLL) -> OpenMPThreads:
    get, change = library.omp_get_max_threads, library.omp_set_num_threads
    get.restype, change.restype = ctypes.c_int, None
    change.argtypes = [ctypes.c_int]
    address = ctypes.cast(get, ctypes.c_void_p).value or 0
    found: list[int] = []
    # The limit of the calling thread may have been set already.
    fresh = Worker(lambda: found.append(get()))
    fresh.start()
    fresh.join()
    return OpenMPThreads(get, change, address, found[0])


@contextmanager
def threads_limited(most: int) -> Iterator[None]:
    """Limit the threads of compiled code that is called in this thread, in a ``with`` block.

    Several limits apply together. It is OpenMP's limit of the thread, so that it also applies to
    other libraries that use OpenMP.
    """
    openmp = openmp_threads()
    before = 0 if openmp is None else openmp.get()
    if openmp is None or most >= before:
        yield
        return
    openmp.set(most)
    try:
        yield
    finally:
        openmp.set(before)


@cache
def load_openmp() -> None:
    """Load GNU's OpenMP, so that its threads wait for work and for each other in short loops.

    By default they do so for milliseconds before they sleep. Where other programs use the
    processors, what is waited for can't run meanwhile, and small parallel loops took ten times as
    long. The library reads the environment once, when it is loaded; what the user has set there
    remains.
    """
    global _shared, _natives_when_loaded, _forked
    with suppress(OSError):
        ctypes.CDLL("libgomp.so.1", LOADED)
        _shared = True
    _natives_when_loaded = _native_threads()
    _forked |= _shared and _is_child
    if sys.platform != "linux" or {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
        return
    os.environ["GOMP_SPINCOUNT"] = str(SPINS)
    try:
        with suppress(OSError):
            ctypes.CDLL("libgomp.so.1")
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def _native_threads() -> int:
    """Return the number of threads that Python has not started, such as those of OpenMP."""
    try:
        return len(os.listdir("/proc/self/task")) - threading.active_count()
    except OSError:
        return 0


def _count_natives() -> None:
    global _natives_at_fork
    _natives_at_fork = _native_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_count_natives)


@after_fork
def _use_one() -> None:
    """Use one thread in this child if OpenMP may wait for threads that only the parent has.

    They may also have been started by another package that uses the same library, such as PyTorch.
    What has loaded the library before, or has started threads since then, may have done so.
    """
    global _forked, _is_child
    _is_child = True
    is_loaded = load_openmp.cache_info().currsize > 0
    others = is_loaded and (_shared or _natives_at_fork > _natives_when_loaded)
    _forked |= _used or others

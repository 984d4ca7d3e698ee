"""How many threads compiled code may start.

GNU's OpenMP ends the process if a thread can't be started, and waits for ever in a forked child if
the thread that forked had started some. Threads are therefore started once as a test before each
thread that calls functions uses OpenMP, and a forked child uses one thread.
"""

from __future__ import annotations

import os
import threading
import warnings
from contextlib import suppress

from symtheano.graph.forks import after_fork
from symtheano.graph.origin import user_stacklevel

_of_thread = threading.local()
_used = _forked = False
# Kernels may use 32 kB of a stack, and libraries more.
_LEAST_STACK = 1 << 18


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
    before = None
    gate = threading.Event()
    started: list[threading.Thread] = []
    try:
        with suppress(ValueError):
            before = threading.stack_size(_stack_size())
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
        if before is not None:
            threading.stack_size(before)
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


@after_fork
def _use_one() -> None:
    global _forked
    _forked |= _used

"""Functions that make forks safe while threads of this package are working.

A child has only the thread that forked. Locks that other threads hold are never released there,
and modules that they import stay incomplete.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock, local


def after_fork(function: Callable[[], None]) -> Callable[[], None]:
    """Run a function in each forked child."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)
    return function


# -- threads in the background ---------------------------------------------------------------------

_working = RLock()
_thread = local()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_working.acquire,
        after_in_parent=_working.release,
        after_in_child=_working.release,
    )


@contextmanager
def no_forks() -> Iterator[None]:
    """Let other threads fork only while this one is inside :func:`forks_allowed`."""
    outside = getattr(_thread, "working", False)
    with _working:
        _thread.working = True
        try:
            yield
        finally:
            _thread.working = outside


@contextmanager
def forks_allowed() -> Iterator[None]:
    """Let other threads fork while this one waits, where it is inside :func:`no_forks`."""
    if not getattr(_thread, "working", False):
        yield
        return
    _working.release()
    try:
        yield
    finally:
        _working.acquire()

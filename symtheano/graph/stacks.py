"""Stacks of threads: their sizes, and what calls need of them."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from symtheano.graph.forks import after_fork

_of_thread = threading.local()

LEAST_STACK = 1 << 16
"""Bytes of the stack of a thread that makes functions, or calls one without linear algebra."""

LARGE_STACK = 6 << 20
"""Bytes of the stack of a thread in which OpenBLAS factorizes large matrices with several threads.

Its recursive factorizations have 540 kB in each of up to eight frames."""

_AMPLE = 1 << 20
_RLIMIT_STACK = 3
_sizing = threading.Lock()
_is_child = False


@after_fork
def _in_child() -> None:
    global _is_child, _sizing
    _is_child = True
    _sizing = threading.Lock()


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
            f"this thread has a stack of {size >> 10} kB, but the call needs "
            f"{needed >> 10} kB: call threading.stack_size({needed}) before the thread is made"
            if threading.current_thread() is not threading.main_thread()
            else f"the stack of this process is limited to {size >> 10} kB, but the "
            f"call needs {needed >> 10} kB: use a larger limit (ulimit -s)"
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

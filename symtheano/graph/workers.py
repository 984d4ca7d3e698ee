"""Threads that do one thing."""

from __future__ import annotations

import os
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable


class Worker:
    """A thread that calls a function, and does not keep the process from ending.

    A thread of Python's module ``threading`` waits when it is started until it runs. If it gets no
    memory to begin, it ends before, and what started it waits for ever.

    Parameters
    ----------
    work
        The function to call. It raises no exceptions.

    Raises
    ------
    MemoryError
        If there is not even memory for a lock.

    Examples
    --------
    >>> found = []
    >>> worker = Worker(lambda: found.append(42))
    >>> worker.start()
    >>> worker.join()
    >>> found, worker.is_alive()
    ([42], False)
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        try:
            self._there = allocate_lock()
        except RuntimeError:  # as Python calls it
            raise MemoryError("a thread: there is not enough memory") from None
        self._process = 0

    def start(self) -> None:
        """Start the thread.

        Raises
        ------
        RuntimeError, MemoryError
            If there can't be one more.
        """
        # Only the thread has the object, so its end is that of the thread, however it ends.
        start_new_thread(_run, (self._work, _Stay(self._there)))
        self._process = os.getpid()

    @property
    def was_started(self) -> bool:
        """Whether the thread was started, in this process or in the one that was forked."""
        return self._process != 0

    def is_alive(self) -> bool:
        """Return whether the thread was started and has not ended; forked children have none."""
        return self._process == os.getpid() and self._there.locked()

    def join(self, seconds: float = -1) -> None:
        """Wait for the thread's end, at most so many seconds."""
        if self.is_alive() and self._there.acquire(timeout=seconds):
            self._there.release()


class _Stay:
    """An object that holds a lock as long as it exists."""

    def __init__(self, lock: LockType) -> None:
        self._lock = lock
        lock.acquire()

    def __del__(self) -> None:
        self._lock.release()


def _run(work: Callable[[], object], stay: _Stay) -> None:
    try:
        work()
    finally:
        del stay  # an exception that is kept keeps the variables of functions, too

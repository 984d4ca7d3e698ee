"""Values that are computed in another thread."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from symtheano.codegen.native.compiler import is_ending, is_stopped, stop_compilers
from symtheano.graph.forks import after_fork, forks_allowed, no_forks
from symtheano.graph.stacks import stacks_of
from symtheano.graph.workers import Worker

T = TypeVar("T")

PATIENCE = 20.0
"""Seconds for which the end of the process waits for what compilers have begun.

The longest file, the kernels of convolutions, takes about six on an idle machine.
"""

_CLEANING = 2.0
_running: set[Worker] = set()


@after_fork
def _forget_threads() -> None:
    _running.clear()


@atexit.register
def _end() -> None:
    """Wait for what is being compiled, then stop the compilers, and remove their files."""
    _join(PATIENCE)
    stop_compilers()
    _join(_CLEANING)


def _join(seconds: float) -> None:
    deadline = time.monotonic() + seconds
    for worker in list(_running):
        worker.join(max(0.0, deadline - time.monotonic()))


class Later(Generic[T]):
    """A value that another thread starts to compute immediately.

    When the process ends, it waits :data:`PATIENCE` seconds, because the compiler's work would be
    lost, and then stops the compiler.

    Parameters
    ----------
    make
        Function that returns the value or raises an exception.
    on_demand
        Whether no thread is started, and the value is computed on demand.

    Examples
    --------
    >>> later = Later(lambda: 6 * 7)
    >>> later.result(), later.ready
    (42, True)
    """

    def __init__(self, make: Callable[[], T], on_demand: bool = False) -> None:
        self._make = make
        self._values: list[T] = []
        self._raised: BaseException | None = None
        self._owner = os.getpid()
        self._worker = Worker(self._work)
        if not on_demand:
            self._start()

    @classmethod
    def of(cls, value: T) -> Later[T]:
        """Return a value that is already available."""
        there = cls(lambda: value, on_demand=True)
        there._run()
        return there

    def _start(self) -> None:
        # If there are no more threads, or none may start compilers, it is computed on demand.
        if is_ending():
            return
        _running.add(self._worker)
        try:
            with stacks_of(0):
                self._worker.start()
        except (RuntimeError, MemoryError):
            _running.discard(self._worker)

    def _work(self) -> None:
        with no_forks():
            self._run()
        _running.discard(self._worker)

    def _run(self) -> None:
        try:
            self._values.append(self._make())
        except BaseException as error:
            if not is_stopped():
                self._raised = error

    @property
    def ready(self) -> bool:
        """Whether the value is available, or has failed."""
        return bool(self._values) or not self._running()

    @property
    def failed(self) -> bool:
        """Whether an exception was raised instead."""
        return self._raised is not None

    def wait(self) -> None:
        """Wait until the thread has ended."""
        if self._running():
            with forks_allowed():
                self._worker.join()

    def result(self) -> T:
        """Return the value; wait for it if necessary.

        Raises
        ------
        BaseException
            What ``make`` raised.
        """
        self.wait()
        if not self._values and self._raised is None:
            self._run()
        if self._raised is not None:
            raise self._raised
        return self._values[0]

    def _running(self) -> bool:
        # A forked child has the object, but not the thread: it starts another one.
        if self._owner != os.getpid() and not self._values and self._raised is None:
            self._owner = os.getpid()
            if self._worker.was_started:
                self._worker = Worker(self._work)
                self._start()
        return self._worker.is_alive()

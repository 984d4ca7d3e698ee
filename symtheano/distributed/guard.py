"""Ends all ranks if one has failed: by an exception, or because it does not come.

An exception of one rank would leave the others waiting for it: a hook of ``sys`` prints it and ends
all. A thread on each rank watches how long the rank waits for others. Ranks that wait tell each
other, so those that are missing are known. ``mpiexec`` ends all if a rank dies; if it does not, the
thread does, which sees the processes on its machine.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any

from symtheano.codegen.runtime.mpi import World
from symtheano.config import config
from symtheano.distributed.processes import Processes, this_process

_TICK = 0.25
"""Seconds between two looks of the watchdog."""

_FRESH = 3.0
"""Seconds for which it is known that a rank waits, since it has told so."""

_PATIENCE = 2.0
"""Seconds in which ``mpiexec`` may end all ranks because one has died, before a rank does."""

_TURN = 0.1
"""Seconds that a rank lets each rank before it go first: if all ranks fail, one prints."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def guard(world: World) -> None:
    """Install the hook and start the watchdog, if there are several ranks."""
    if world.size == 1:
        return
    _install_hook(world)
    if world.mpi.Query_thread() == world.mpi.THREAD_MULTIPLE:
        watchdog = Watchdog(world)
        watchdog.start()
        atexit.register(watchdog.stop)


def _install_hook(world: World) -> None:
    previous = sys.excepthook

    def fail(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print an exception with the rank, once, and end all ranks."""
        time.sleep(_TURN * min(world.rank, 10))
        sys.stdout.flush()
        if issubclass(kind, KeyboardInterrupt):
            previous(kind, error, trace)
        else:
            lines = "".join(traceback.format_exception(kind, error, trace))
            end(world, f"{lines}symtheano: this was rank {world.rank} of {world.size}")

    sys.excepthook = fail


def end(world: World, text: str) -> None:
    """Print a text and end all ranks."""
    sys.stderr.write(f"{text}; all ranks end\n")
    sys.stderr.flush()
    world.control.Abort(1)


class Watchdog(threading.Thread):
    """Watches how long this rank waits for others, and ends all ranks if it takes too long.

    The limit is the option ``mpi_timeout``, in seconds; 0 for none.

    Parameters
    ----------
    world
        The ranks.
    """

    def __init__(self, world: World) -> None:
        super().__init__(name="symtheano watchdog", daemon=True)
        self._world, self._comm = world, world.mpi.COMM_WORLD.Dup()
        self._processes = Processes(world.control.allgather(this_process()), world.rank)
        self._ended_since: dict[int, float] = {}
        self._ended = threading.Event()
        self._main = threading.main_thread().ident
        self._call, self._since, self._told = -1, time.monotonic(), 0.0
        self._heard: dict[int, float] = {}
        self._sent: list[Any] = []

    def run(self) -> None:
        """Look at the table until the process ends."""
        while not self._ended.wait(_TICK):
            self.look(time.monotonic())

    def stop(self) -> None:
        """End the thread, before MPI is finalized."""
        self._ended.set()
        self.join(5 * _TICK)
        self._processes.close()

    def look(self, now: float) -> None:
        """Hear of ranks that wait, tell that this one waits, and end all if it takes too long."""
        self._hear(now)
        for rank in self._processes.ended():
            self._ended_since.setdefault(rank, now)
        table = self._world.table
        if not table.waiting or table.calls != self._call:
            self._call, self._since = table.calls, now
            return
        waited = now - self._since
        if waited > 1 and now - self._told > 1:
            self._tell()
            self._told = now
        if (late := self.late(now)) is None:
            return
        missing = self.missing(now)
        present = [rank for rank in range(self._world.size) if rank not in missing]
        # One rank speaks for all; if it does not, another one does.
        if present[0] == self._world.rank or late > _FRESH:
            end(self._world, self.message(missing))

    def late(self, now: float) -> float | None:
        """Return for how many seconds this rank has waited too long, or None.

        A process that has ended never comes: then the time since its end counts, and not the limit,
        which could pass just before ``mpiexec`` has seen the end.
        """
        since, limit = self._since, float(config.mpi_timeout)
        if self._ended_since:
            since, limit = max(since, min(self._ended_since.values())), _PATIENCE
        late = now - since - limit
        return late if limit and late >= 0 else None

    def missing(self, now: float) -> list[int]:
        """Return the ranks of which it is not known that they wait."""
        others = (rank for rank in range(self._world.size) if rank != self._world.rank)
        return [rank for rank in others if now - self._heard.get(rank, -_FRESH - now) > _FRESH]

    def message(self, missing: list[int]) -> str:
        """Return the message for ranks that have not come."""
        here, limit = self._world, config.mpi_timeout
        place = _place(sys._current_frames().get(self._main or 0))
        if self._ended_since:
            numbers = self._processes.numbers
            ended = [f"{rank} (process {numbers[rank]})" for rank in sorted(self._ended_since)]
            what = f"{_ranks(ended)} of {here.size} {'has' if len(ended) == 1 else 'have'} ended"
            return f"symtheano: {what}, for which rank {here.rank} waits{place}"
        waits = f"rank {here.rank} has waited for {limit} s{place}"
        what = "all ranks wait, but in different operations"
        if missing:
            what = f"missing: {_ranks(missing)} of {here.size}"
        return f"symtheano: {waits}; {what} (config.mpi_timeout = {limit})"

    def _hear(self, now: float) -> None:
        mpi = self._world.mpi
        status = mpi.Status()
        while self._comm.Iprobe(mpi.ANY_SOURCE, 1, status):
            source = status.Get_source()
            self._comm.Recv(bytearray(1), source, 1)
            self._heard[source] = now

    def _tell(self) -> None:
        self._sent = [request for request in self._sent if not request.Test()]
        for rank in range(self._world.size):
            if rank != self._world.rank:
                self._sent.append(self._comm.Isend(b"w", rank, 1))


def _ranks(ranks: Sequence[object]) -> str:
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"


def _place(frame: FrameType | None) -> str:
    """Return the line of the user's program that runs."""
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return "" if frame is None else f" at {frame.f_code.co_filename}:{frame.f_lineno}"

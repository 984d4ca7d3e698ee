"""Ends all ranks if one has failed: by an exception, or because it does not come.

An exception of one rank would leave the others waiting for it: a hook of ``sys`` prints it and ends
all. A thread on each rank watches how long the rank waits for others. Ranks that wait tell each
other, so those that are missing are known. A rank that leaves its program tells in how many
operations it has taken part, so others know whether they wait for it in vain. ``mpiexec`` ends all
if a rank dies; if it does not, the thread does, which sees the processes on its machine.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, NamedTuple, NoReturn

from symtheano.codegen.runtime.mpi import World
from symtheano.config import config
from symtheano.distributed.processes import Processes, this_process

_TICK = 0.25
"""Seconds between two looks of the watchdog."""

_FRESH = 3.0
"""Seconds for which it is known that a rank waits, since it has told so."""

_PATIENCE = 2.0
"""Seconds in which ``mpiexec`` may end all ranks because one has died, before a rank does."""

_ABORTING = 10.0
"""Seconds that MPI may take to end all ranks; then this one ends by itself. MPI may wait for ever
if the network is gone.
"""

_LONGEST_SLEEP = 0.05
"""Seconds between two looks of a rank that leaves for the others."""

_WAITS, _LEAVES = 1, 2
"""Tags of messages."""

_TURN = 0.1
"""Seconds that a rank lets each rank before it go first: if all ranks fail, one prints."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def guard(world: World) -> None:
    """Install the hook and start the watchdog, if there are several ranks."""
    if world.size == 1:
        return
    _install_hook(world)
    exits = _noted_exits()
    if world.mpi.Query_thread() == world.mpi.THREAD_MULTIPLE:
        watchdog = Watchdog(world)
        watchdog.start()
        atexit.register(lambda: watchdog.leave("".join(exits[-1:])))


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


def _noted_exits() -> list[str]:
    """Return a list to which calls of ``sys.exit`` by the main thread add their lines."""
    lines: list[str] = []
    original = sys.exit

    def leave(status: Any = None, /) -> NoReturn:
        """End the program; the line is noted."""
        if threading.current_thread() is threading.main_thread():
            lines.append(_place(sys._getframe(1)))
        original(status)

    sys.exit = leave
    return lines


def end(world: World, text: str) -> None:
    """Print a text and end all ranks."""
    sys.stderr.write(f"{text}; all ranks end\n")
    sys.stderr.flush()
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        # This needs no lock of Python, which a thread in MPI may have.
        faulthandler.dump_traceback_later(_ABORTING, exit=True, file=nowhere)
        world.control.Abort(1)


class Left(NamedTuple):
    """That a rank has left its program.

    Attributes
    ----------
    operations
        The number of operations in which it has taken part.
    place
        The line of its ``sys.exit``, after " at ", or "".
    """

    operations: int
    place: str


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
        self._main, self._process = threading.main_thread().ident, os.getpid()
        self._call, self._since, self._told = -1, time.monotonic(), 0.0
        self._heard: dict[int, float] = {}
        self._left: dict[int, Left] = {}
        self._sent: list[Any] = []

    def run(self) -> None:
        """Look at the table until the process ends."""
        while not self._ended.wait(_TICK):
            self.look(time.monotonic())

    def leave(self, place: str) -> None:
        """End the thread, and wait until all ranks leave, before MPI is finalized.

        Parameters
        ----------
        place
            The line at which this rank leaves, after " at ", or "".
        """
        if os.getpid() != self._process:  # a forked child is no rank
            return
        self._ended.set()
        self.join(5 * _TICK)
        if not self.is_alive() and not self._world.mpi.Is_finalized():
            told = Left(self._world.table.collectives, place)
            for rank in self._others():
                self._sent.append(self._comm.isend(tuple(told), rank, _LEAVES))
            self._wait_for_all()
            for request in self._sent:
                request.Test()
        self._processes.close()

    def _wait_for_all(self) -> None:
        """Wait until all ranks leave; a rank that has died ends all."""
        sleep = 0.001
        while True:
            now, ended = time.monotonic(), self._processes.ended()
            self._hear(now)  # a process that has ended may have left before
            self._note_ended(ended - self._left.keys(), now)
            if len(self._left) == self._world.size - 1:
                return
            if self._ended_since and now - min(self._ended_since.values()) > _PATIENCE:
                end(self._world, self.message([]))
            time.sleep(sleep)
            sleep = min(2 * sleep, _LONGEST_SLEEP)

    def _others(self) -> list[int]:
        return [rank for rank in range(self._world.size) if rank != self._world.rank]

    def _note_ended(self, ranks: set[int], now: float) -> None:
        for rank in ranks:
            self._ended_since.setdefault(rank, now)

    def look(self, now: float) -> None:
        """Hear of ranks that wait, tell that this one waits, and end all if it takes too long."""
        ended = self._processes.ended()
        self._hear(now)
        self._note_ended(ended - self._left.keys(), now)
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
        which could pass just before ``mpiexec`` has seen the end. Neither does one that has left.
        """
        since, limit = self._since, float(config.mpi_timeout)
        gone = [*self._ended_since.values(), *(self._heard[rank] for rank in self._without())]
        if gone:
            since, limit = max(since, min(gone)), _PATIENCE
        late = now - since - limit
        return late if limit and late >= 0 else None

    def _without(self) -> list[int]:
        """Return the ranks that have left before the operation in which this one waits."""
        operations = self._world.table.collectives
        return [rank for rank in sorted(self._left) if self._left[rank].operations < operations]

    def missing(self, now: float) -> list[int]:
        """Return the ranks of which it is not known that they wait."""
        heard = {rank: then for rank, then in self._heard.items() if rank not in self._left}
        return [rank for rank in self._others() if now - heard.get(rank, -_FRESH - now) > _FRESH]

    def message(self, missing: list[int]) -> str:
        """Return the message for ranks that have not come."""
        here, limit = self._world, config.mpi_timeout
        place = _place(sys._current_frames().get(self._main or 0))
        if self._ended_since:
            numbers = self._processes.numbers
            ended = [f"{rank} (process {numbers[rank]})" for rank in sorted(self._ended_since)]
            what = f"{_ranks(ended)} of {here.size} {'has' if len(ended) == 1 else 'have'} ended"
            return f"symtheano: {what}, for which rank {here.rank} waits{place}"
        if without := self._without():
            lines = [self._left[rank].place.strip() for rank in without]
            names = [
                f"{rank} ({line})" if line else rank
                for rank, line in zip(without, lines, strict=True)
            ]
            what = f"{_ranks(names)} of {here.size} {'has' if len(names) == 1 else 'have'} left"
            return f"symtheano: {what} the program, for which rank {here.rank} waits{place}"
        waits = f"rank {here.rank} has waited for {limit} s{place}"
        what = "all ranks wait, but in different operations"
        if missing:
            what = f"missing: {_ranks(missing)} of {here.size}"
        return f"symtheano: {waits}; {what} (config.mpi_timeout = {limit})"

    def _hear(self, now: float) -> None:
        mpi = self._world.mpi
        status = mpi.Status()
        while self._comm.Iprobe(mpi.ANY_SOURCE, mpi.ANY_TAG, status):
            source = status.Get_source()
            if status.Get_tag() == _LEAVES:
                self._left[source] = Left(*self._comm.recv(source=source, tag=_LEAVES))
            else:
                self._comm.Recv(bytearray(1), source, _WAITS)
            self._heard[source] = now

    def _tell(self) -> None:
        """Tell the other ranks that this one waits, but those whose processes have ended.

        MPICH ends a process that sends to one whose connection is closed (a segmentation fault).
        """
        self._sent = [request for request in self._sent if not request.Test()]
        for rank in self._others():
            if rank not in self._ended_since:
                self._sent.append(self._comm.Isend(b"w", rank, _WAITS))


def _ranks(ranks: Sequence[object]) -> str:
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"


def _place(frame: FrameType | None) -> str:
    """Return the line of the user's program that runs."""
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return "" if frame is None else f" at {frame.f_code.co_filename}:{frame.f_lineno}"

"""The end of a rank where MPI can't end it. What several ranks do is in test_parallel.py."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

from symtheano.distributed.guard import _PATIENCE, Watchdog

ABORTS = """
import time
from importlib import import_module
from types import SimpleNamespace
guard = import_module("symtheano.distributed.guard")
guard._ABORTING = 0.2
control = SimpleNamespace(Abort=lambda status: time.sleep(600))
guard.end(SimpleNamespace(control=control), "rank 1 is missing")
"""


def test_a_rank_ends_although_mpi_waits_for_ever() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ABORTS], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 1
    assert ended.stderr == "rank 1 is missing; all ranks end\n"


class Connection:
    """A communicator of which nothing comes, and that notes to whom something is sent."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def Dup(self) -> Connection:
        return self

    def Iprobe(self, *arguments: object) -> bool:
        return False

    def Isend(self, data: bytes, rank: int, tag: int) -> Any:
        self.told.append(rank)
        return SimpleNamespace(Test=lambda: True)


def test_nothing_is_sent_to_a_rank_that_has_ended() -> None:
    comm = Connection()
    mpi = SimpleNamespace(COMM_WORLD=comm, ANY_SOURCE=-1, ANY_TAG=-1, Status=object)
    table = SimpleNamespace(waiting=1, calls=7, collectives=3)
    control = SimpleNamespace(allgather=lambda mine: [mine] * 3)
    world: Any = SimpleNamespace(mpi=mpi, control=control, rank=0, size=3, table=table)
    watchdog = Watchdog(world)
    ended: set[int] = set()
    watchdog._processes.close()
    watchdog._processes = SimpleNamespace(ended=lambda: ended)  # type: ignore[assignment]
    watchdog.look(100.0)
    watchdog.look(101.5)
    assert comm.told == [1, 2]
    ended.add(2)
    watchdog.look(103.0)
    assert comm.told == [1, 2, 1]
    assert watchdog.late(103.0) is None
    assert watchdog.late(103.0 + _PATIENCE) == 0

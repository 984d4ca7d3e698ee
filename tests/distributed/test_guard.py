"""The end of a rank where MPI can't end it. What several ranks do is in test_parallel.py."""

from __future__ import annotations

import subprocess
import sys

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

"""Programs of several processes, started by ``mpiexec``."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent

HEAD = """
import pickle, sys
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano import distributed, function, grad, nn, shared

world = distributed.world()
rank, count = world.rank, world.size
result = {}
"""
TAIL = """
with open(f"{sys.argv[1]}/{rank}.pickle", "wb") as file:
    pickle.dump(result, file)
"""


class Ended(NamedTuple):
    """What became of a program.

    Attributes
    ----------
    status, output
        The exit status of ``mpiexec``, and what all ranks have printed.
    results
        For each rank the dict ``result``, or None if the rank did not come to its end.
    seconds
        How long it ran.
    """

    status: int
    output: str
    results: list[Any]
    seconds: float


def launcher() -> list[str]:
    """Return the command that starts processes, with the options that tests need."""
    beside = Path(sys.executable).parent / "mpiexec"
    command = str(beside) if beside.exists() else shutil.which("mpiexec")
    if command is None:
        return []
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    if "open mpi" in (version.stdout + version.stderr).lower():
        return [command, "--allow-run-as-root", "--oversubscribe"]
    return [command]


def started(
    folder: Path, count: int, body: str, limit: float = 100.0, **environment: str
) -> subprocess.Popen[str]:
    """Start ``count`` ranks that run a program; its results are written to a folder."""
    program = folder / "program.py"
    program.write_text(HEAD + body + TAIL, encoding="utf-8")
    # Ranks share the processors: more threads would only wait for each other.
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **environment}
    command = [*launcher(), "-n", str(count), sys.executable, str(program), str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables,
        cwd=folder, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def run_ranks(
    folder: Path, count: int, body: str, limit: float = 100.0, **environment: str
) -> Ended:
    """Run a program on ``count`` ranks.

    Parameters
    ----------
    folder
        An empty folder.
    count
        The number of ranks.
    body
        Python text, which has ``rank``, ``count`` and the modules of examples, and fills the dict
        ``result``.
    limit
        Seconds after which the program is killed, and the test fails.
    environment
        Further variables of the environment.
    """
    for old in folder.glob("*.pickle"):
        old.unlink()
    begin = time.monotonic()
    process = started(folder, count, body, limit, **environment)
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        raise AssertionError(f"the ranks ran for more than {limit} s:\n{output}") from None
    results: list[Any] = [None] * count
    for number in range(count):
        path = folder / f"{number}.pickle"
        if path.exists():
            results[number] = pickle.loads(path.read_bytes())
    return Ended(process.returncode, output, results, time.monotonic() - begin)


def results_of(folder: Path, count: int, body: str, **environment: str) -> list[Any]:
    """Return the results of all ranks of a program that must not fail."""
    ended = run_ranks(folder, count, body, **environment)
    assert ended.status == 0, ended.output
    assert None not in ended.results, ended.output
    return ended.results

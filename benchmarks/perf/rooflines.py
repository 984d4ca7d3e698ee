"""The machine's limits, and how close to them a result could come."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.perf.pool import pin

Limits = dict[str, float]
SOURCE = Path(__file__).with_name("roof.c")
FLAGS = "-std=gnu11 -O3 -march=native -fno-math-errno -fno-trapping-math -ffp-contract=fast".split()
TRAFFIC = ("copy", "memcpy", "triad", "read")
CACHE = 48e6  # bytes; roof.c has two or three arrays of this size


def limits(threads: Sequence[int], kept: Path) -> dict[str, Limits]:
    """Return the limits for each number of threads.

    They are read from the file ``kept`` if they are there, and otherwise measured, which takes some
    seconds and needs an idle machine, and written to it.
    """
    known: dict[str, Limits] = json.loads(kept.read_text()) if kept.exists() else {}
    missing = [count for count in threads if str(count) not in known]
    if missing:
        with tempfile.TemporaryDirectory() as folder:
            program = _compile(Path(folder))
            for count in missing:
                known[str(count)] = _run(program, count)
        kept.write_text(json.dumps(known, indent=1) + "\n")
    return known


def _compile(folder: Path) -> Path:
    program = folder / "roof"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run(
        [*compiler, *FLAGS, "-fopenmp", str(SOURCE), "-o", str(program), "-lmvec", "-lm"],
        check=True,
    )
    return program


def _run(program: Path, threads: int) -> Limits:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    with subprocess.Popen([program], stdout=subprocess.PIPE, env=environment) as process:
        if threads == 1:
            pin(process.pid)
        output, _ = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, str(program))
    rates: Limits = json.loads(output)
    return rates


def least_seconds(record: Mapping[str, Any], rates: Limits) -> float | None:
    """Return the time that the machine needs at least, or None where nothing is known.

    Memory traffic counts where the arrays are too large for a cache. The rates of functions are
    those of the C library: better ones may beat them.
    """
    dtype = record["case"].get("dtype", "float32")
    parts = [0.0]
    traffic, flops = record["bytes"], record["flops"]
    if traffic and traffic > CACHE:
        parts.append(traffic / max(rates[kind] for kind in TRAFFIC))
    if flops:
        parts.append(flops / rates[f"flops_{dtype}"])
    evaluated = record["functions"].items()
    parts.append(sum(count / rates[f"{name}_{dtype}"] for name, count in evaluated))
    return max(parts) or None

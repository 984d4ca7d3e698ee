"""How much memory a training step needs, compared with other libraries.

    python -m benchmarks.memory [--only PATTERNS] [--libs symtheano,numpy,jax,torch]
                                [--calls 20] [--peers-python PYTHON]

Each number is of a new process with a warm compile cache and one thread, in MB (10⁶ bytes) of
resident memory. The process imports the library, makes the inputs in NumPy, and has the library
compute something small. Then it builds the workload and calls it twice, and after that some more
times. Before each of the two readings free memory is given back to the system.

- ``step``: the peak (``VmHWM``, reset before) during the further calls over what was resident
  just before them: outputs and temporary arrays that a call makes and frees. Memory that a
  library keeps from one call to the next is not in it;
- ``all``: the same peak over what was resident before building: besides ``step``, what is kept
  between calls, compiled code, and what a library's own copies of inputs and parameters take
  beyond the originals, which are freed if nothing refers to them any more.

Counters of the kernel are exact to a few tenths of a MB. Ratios are ours over the least of the
peers that ran; ``-`` where that is below 0.5 MB. Linux only.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.perf import libraries
from benchmarks.perf.workload import Unsupported, key, select
from benchmarks.start import environment

STEPS = (
    "adam_small",
    "logreg_step",
    "mlp_step",
    "layernorm_grad",
    "softmax_xent_grad",
    "embed_dense_grad",
)
SMALL = "call_plus1|dtype=float64|n=10"
COUNTED = ("step", "all")
Numbers = dict[str, float]


def peak(reset: bool = False) -> float:
    """Return the MB of the largest resident memory since the last reset."""
    if reset:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if found is None:
        raise OSError("this kernel does not count the largest resident memory")
    return int(found[1]) * 1024 / 1e6


def measure(library: str, name: str, calls: int) -> Numbers:
    """Return the MB of a workload in this process; nothing where it is not written for it."""
    adapter = importlib.import_module(
        f"benchmarks.perf.adapters.{libraries.LIBRARIES[library].adapter}"
    ).Adapter()
    ((small, small_case),) = select([SMALL])
    small.builder(adapter.flavours)(adapter, small_case, small.data(small_case))()
    ((one, case),) = select([name])
    try:
        build = one.builder(adapter.flavours)
    except Unsupported:
        return {}
    data = one.data(case)
    adapter.begin(case)
    start = peak(reset=True)
    made = build(adapter, case, data)
    call = made[0] if isinstance(made, tuple) else made
    del data  # if a library has copied it, it is no longer needed
    for _ in range(2):
        call()
    before = peak(reset=True)
    for _ in range(calls):
        call()
    highest = peak()
    return {"step": highest - before, "all": highest - start}


def in_fresh_process(library: str, name: str, calls: int, caches: Path, peers: str) -> Numbers:
    """Return what :func:`measure` tells in a new process."""
    words = ["--one", library, name, "--calls", str(calls)]
    done = subprocess.run(
        [libraries.interpreter(library, peers), "-m", "benchmarks.memory", *words],
        capture_output=True,
        text=True,
        env=environment(library, 1, caches),
        cwd=libraries.ROOT,
    )
    if done.returncode:
        sys.exit(f"{library} cannot run {name}:\n{done.stderr}")
    found: Numbers = json.loads(done.stdout.splitlines()[-1])
    return found


def row(found: dict[str, Numbers], counted: str) -> list[str]:
    """Return the MB of each library, and the ratio of ours to the best of the others."""
    cells = [f"{numbers[counted]:.1f}" if numbers else "-" for numbers in found.values()]
    others = [n[counted] for library, n in found.items() if n and library != libraries.OURS]
    best, ours = min(others, default=0.0), found.get(libraries.OURS)
    return [*cells, f"{ours[counted] / best:.2f}" if ours and best >= 0.5 else "-"]


def main() -> None:
    """Read the command line; measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(STEPS), help="workloads, as benchmarks --list")
    parser.add_argument("--libs", default="symtheano,numpy,jax,torch")
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument(
        "--peers-python", default=os.environ.get("BENCH_PEERS_PYTHON", sys.executable)
    )
    parser.add_argument("--one", nargs=2, metavar=("LIBRARY", "NAME"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.one:
        library, name = wanted.one
        print(json.dumps(measure(library, name, wanted.calls)))
        return
    names = wanted.libs.split(",")
    heads = [f"{library}, {counted}" for counted in COUNTED for library in [*names, "ratio"]]
    print(f"| MB | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        for one, case in select(wanted.only.split(",")):
            name = key(one.name, case)
            found = {}
            for library in names:
                for _ in range(2):  # the first process fills the compile cache
                    found[library] = in_fresh_process(
                        library, name, wanted.calls, Path(place), wanted.peers_python
                    )
            cells = [cell for counted in COUNTED for cell in row(found, counted)]
            print(f"| {name.replace('|', ' ')} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""How long a program waits for its first result: from building a graph to the end of one call.

    python -m benchmarks.start [--only PATTERNS] [--rounds 5] [--peers-python PYTHON]

Each time is of a new process, in wall seconds; libraries are imported and inputs made (on the
device, for JAX) before the clock starts. Libraries, and what their caches hold, take turns:

- ``empty``: nothing has ever been compiled. symtheano tries the compiler, too, and compiles the
  module that calls functions and its own kernels, partly in the background;
- ``cold``: one other function has been compiled, a product of two matrices; the usual case of a
  new function. For JAX, whose persistent cache is on for compilations of any length, this is
  its empty cache;
- ``warm``: the same program has run before.

A time is the median over the rounds, and ratios are ours over JAX's. All processors may be used.
Results are compared with NumPy's after the clock has stopped. ``red_sum_axis1`` has a matrix of
256×256 here.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.perf import libraries
from benchmarks.perf.workload import compare, key, select

OURS, PEER = libraries.OURS, "jax"
BEFORE = "gemm_small|dtype=float32|n=8"  # the content of the cold cache
GRAPHS = (
    "ew_poly|*float32|n=1000",
    "ew_trans|*float32|n=1000",
    "ew_blackscholes|*n=1000",
    "red_sum_axis1",
    "layernorm_grad",
    "softmax_xent_grad",
    "lik_gaussian|*n=100",
    "lik_logistic|*n=200",
    "gather_scatter_grad|*nodes=50",
    "adam_small",
    "logreg_step",
    "mlp_step|*small",
)
SHAPES = {"red_sum_axis1": (256, 256)}  # summing the usual one takes longer than starting


def first_result(library: str, name: str) -> float:
    """Return the seconds of building and calling a workload in this process."""
    adapter = importlib.import_module(
        f"benchmarks.perf.adapters.{libraries.LIBRARIES[library].adapter}"
    ).Adapter()
    ((one, case),) = select([name])
    if one.name in SHAPES:
        one.__dict__["shape"] = SHAPES[one.name]
    data = one.data(case)
    inputs = data
    if library == PEER:
        adapter.jnp.zeros((), "float32")
        arrays = {name: x for name, x in data.items() if isinstance(x, np.ndarray)}
        inputs = {**data, **adapter.jax.block_until_ready(adapter.jax.device_put(arrays))}
    build = one.builder(adapter.flavours)
    adapter.begin(case)
    start = time.perf_counter()
    made = build(adapter, case, inputs)
    call, state = made if isinstance(made, tuple) else (made, None)
    results: Any = call()
    taken = time.perf_counter() - start
    for _ in range(one.check_calls - 1):
        results = call()
    results = state() if state else results
    results = results if isinstance(results, (list, tuple)) else [results]
    error, reason = compare([adapter.to_numpy(r) for r in results], one.reference(case, data))
    if not error < one.tolerated(case):
        raise AssertionError(f"{library} has a wrong result: {reason or error}")
    return taken


def environment(library: str, threads: int, caches: Path) -> dict[str, str]:
    """Return the environment of a process that keeps all that it compiles below ``caches``."""
    found = libraries.environment(library, threads, caches)
    found.pop("PYTHONDONTWRITEBYTECODE", None)  # users have byte code from the second run on
    return {
        **found,
        "JAX_COMPILATION_CACHE_DIR": str(caches / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def in_fresh_process(library: str, name: str, caches: Path, peers: str) -> float:
    """Return what :func:`first_result` tells in a new process."""
    command = [libraries.interpreter(library, peers), "-m", "benchmarks.start"]
    done = subprocess.run(
        [*command, "--one", library, name],
        capture_output=True,
        text=True,
        env=environment(library, len(os.sched_getaffinity(0)), caches),
        cwd=libraries.ROOT,
    )
    if done.returncode:
        sys.exit(f"{library} cannot run {name}:\n{done.stderr}")
    return float(json.loads(done.stdout.splitlines()[-1]))


def one_round(name: str, seed: Path, peers: str) -> dict[str, float]:
    """Return the seconds of every library with every cache."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        empty, seeded, peer = (Path(place) / part for part in ("empty", "seeded", "peer"))
        shutil.copytree(seed, seeded)
        for what, library, caches in (
            ("ours empty", OURS, empty),
            ("jax cold", PEER, peer),
            ("ours cold", OURS, seeded),
            ("jax warm", PEER, peer),
            ("ours warm", OURS, seeded),
        ):
            found[what] = in_fresh_process(library, name, caches, peers)
    return found


def main() -> None:
    """Read the command line; measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(GRAPHS), help="workloads, as benchmarks --list")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--peers-python", default=os.environ.get("BENCH_PEERS_PYTHON", sys.executable)
    )
    parser.add_argument("--one", nargs=2, metavar=("LIBRARY", "NAME"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.one:
        print(json.dumps(first_result(*wanted.one)))
        return
    peers = wanted.peers_python
    print("| ms to the first result | empty | cold | jax cold | ratio | warm | jax warm | ratio |")
    print("| --- |" + " ---: |" * 7)
    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        seed = Path(place) / "seed"
        for library in (OURS, PEER):  # and byte code, and the file cache
            in_fresh_process(library, BEFORE, seed if library == OURS else Path(place), peers)
        for one, case in select(wanted.only.split(",")):
            name = key(one.name, case)
            rounds = [one_round(name, seed, peers) for _ in range(wanted.rounds)]
            ms = {what: 1e3 * statistics.median(r[what] for r in rounds) for what in rounds[0]}
            cells = [f"{ms['ours empty']:.0f}"]
            for column in ("cold", "warm"):
                ours, theirs = ms[f"ours {column}"], ms[f"jax {column}"]
                cells += [f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}"]
            label = name.replace("|", " ")
            print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

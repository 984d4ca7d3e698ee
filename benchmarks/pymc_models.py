"""Densities and gradients of PyMC's models: time of a call and of compilation, beside other modes.

    python -m benchmarks.pymc_models [--only PATTERNS] [--modes numba,jax,c] [--minutes 15]

The models are those of ``tests/pytensor/models.py``. Each is compiled by each mode of PyTensor in a
process of its own, in which PyMC and the mode's library are imported and ``x + 1`` has been
compiled before the clock starts:

- ``cold``: ``pytensor.function`` and the first call, with empty caches (ours has the parts that are
  the same for all programs, as after any other function). PyTensor's C code keeps what it has
  compiled for the models before, and has no such column;
- ``warm``: the same in a second process;
- ``call``: µs per call from Python by the shortest way of each mode, with arguments that are not
  checked. That of JAX gets an array of JAX and waits for the result;
- ``in C``: µs per call in a loop without Python, of numba's code and of ``vector_callable``.

Processes of one model are timed in turns on one processor, in short blocks of which the fastest
counts. Results are compared first.
"""

from __future__ import annotations

import argparse
import ctypes
import fnmatch
import json
import math
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

OURS = "symtheano"
MODES = {OURS: "SYMTHEANO", "numba": "NUMBA", "jax": "JAX", "c": "C"}
BLOCK = 0.02
Timer = Callable[[int], float]
"""Calls a number of times, and returns the seconds."""

LOOP_IN_C = """
#include <time.h>
double calls(int (*run)(const double *, double *, double *, void *), double *x, double *first,
             double *second, void *data, long count) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (long k = 0; k < count; k++) if (run(x, first, second, data)) return -1.0;
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (to.tv_sec - from.tv_sec) + 1e-9 * (to.tv_nsec - from.tv_nsec);
}
"""


# -- in the process of a model and a mode ----------------------------------------------------------


def density_of(model: Any) -> tuple[Any, list[Any], np.ndarray]:
    """Return the vector of parameters, density and gradient, and values of the parameters."""
    import pytensor
    from pymc.blocking import DictToArrayBijection
    from pymc.pytensorf import join_nonshared_inputs

    start, variables = model.initial_point(), model.continuous_value_vars
    point = {item.name: start[item.name] for item in variables}
    (density,), vector = join_nonshared_inputs(
        point=point, outputs=[model.logp()], inputs=variables
    )
    values = DictToArrayBijection.map(point).data
    values = values + 0.1 * np.random.default_rng(3).normal(size=values.shape)
    return vector, [density, pytensor.grad(density, vector)], values


def from_python(call: Callable[..., Any], argument: Any) -> Timer:
    """Return a timer of calls with an argument."""

    def timer(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            call(argument)
        return time.perf_counter() - start

    return timer


def in_c(function: Any, values: np.ndarray, library: Path) -> Timer:
    """Return a timer of calls of our code from C."""
    called = function.compiled.vector_callable(len(values))
    x, results = values.copy(), [np.empty(size) for size in called.sizes]
    run = ctypes.CDLL(str(library)).calls
    run.restype = ctypes.c_double
    run.argtypes = [*[ctypes.c_void_p] * 5, ctypes.c_long]

    def timer(count: int) -> float:
        arrays = [array.ctypes.data for array in (x, *results)]
        seconds: float = run(called.address, *arrays, called.data, count)
        assert seconds >= 0, "a call has failed"
        return seconds

    return timer


def in_numba(function: Any, values: np.ndarray) -> Timer:
    """Return a timer of calls of numba's code from code of numba."""
    import numba

    code = function.vm.jit_fn

    @numba.njit
    def loop(x: Any, one: float, count: int) -> float:
        total = 0.0
        for _ in range(count):
            x[0] *= one  # the call can't be moved out of the loop
            density, gradient = code(x)
            total += density.item() + gradient[0]
        return total

    x = values.copy()
    loop(x, 1.0, 1)

    def timer(count: int) -> float:
        start = time.perf_counter()
        loop(x, 1.0, count)
        return time.perf_counter() - start

    return timer


def timers_of(mode: str, function: Any, values: np.ndarray, library: Path) -> dict[str, Timer]:
    """Return the ways to call a function, by their names."""
    function.trust_input = True
    ways = {"call": from_python(function, values)}
    if mode == "jax":
        import jax

        argument, code = jax.device_put(values), function.vm.jit_fn
        return {"call": from_python(lambda x: jax.block_until_ready(code(x)), argument)}
    try:
        if mode == OURS:
            ways["in C"] = in_c(function, values, library)
        elif mode == "numba":
            ways["code"] = from_python(function.vm.jit_fn, values)
            ways["in C"] = in_numba(function, values)
    except Exception as reason:  # such as a function that runs in Python
        print(f"{mode}: {type(reason).__name__}: {reason}", file=sys.stderr)
    return ways


def prepare(mode: str, caches: Path) -> None:
    """Compile something, so that a process does not compile for the first time."""
    import pytensor
    import pytensor.tensor as pt

    if mode == OURS:
        from symtheano import config

        config.cache_dir = str(caches)
    if mode == "jax":
        import jax

        jax.config.update("jax_compilation_cache_dir", str(caches))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    x = pt.dvector("x")
    pytensor.function([x], [(x + 1).sum()], mode=MODES[mode])(np.zeros(3))


def serve(mode: str, name: str, caches: Path, library: Path, pipe: Any, calls: bool) -> None:
    """Compile a model, send the results, and time calls until told to end."""
    import pytensor

    from tests.pytensor.models import MODELS

    warnings.simplefilter("ignore")
    try:
        prepare(mode, caches)
        model = MODELS[name]()
        vector, outputs, values = density_of(model)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            start = time.perf_counter()
            function = pytensor.function([vector], outputs, mode=MODES[mode])
            made = time.perf_counter()
            results = function(values)
            end = time.perf_counter()
        fallbacks = sum(item.category.__name__ == "FallbackWarning" for item in told)
        if mode == OURS:  # and ops of symtheano that run in Python
            fallbacks = max(fallbacks, len(function.compiled._linked.python))
        report = {
            "seconds": end - start, "function": made - start, "fallbacks": fallbacks,
            "length": len(values), "values": [np.asarray(item).tolist() for item in results],
        }  # fmt: skip
        if not calls:
            pipe.send(report)
            return
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        timers = timers_of(mode, function, values, library)
        counts = {way: calls_in_block(timer) for way, timer in timers.items()}
        pipe.send(report)
        while pipe.recv() is not None:
            pipe.send({way: timers[way](counts[way]) / counts[way] for way in timers})
    except Exception as reason:
        pipe.send({"error": f"{type(reason).__name__}: {str(reason).splitlines()[:1]}"})


def calls_in_block(timer: Timer) -> int:
    """Return how many calls take as long as a block."""
    count = 1
    while count < 1_000_000 and timer(count) < BLOCK / 2:
        count *= 2
    return count


# -- in the process that starts the others ---------------------------------------------------------


def started(mode: str, name: str, caches: Path, library: Path, calls: bool) -> tuple[Any, Any]:
    """Start a process, and return it with its pipe."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(
        target=serve, args=(mode, name, caches, library, there, calls), daemon=True
    )
    process.start()
    there.close()
    return process, here


def received(pipe: Any, seconds: float) -> dict[str, Any]:
    """Return what a process sends, or why it sends nothing."""
    if not pipe.poll(seconds):
        return {"error": f"nothing after {seconds:.0f} s"}
    try:
        report: dict[str, Any] = pipe.recv()
    except EOFError:
        return {"error": "the process has ended"}
    return report


def emptied(mode: str, place: Path) -> Path:
    """Return the directory for what a mode keeps, with what it has before a model is compiled."""
    caches = place / mode
    if mode == "numba":
        caches = place / "pytensor" / "numba"
    if mode != "c":
        shutil.rmtree(caches, ignore_errors=True)
        caches.mkdir(parents=True, exist_ok=True)
    if mode == OURS:
        shutil.copytree(place / "seed", caches, dirs_exist_ok=True)
    return caches


def measured(
    name: str, modes: list[str], place: Path, rounds: int, limit: float
) -> dict[str, dict[str, Any]]:
    """Return for each mode what :func:`serve` has reported, and the times of calls."""
    library, row, serving = place / "loop.so", {}, {}
    for mode in modes:
        caches = emptied(mode, place)
        if mode != "c":
            process, pipe = started(mode, name, caches, library, calls=False)
            cold = received(pipe, limit)
            process.join(1)
            process.kill()
        process, pipe = started(mode, name, caches, library, calls=True)
        row[mode] = received(pipe, limit)
        row[mode]["cold"] = None if mode == "c" else cold.get("seconds")
        serving[mode] = (process, pipe)
    times: dict[str, dict[str, list[float]]] = {mode: {} for mode in modes}
    for _ in range(rounds):
        for mode, (_, pipe) in serving.items():
            if "error" in row[mode]:
                continue
            pipe.send("all")
            for way, seconds in received(pipe, limit).items():
                if way != "error":
                    times[mode].setdefault(way, []).append(seconds)
    for mode, (process, _) in serving.items():
        process.kill()
        row[mode].update({way: min(seconds) for way, seconds in times[mode].items()})
        if "code" in row[mode]:
            row[mode]["call"] = min(row[mode]["call"], row[mode]["code"])
    return row


def difference(ours: Any, theirs: Any) -> float:
    """Return the largest difference of two densities and gradients, relative to their size."""
    worst = 0.0
    for own, other in zip(ours, theirs, strict=True):
        own, other = np.asarray(own), np.asarray(other)
        scale = max(np.max(np.abs(other)), 1e-300)
        worst = max(worst, float(np.max(np.abs(own - other)) / scale))
    return worst if math.isfinite(worst) else math.inf


# -- tables ----------------------------------------------------------------------------------------

COLUMNS = [("call", "numba"), ("in C", "numba"), ("call", "jax"), ("call", "c"),
           ("cold", "numba"), ("cold", "jax"),
           ("seconds", "numba"), ("seconds", "jax")]  # fmt: skip


def ratios(row: dict[str, Any]) -> dict[tuple[str, str], float]:
    """Return by what factor ours is faster, by what is measured and the other mode."""
    found = {}
    for what, mode in COLUMNS:
        own, other = row[OURS].get(what), row.get(mode, {}).get(what)
        if own and other:
            found[what, mode] = other / own
    return found


def printed(rows: dict[str, dict[str, Any]]) -> bool:
    """Print the tables, the slowest rows first, and return whether all results agree."""
    agree, others = True, [mode for mode in MODES if mode != OURS]
    factors = {name: ratios(row) for name, row in rows.items()}
    order = sorted(rows, key=lambda name: min(factors[name].values(), default=0.0))
    head = ["model", "n", "ours µs", "in C", "numba", "in C", "jax", "c", "cold s", "numba", "jax",
            "warm s", "numba", "jax", "fallbacks", "differs"]  # fmt: skip
    print("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * (len(head) - 1))
    for name in order:
        row = rows[name]
        values = {mode: report["values"] for mode, report in row.items() if "values" in report}
        apart = [difference(values[OURS], values[m]) for m in others if {OURS, m} <= set(values)]
        agree = agree and OURS in values and (not apart or min(apart) < 1e-6)

        def cell(mode: str, what: str, scale: float, row: dict[str, Any] = row) -> str:
            value = row.get(mode, {}).get(what)
            return f"{value * scale:.3g}" if value else "-"

        numbers = [str(row[OURS].get("length", "-"))]
        numbers += [cell(mode, what, 1e6) for mode, what in
                    ((OURS, "call"), (OURS, "in C"), ("numba", "call"), ("numba", "in C"),
                     ("jax", "call"), ("c", "call"))]  # fmt: skip
        numbers += [cell(mode, what, 1.0) for what in ("cold", "seconds")
                    for mode in (OURS, "numba", "jax")]  # fmt: skip
        numbers += [str(row[OURS].get("fallbacks", "-")),
                    " ".join(f"{item:.0e}" for item in apart) or "-"]  # fmt: skip
        print(f"| {name} | " + " | ".join(numbers) + " |")
        for mode, report in row.items():
            if "error" in report:
                print(f"{name}, {mode}: {report['error']}", file=sys.stderr)
    print("\n| others' time / ours | models | geometric mean | least | model | below 1.2 |")
    print("| --- | ---: | ---: | ---: | --- | --- |")
    for key in COLUMNS:
        known = {name: found[key] for name, found in factors.items() if key in found}
        if not known:
            continue
        mean = statistics.geometric_mean(known.values())
        least = min(known, key=lambda name: known[name])
        behind = ", ".join(f"{name} {known[name]:.2f}" for name in sorted(known, key=known.get)
                           if known[name] < 1.2)  # fmt: skip
        label = {"seconds": "warm"}.get(key[0], key[0])
        print(f"| {label}, {key[1]} | {len(known)} | {mean:.2f} | {known[least]:.2f} | {least} "
              f"| {behind or 'none'} |")  # fmt: skip
    return agree


def main() -> None:
    """Read the command line; measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="*", help="names or shell patterns, with commas")
    parser.add_argument("--modes", default="numba,jax", help="the modes beside ours")
    parser.add_argument("--rounds", type=int, default=7, help="blocks of calls of each mode")
    parser.add_argument("--minutes", type=float, default=15.0, help="start no model after these")
    parser.add_argument("--json", type=Path, help="where to write all times")
    wanted = parser.parse_args()
    end = time.monotonic() + 60 * wanted.minutes
    with tempfile.TemporaryDirectory(prefix="benchmarks") as directory:
        place = Path(directory)
        os.environ["PYTENSOR_FLAGS"] = f"base_compiledir={place / 'pytensor'}"
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        text = place / "loop.c"
        text.write_text(LOOP_IN_C)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", place / "loop.so", text], check=True)
        import pymc  # noqa: F401 (what each process would import)

        import symtheano_pytensor  # noqa: F401
        from tests.pytensor.models import MODELS

        patterns = wanted.only.split(",")
        names = [name for name in MODELS if any(fnmatch.fnmatch(name, p) for p in patterns)]
        modes = [OURS, *(mode for mode in wanted.modes.split(",") if mode)]
        seed = multiprocessing.get_context("fork").Process(target=seeded, args=(place / "seed",))
        seed.start()
        seed.join()
        rows = {}
        for name in names:
            if time.monotonic() > end:
                print(f"no time for {name} and the models after it", file=sys.stderr)
                break
            rows[name] = measured(name, modes, place, wanted.rounds, 180.0)
            print(name, {f"{way} {mode}": round(factor, 2)
                         for (way, mode), factor in ratios(rows[name]).items()},
                  file=sys.stderr, flush=True)  # fmt: skip
    if wanted.json:
        wanted.json.write_text(json.dumps(rows))
    sys.exit(0 if printed(rows) else 1)


def seeded(caches: Path) -> None:
    """Compile what is the same for all programs: what calls functions, and kernels of products."""
    import symtheano
    import symtheano.tensor as T
    from symtheano import config

    config.cache_dir = str(caches)
    x, y = T.dmatrices("x", "y")
    function = symtheano.function([x, y], T.dot(x, y))
    for _ in range(50):
        function(np.zeros((3, 3)), np.zeros((3, 3)))
        time.sleep(0.1)  # until kernels are there, which are compiled in the background
    solved = symtheano.function([x], T.linalg.cholesky(x))
    solved(np.eye(3))


if __name__ == "__main__":
    main()

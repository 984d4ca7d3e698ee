"""Errors and times of the mathematical functions: ours, libmvec's and NumPy's.

    python -m benchmarks.accuracy [--points 10000000] [--write]

Errors are the largest in units in the last place, against the C library in long double, over the
edge grid and random points of ``tests/support/vector_math.py``. Times are nanoseconds for an
element of an array of 1024, interleaved, the minimum of many blocks. ``--write`` puts
the table into ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import platform
import re
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from symtheano.cli.doctor import cpu_features
from symtheano.codegen.c.vector_math import own_functions
from symtheano.codegen.native.machine import vector_functions
from symtheano.codegen.native.toolchain import find_toolchain
from tests.support.vector_math import MathLibrary, base_of, dtype_of, errors_in_ulp, points

DOCUMENT = Path(__file__).parent.parent / "docs" / "accuracy.md"
_BASES = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh cbrt erf erfc lgamma"
).split()
_IN_NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh"}
_IN_NUMPY |= {"acosh": "arccosh", "atanh": "arctanh"}
# Where functions are timed: on most of the arguments of which they have finite values.
_RANGES = {"log": (0.1, 10), "log2": (0.1, 10), "log10": (0.1, 10), "acosh": (1.1, 10)}
_RANGES |= dict.fromkeys(("asin", "acos", "atanh"), (-0.9, 0.9))

Call = Callable[[np.ndarray], np.ndarray]


def largest_error(call: Call, exact: Call, x: np.ndarray) -> float:
    """Return the largest error in units in the last place, in parts that fit the memory."""
    parts = np.array_split(x, max(1, len(x) // 500_000))
    with np.errstate(all="ignore"):
        return max(float(errors_in_ulp(call(part), exact(part)).max()) for part in parts)


def times(calls: dict[str, Call], x: np.ndarray, rounds: int = 400) -> dict[str, float]:
    """Return nanoseconds per element, without the overhead of a call."""
    best = {(name, long): float("inf") for name in calls for long in (False, True)}
    short = x[:8].copy()
    for _ in range(rounds):
        for name, call in calls.items():
            for long, values in ((False, short), (True, x)):
                start = time.perf_counter_ns()
                call(values)
                taken = float(time.perf_counter_ns() - start)
                best[name, long] = min(best[name, long], taken)
    return {n: (best[n, True] - best[n, False]) / (len(x) - len(short)) for n in calls}


def row(name: str, ours: MathLibrary, theirs: MathLibrary, count: int) -> str:
    """Return the row of the table for one function."""
    dtype, base = dtype_of(name), base_of(name)
    x = points(dtype, count)
    ufunc = getattr(np, _IN_NUMPY.get(base, base), None)
    libraries: dict[str, Call] = {}
    if name in own_functions():
        libraries["ours"] = lambda values: ours.loop(name, values)
    libraries["libmvec"] = lambda values: theirs.loop(name, values)
    if ufunc is not None:
        libraries["NumPy"] = ufunc
    low, high = _RANGES.get(base, (-5, 5) if base != "log1p" else (-0.9, 10))
    some = np.random.default_rng(0).uniform(low, high, 8192).astype(dtype)
    with np.errstate(all="ignore"):
        taken = times(libraries, some)
    cells = []
    for library in ("ours", "libmvec", "NumPy"):
        if library in libraries:
            error = largest_error(libraries[library], lambda v: ours.exact(name, v), x)
            cells.append(f"{error:.2f} | {taken[library]:.2f}")
        else:
            cells.append("| ")
    return f"| `{name}` | {' | '.join(cells)} |"


def table(count: int) -> str:
    """Return the table, and the facts of the machine it was made on."""
    names = [n for base in _BASES for n in (base, f"{base}f") if n in vector_functions()]
    tools = find_toolchain()
    library = platform.libc_ver()
    facts = (
        f"{platform.machine()} with {', '.join(cpu_features())}",
        f"{' '.join(library)}; {tools.version}; NumPy {np.__version__}",
        f"one thread; {count:,} points and the edges.",
    )
    lines = [
        ";\n".join(facts),
        "",
        "| function | ours, ulp | ns | libmvec, ulp | ns | NumPy, ulp | ns |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with TemporaryDirectory() as directory:
        ours, theirs = (MathLibrary(Path(directory), names, 1, own) for own in (True, False))
        for name in names:
            lines.append(row(name, ours, theirs, count))
            print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write if requested."""
    parser = argparse.ArgumentParser(description="Errors and times of mathematical functions.")
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--write", action="store_true", help=f"write to {DOCUMENT.name}")
    arguments = parser.parse_args()
    text = table(arguments.points)
    if arguments.write:
        document = DOCUMENT.read_text(encoding="utf-8")
        pattern = re.compile(r"(<!-- table -->\n).*(<!-- end -->)", re.DOTALL)
        DOCUMENT.write_text(
            pattern.sub(lambda m: m[1] + text + "\n" + m[2], document), encoding="utf-8"
        )


if __name__ == "__main__":
    main()

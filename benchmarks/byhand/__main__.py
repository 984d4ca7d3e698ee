"""Compare compiled functions with C written by hand.

    python -m benchmarks.byhand [NAMES] [--seconds 1]

Names are shell patterns, or groups (names of the files). Each line has the µs of a call, ours over
by hand, and ours over NumPy's. One thread; both forms run in one process by turns, and the minimum
of each is taken. The exit status is 1 if values differ.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import tempfile
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import symtheano
from benchmarks.byhand import (
    fusion,
    kinds,
    layouts,
    masks,
    products,
    reductions,
    slices,
    small,
)
from benchmarks.byhand.case import Case
from benchmarks.byhand.measure import measure

GROUPS = {
    module.__name__.rpartition(".")[2]: module.CASES
    for module in (reductions, fusion, layouts, slices, masks, products, kinds, small)
}


def select(patterns: list[str]) -> list[Case]:
    """Return the cases that a name or a group selects; all if there are no patterns."""
    return [
        case
        for group, cases in GROUPS.items()
        for case in cases
        if not patterns
        or any(fnmatch.fnmatch(case.name, word) or word == group for word in patterns)
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="names, shell patterns, or groups")
    parser.add_argument("--seconds", type=float, default=1.0, help="of timing, for each case")
    options = parser.parse_args()
    symtheano.config.threads = 1
    load = os.getloadavg()[0]
    print(f"{'case':28} {'ours µs':>10} {'by hand':>10} {'ratio':>7} {'/ NumPy':>8}")
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for case in select(options.names):
            try:
                own, hand, numpy = measure(case, options.seconds, Path(folder))
            except ValueError as error:
                wrong = True
                print(error, flush=True)
                continue
            other = f"{own / numpy:8.2f}" if numpy is not None else f"{'-':>8}"
            print(
                f"{case.name:28} {own * 1e6:10.1f} {hand * 1e6:10.1f} {own / hand:7.2f} {other}",
                flush=True,
            )
    print(f"load of the machine before and after: {load:.1f}, {os.getloadavg()[0]:.1f}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

"""Many calls: several threads at once, and memory over a million calls.

    python benchmarks/call_soak.py [--threads 8] [--calls 100000] [--leak 1000000]

Prints how many results were wrong by a bit, whether a counter that all threads count up is right,
and by how many kB the resident memory grew. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path

import numpy as np

import symtheano.tensor as T
from symtheano import function, shared


def side_by_side(threads: int, calls: int) -> int:
    """Call one function from all threads; return the number of results with wrong bits."""
    x = T.vector("x")
    f = function([x], [T.exp(x).sum(), T.tanh(x) * 2])
    values = [np.linspace(0, 1, 10 + k) for k in range(threads)]
    wanted = [[y.tobytes() for y in f(value)] for value in values]
    wrong = [0] * threads

    def work(number: int) -> None:
        value, expected = values[number], wanted[number]
        for _ in range(calls):
            wrong[number] += [y.tobytes() for y in f(value)] != expected

    run(threads, work)
    return sum(wrong)


def counted(threads: int, calls: int, size: int) -> bool:
    """Count a shared vector up from all threads; return whether no update was lost or torn."""
    n = shared(np.zeros(size), "n")
    f = function([], [], updates={n: n + 1})

    def work(_: int) -> None:
        for _ in range(calls):
            f()

    run(threads, work)
    return set(n.get_value().tolist()) == {float(threads * calls)}


def run(threads: int, work: object) -> None:
    workers = [threading.Thread(target=work, args=(k,)) for k in range(threads)]  # type: ignore[arg-type]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def growth(calls: int) -> int:
    """Return by how many kB the memory grows over many calls, after as many as it takes to warm."""
    x, w = T.vector("x"), shared(np.zeros(10), "w")
    f = function([x], [x + 1, w.sum()], updates={w: w + x})
    value = np.ones(10)
    for _ in range(10_000):
        f(value)
    before = resident()
    for _ in range(calls):
        f(value)
    return resident() - before


def resident() -> int:
    """Return the resident memory of this process in kB (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4


def main() -> int:
    """Run all checks and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--leak", type=int, default=1_000_000)
    given = parser.parse_args()
    started = time.perf_counter()
    wrong = side_by_side(given.threads, given.calls)
    seconds = time.perf_counter() - started
    print(f"{given.threads} threads x {given.calls:,} calls: {wrong} wrong, {seconds:.1f} s")
    lost = False
    for size, share in ((1, 1), (300_000, 500)):
        right = counted(given.threads, given.calls // share, size)
        lost |= not right
        total = given.threads * (given.calls // share)
        print(f"{total:,} updates of {size:,} numbers: {'all counted' if right else 'WRONG'}")
    grown = growth(given.leak)
    print(f"{given.leak:,} calls: memory grew by {grown} kB")
    return int(bool(wrong) or lost or grown > 1024)


if __name__ == "__main__":
    sys.exit(main())

"""Whether an MPI library adds up arrays while the processes compute something else.

    mpiexec -n 2 python benchmarks/mpi_progress.py [--bytes 8388608] [--rounds 15]

A sum over all ranks (``MPI_Iallreduce``) is timed alone. Then it is begun, the processes compute
twice as long as it takes, and wait for it. If the wait takes as long as the sum alone, MPI works
only in its own calls; if it takes no time, the sum was made meanwhile. ``started`` computes without
calls of MPI. ``tested`` calls ``MPI_Test`` after each of a number of pieces, as compiled code does
before its long loops. It prints how many calls it takes until the sum is there, and their time.

Progress by a thread is a setting of the library: ``MPICH_ASYNC_PROGRESS=1`` for MPICH, which then
needs a processor for the thread. Open MPI has no such setting. Each time is the smallest over
rounds of the slowest rank's; ranks need processors of their own.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import distributed

PIECES = 40


class Timed:
    """A sum over all ranks, and a computation in pieces that takes twice as long.

    Parameters
    ----------
    size
        The bytes of the array.
    rounds
        How often each is timed.
    """

    def __init__(self, size: int, rounds: int) -> None:
        self.here, self.rounds = distributed.world(), rounds
        self.array = np.ones(size // 4, "float32")
        self.total = np.empty_like(self.array)
        self.square = np.ones((64, 64), "float32") / 64
        self.sum = self.smallest(lambda: self.timed(lambda: self.start().Wait()))
        self.repeats = 1
        piece = self.smallest(lambda: self.timed(self.piece))
        self.repeats = max(1, round(2 * self.sum / PIECES / piece))

    @staticmethod
    def timed(run: Callable[[], object]) -> float:
        """Return the seconds of a call."""
        begin = time.perf_counter()
        run()
        return time.perf_counter() - begin

    def smallest(self, run: Callable[[], float]) -> float:
        """Return the smallest of the slowest rank's results; the ranks begin together."""
        results = []
        for _ in range(self.rounds):
            self.here.control.Barrier()
            results.append(max(self.here.control.allgather(run())))
        return min(results)

    def start(self) -> Any:
        """Begin the sum."""
        return self.here.comm.Iallreduce(self.array, self.total)

    def piece(self) -> None:
        """Compute products of matrices."""
        for _ in range(self.repeats):
            self.square = self.square @ self.square

    def started(self) -> float:
        """Return the seconds of the wait after a computation without calls of MPI."""
        request = self.start()
        for _ in range(PIECES):
            self.piece()
        return self.timed(request.Wait)

    def tested(self) -> tuple[float, float, int]:
        """Return the seconds of the wait and of tests, and how many tests there were."""
        request, inside, tests = self.start(), 0.0, 0
        for _ in range(PIECES):
            self.piece()
            if request:
                inside += self.timed(request.Test)
                tests += 1
        return self.timed(request.Wait), inside, tests


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bytes", type=int, default=8 << 20)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    timed = Timed(options.bytes, options.rounds)
    here = timed.here
    started = timed.smallest(timed.started)
    tests: list[tuple[float, float, int]] = []
    for _ in range(options.rounds):
        here.control.Barrier()
        tests.append(max(here.control.allgather(timed.tested())))
    waited, inside, count = min(tests)
    if here.rank:
        return
    library = here.mpi.Get_library_version().partition(",")[0].partition("\n")[0].strip(" \0")
    print(f"{library}, {here.size} ranks, {options.bytes} bytes: {timed.sum * 1e3:.2f} ms alone")
    print(f"started: the wait takes {started * 1e3:.2f} ms, {started / timed.sum:.0%} of it")
    print(
        f"tested:  the wait takes {waited * 1e3:.2f} ms, {waited / timed.sum:.0%} of it, after "
        f"{count} of {PIECES} tests with {inside * 1e3:.2f} ms"
    )


if __name__ == "__main__":
    main()

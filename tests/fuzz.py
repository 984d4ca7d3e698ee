"""Random programs for a given time, on two processes: ``python -m tests.fuzz --minutes 60``.

A batch is one run of pytest on one file, with a seed and a compiler. Each line that is printed
names the batch, what was compared, and, after a failure, the command that repeats it. What failed
is written to a file as well. The last lines are the sums by file and compiler.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock

FILES = {
    "tests/language/test_values.py": 8,
    "tests/language/test_lengths.py": 4,
    "tests/language/test_derivatives.py": 4,
    "tests/language/test_calls.py": 4,
    "tests/language/test_batches.py": 4,
    "tests/loops/test_random.py": 4,
    "tests/loops/test_random_scans.py": 1,
    "tests/loops/test_random_elements.py": 4,
    "tests/loops/test_random_rows.py": 4,
    "tests/loops/test_random_draws.py": 6,
    "tests/codegen/passes/test_strip_loops.py": 6,
    "tests/test_ifelse_random.py": 4,
}
"""Files with random programs, and how many times a normal run's number make a minute or two."""

COMPILERS = {
    "native": "",
    "AVX2": "gcc -march=x86-64-v3",
    "SSE4": "gcc -march=x86-64-v2",
    "O0": "gcc -O0",
}
"""Values of ``SYMTHEANO_CC`` by name; an empty one is a user's choice of compiler and flags."""

LIMIT = 1800
"""Seconds after which a batch counts as one that hangs."""


@dataclass(frozen=True)
class Batch:
    """One run of pytest."""

    path: str
    seed: int
    compiler: str

    def environment(self) -> dict[str, str]:
        """Return the variables that determine what runs."""
        chosen = {"SYMTHEANO_LONG_RUN": str(FILES[self.path]), "SYMTHEANO_SEED": str(self.seed)}
        command = COMPILERS[self.compiler]
        return {**chosen, "SYMTHEANO_CC": command} if command else chosen

    def command(self) -> list[str]:
        """Return the words of the command."""
        options = ["-q", "-p", "no:cacheprovider", f"--hypothesis-seed={self.seed}"]
        return [sys.executable, "-m", "pytest", *options, self.path]

    def shown(self) -> str:
        """Return what a person enters to repeat the batch."""
        variables = " ".join(f'{name}="{value}"' for name, value in self.environment().items())
        return f"{variables} {' '.join(self.command())}"


def batches(first_seed: int, words: list[str]) -> Iterator[Batch]:
    """Return batches without end: every file with each seed, and the compilers by turns."""
    paths = [path for path in FILES if not words or any(word in path for word in words)]
    names = list(COMPILERS)
    for seed in count(first_seed):
        for number, path in enumerate(paths):
            yield Batch(path, seed, names[(seed + number) % len(names)])


def run(batch: Batch) -> tuple[str, str]:
    """Run a batch; return how it ended, and its output."""
    try:
        done = subprocess.run(
            batch.command(),
            env={**os.environ, **batch.environment()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT,
            check=False,
            text=True,
        )
    except subprocess.TimeoutExpired as error:
        return "HANGS", str(error.stdout or "")
    return "passed" if done.returncode == 0 else f"FAILED ({done.returncode})", done.stdout


def compared(output: str) -> Counter[str]:
    """Return the cases and values that a summary of pytest counts, and its tests."""
    sums: Counter[str] = Counter()
    for cases, values in re.findall(r": ([\d,]+) cases, ([\d,]+) values", output):
        sums.update(cases=int(cases.replace(",", "")), values=int(values.replace(",", "")))
    for number in re.findall(r"(\d+) passed", output):
        sums["tests"] += int(number)
    return sums


def main() -> int:
    """Run batches until the time is over; return 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first batches, at least 1")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures.txt"))
    parser.add_argument("words", nargs="*", help="parts of the names of files; all if none")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    queue, lock = batches(options.seed, options.words), Lock()
    sums: dict[tuple[str, str], Counter[str]] = {}

    def work() -> None:
        while time.monotonic() < end:
            with lock:
                batch = next(queue)
            begun = time.monotonic()
            ending, output = run(batch)
            seconds = time.monotonic() - begun
            found = compared(output)
            found.update(batches=1, seconds=round(seconds), failures=ending != "passed")
            sums.setdefault((batch.path, batch.compiler), Counter()).update(found)
            print(f"{batch.path} seed {batch.seed} {batch.compiler}: {ending}, "
                  f"{seconds:.0f} s, {dict(found)}", flush=True)  # fmt: skip
            if ending != "passed":
                print(f"    {batch.shown()}", flush=True)
                with options.failures.open("a") as file:
                    file.write(f"{batch.shown()}\n{output}\n")

    with ThreadPoolExecutor(options.workers) as pool:
        for future in [pool.submit(work) for _ in range(options.workers)]:
            future.result()
    for (path, compiler), found in sorted(sums.items()):
        print(f"{path} {compiler}: {dict(found)}")
    total = sum(sums.values(), Counter())
    print(f"in all: {dict(total)}")
    return int(total["failures"] > 0)


if __name__ == "__main__":
    sys.exit(main())

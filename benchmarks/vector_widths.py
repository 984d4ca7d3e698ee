"""Times of programs with vectors of two widths, on this machine.

    python -m benchmarks.vector_widths [--narrow 32] [--wide 64] [--only PATTERN] [--rounds 15]

Two processes compile the same programs for this processor: one prefers instructions for vectors of
one width, the other one those of the other, both in loops (``-mprefer-vector-width``) and in our
own libraries and routines (``ST_WIDEST_BYTES``). They compute each program alternately, on one
thread. The table has the processor's time of a call with both, in µs (the median of all rounds),
and the median, the least and the largest ratio of two neighbouring rounds. ``equal`` says whether
the bits of the results are the same. They need not be where sums are made of partial sums in lanes
(products), or where the choice of an algorithm depends on the width (images of convolutions).
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

NEAR, FAR = 2000, 4_000_000
BLOCK = 3e6
Case = Callable[[], tuple[Any, list[Any]]]


def _vectors() -> Iterator[tuple[str, Case]]:
    from symtheano import tensor as T

    programs: dict[str, Callable[[Any, Any], Any]] = {
        "add": lambda x, y: x + 2 * y,
        "polynomial": lambda x, y: x * (y + x * (y - x * (y + x))),
        "exp": lambda x, _: T.exp(x),
        "tanh": lambda x, _: T.tanh(x),
        "log": lambda x, _: T.log(x),
        "sum": lambda x, y: (x * y).sum(),
        "where": lambda x, y: T.where(x > y, x, 0.5 * y),
    }
    for name, program in programs.items():
        for dtype in ("float32", "float64"):
            for length in (NEAR, FAR):

                def case(
                    program: Callable[[Any, Any], Any] = program,
                    dtype: str = dtype,
                    length: int = length,
                ) -> tuple[Any, list[Any]]:
                    x, y = T.vector("x", dtype=dtype), T.vector("y", dtype=dtype)
                    rng = np.random.default_rng(0)
                    return ([x, y], program(x, y)), [
                        rng.uniform(0.1, 1, length).astype(dtype) for _ in range(2)
                    ]

                yield f"{name}_{dtype}_{length}", case


def _arrays() -> Iterator[tuple[str, Case]]:
    from symtheano import tensor as T
    from symtheano.gradient import grad

    def convolution(shape: tuple[int, ...], filters: tuple[int, ...], of: str) -> Case:
        def case() -> tuple[Any, list[Any]]:
            x, w = T.tensor4("x", dtype="float32"), T.tensor4("w", dtype="float32")
            y = T.nnet.conv2d(x, w)
            made = y if of == "result" else grad(y.sum(), x if of == "image" else w)
            rng = np.random.default_rng(0)
            values = [rng.standard_normal(s).astype("float32") for s in (shape, filters)]
            return ([x, w], made), values

        return case

    for name, shape, filters in (
        ("3x3", (4, 64, 56, 56), (64, 64, 3, 3)),
        ("1x1", (4, 64, 56, 56), (256, 64, 1, 1)),
        ("5x5", (32, 1, 28, 28), (20, 1, 5, 5)),
        ("11x11", (4, 8, 64, 64), (8, 8, 11, 11)),
    ):
        for of in ("result", "image", "filter"):
            yield f"conv_{name}_{of}", convolution(shape, filters, of)

    def pooling() -> tuple[Any, list[Any]]:
        x = T.tensor4("x", dtype="float32")
        value = np.random.default_rng(0).standard_normal((8, 32, 64, 64)).astype("float32")
        return ([x], T.signal.pool.pool_2d(x, (2, 2), ignore_border=True)), [value]

    yield "pool_2x2", pooling
    for m, n, k in ((64, 64, 64), (500, 10, 784), (8, 512, 512)):

        def product(m: int = m, n: int = n, k: int = k) -> tuple[Any, list[Any]]:
            x, y = T.matrix("x", dtype="float32"), T.matrix("y", dtype="float32")
            rng = np.random.default_rng(0)
            values = [rng.standard_normal(s).astype("float32") for s in ((m, k), (k, n))]
            return ([x, y], T.dot(x, y)), values

        yield f"dot_{m}x{n}x{k}", product

    def transform() -> tuple[Any, list[Any]]:
        x = T.matrix("x", dtype="float32")
        value = np.random.default_rng(0).standard_normal((64, 1024)).astype("float32")
        return ([x], T.fft.rfft(x)), [value]

    yield "rfft_64x1024", transform


def cases() -> dict[str, Case]:
    """Return what makes each program and its arguments, by name."""
    return {**dict(_vectors()), **dict(_arrays())}


def work() -> None:
    """Compute the programs that are named on the standard input, and print times and checksums."""
    from symtheano import config, function
    from symtheano.codegen.runtime.tables import wait_for_kernels

    config.threads = 1
    known = cases()
    for line in sys.stdin:
        name, _, rounds = line.strip().partition(" ")
        (inputs, outputs), values = known[name]()
        f = function(inputs, outputs, on_unused_input="ignore")
        f(*values)
        wait_for_kernels()
        made = np.asarray(f(*values))
        begin = time.thread_time_ns()
        f(*values)
        calls = max(1, int(BLOCK / max(time.thread_time_ns() - begin, 1)))
        print(zlib.crc32(made.tobytes()), flush=True)
        for _ in range(int(rounds)):
            sys.stdin.readline()
            begin = time.thread_time_ns()
            for _ in range(calls):
                f(*values)
            print((time.thread_time_ns() - begin) / calls, flush=True)


def worker(width: int) -> subprocess.Popen[str]:
    """Return a process that computes with vectors of so many bytes."""
    command = f"gcc -march=native -mprefer-vector-width={8 * width} -DST_WIDEST_BYTES={width}"
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.vector_widths", "--work"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SYMTHEANO_CC": command},
    )


def ask(process: subprocess.Popen[str], text: str) -> str:
    """Return the answer of a worker to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()
    return process.stdout.readline()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--narrow", type=int, default=32)
    parser.add_argument("--wide", type=int, default=64)
    parser.add_argument("--only", default="*")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return
    workers = [worker(options.narrow), worker(options.wide)]
    print(f"{'program':24} {options.narrow:>10} {options.wide:>10}  ratio   least  largest  equal")
    for name in fnmatch.filter(cases(), options.only):
        sums = [ask(process, f"{name} {options.rounds}") for process in workers]
        times = [[float(ask(p, "")) / 1e3 for p in workers] for _ in range(options.rounds)]
        ratios = [wide / narrow for narrow, wide in times]
        middle = [median(column) for column in zip(*times, strict=True)]
        ends = f"{min(ratios):7.2f} {max(ratios):8.2f}"
        equal = sums[0] == sums[1]
        print(
            f"{name:24} {middle[0]:10.2f} {middle[1]:10.2f} {median(ratios):6.2f} {ends}  {equal}",
            flush=True,
        )
    for process in workers:
        process.communicate()


if __name__ == "__main__":
    main()

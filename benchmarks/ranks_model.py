"""A model of the time of a training step with many ranks, checked with those at hand.

    mpiexec -n 2 python benchmarks/ranks_model.py [--width 1024] [--batch 256] [--bucket-bytes N]

Two numbers of the network are measured: the latency of a message, and the seconds of a byte. A
ring of N ranks adds up an array of B bytes in 2 (N - 1) messages, each of B / N bytes, so it takes
``2 (N - 1) (latency + B / N * seconds of a byte)`` (Patarasuk and Yuan, Bandwidth optimal
all-reduce algorithms for clusters of workstations, 2009). The profile of a step says when each
bucket of gradients can start, and how long all computations take. From both follow two times of a
step, each rank having a batch of the same length: *together* if MPI works while gradients are
computed, one bucket after the other; and *apart* if it only works in the calls that wait.

The first lines compare both with the measured time of these ranks. The others are predictions for
8 to 1,024 ranks in a network with the same two numbers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import config, distributed

SIZES = (8, 1 << 10, 1 << 14, 1 << 17, 1 << 20, 1 << 22, 1 << 24)
"""Bytes of the messages that are timed."""
ROUNDS = 60
"""How often a step is timed."""
PREDICTED = (8, 16, 32, 64, 128, 256, 512, 1024)


def median(run: Callable[[], object], count: int) -> float:
    """Return the median of the slowest rank's seconds."""
    here, times = distributed.world(), []
    for _ in range(count):
        here.control.Barrier()
        begin = time.perf_counter()
        run()
        times.append(max(here.control.allgather(time.perf_counter() - begin)))
    return float(np.median(times))


def network() -> tuple[float, float]:
    """Return the latency of a message, and the seconds of a byte, from sums over all ranks."""
    here = distributed.world()
    messages = 2 * (here.size - 1)
    taken = []
    for size in SIZES:
        array = np.zeros(size // 4 or 1, "float32")
        total = np.empty_like(array)
        taken.append(median(lambda a=array, t=total: here.comm.Allreduce(a, t), 25) / messages)
    sent = np.array(SIZES) / here.size
    # Each size counts as much as any other: relative errors.
    weights = 1 / np.array(taken)
    columns = np.stack([np.ones(len(SIZES)), sent], 1) * weights[:, None]
    latency, of_byte = np.linalg.lstsq(columns, np.array(taken) * weights, rcond=None)[0]
    return max(float(latency), 0.0), max(float(of_byte), 0.0)


def step_of(
    width: int, batch: int, bucket_bytes: int, profile: bool
) -> tuple[Callable[[], object], Any, list[int]]:
    """Return a call of a training step of a perceptron, the function, and its gradients' bytes."""
    numbers = np.random.default_rng(0)
    x, labels = T.fmatrix("x"), T.lvector("labels")
    sizes, h, weights = (784, width, width, 10), x, []
    for number, (rows, columns) in enumerate(pairwise(sizes)):
        value = numbers.standard_normal((rows, columns), "float32") / np.float32(rows**0.5)
        weights.append(symtheano.shared(value, f"w{number}"))
        h = T.dot(h, weights[-1])
        h = T.nnet.relu(h) if number < 2 else h
    cost = T.nnet.categorical_crossentropy(T.nnet.softmax(h), labels).mean()
    grads = symtheano.grad(cost, weights)
    updates = {w: w - np.float32(0.01) * g for w, g in zip(weights, grads, strict=True)}
    plan = distributed.DataParallel(bucket_bytes=bucket_bytes)
    step = symtheano.function([x, labels], cost, updates=updates, distribute=plan, profile=profile)
    samples = numbers.standard_normal((batch, 784), "float32")
    targets = numbers.integers(0, 10, batch)
    return (lambda: step(samples, targets)), step, [w.get_value().nbytes for w in weights]


def schedule(run: Callable[[], object], step: Any) -> tuple[list[float], float]:
    """Return when buckets start, in seconds of computation, and the seconds of all computations.

    Each part of the step counts with its median over calls. What waits for other ranks is no
    computation: the sum of the batches' lengths, and the buckets.
    """
    taken: list[list[float]] = []
    for _ in range(ROUNDS):
        before = [part.seconds for part in step.profile.steps]
        distributed.world().control.Barrier()
        run()
        after = [part.seconds for part in step.profile.steps]
        taken.append([late - early for early, late in zip(before, after, strict=True)])
    starts, computed = [], 0.0
    for part, seconds in zip(step.profile.steps, np.median(taken, axis=0), strict=True):
        if part.label.startswith("BucketStart"):
            starts.append(computed)
        elif not part.label.startswith(("BucketTake", "Share")):
            computed += float(seconds)
    return starts, computed


def predicted(
    ranks: int, starts: Sequence[float], buckets: Sequence[int], computed: float,
    latency: float, of_byte: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the seconds of a step if MPI works meanwhile, and if it only works in calls."""
    sums = [2 * (ranks - 1) * (latency + size / ranks * of_byte) for size in buckets]
    end = 0.0
    for start, taken in zip(starts, sums, strict=True):
        end = max(end, start) + taken
    return max(end, computed), computed + sum(sums)


def main() -> None:
    """Measure, compare and predict."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--bucket-bytes", type=int, default=1 << 21)
    options = parser.parse_args()
    config.threads = 1
    here = distributed.world()
    latency, of_byte = network()
    run, _, _ = step_of(options.width, options.batch, options.bucket_bytes, False)
    profiled, step, sizes = step_of(options.width, options.batch, options.bucket_bytes, True)
    for _ in range(10):
        run()
        profiled()
    measured = median(run, ROUNDS)
    starts, computed = schedule(profiled, step)
    buckets = _buckets(sizes, options.bucket_bytes, len(starts))
    if here.rank:
        return
    print(f"latency {latency * 1e6:.1f} us, {1e-9 / of_byte:.2f} GB/s")
    print(f"computations {computed * 1e3:.2f} ms, {len(starts)} buckets of {buckets} bytes")
    together, apart = predicted(here.size, starts, buckets, computed, latency, of_byte)
    print(
        f"{here.size:5} ranks: together {together * 1e3:.2f} ms, apart {apart * 1e3:.2f} ms, "
        f"measured {measured * 1e3:.2f} ms"
    )
    for ranks in PREDICTED:
        times = predicted(ranks, starts, buckets, computed, latency, of_byte)
        print(
            f"{ranks:5} ranks: together {times[0] * 1e3:.2f} ms, apart {times[1] * 1e3:.2f} ms, "
            f"efficiency {computed / times[0]:.0%} and {computed / times[1]:.0%}"
        )


def _buckets(sizes: Sequence[int], limit: int, count: int) -> list[int]:
    """Return the bytes of buckets: gradients come last layer first, and fill buckets in order."""
    buckets: list[int] = []
    for size in reversed(sizes):
        if buckets and buckets[-1] + size <= limit:
            buckets[-1] += size
        else:
            buckets.append(size)
    if len(buckets) != count:
        raise SystemExit(f"{count} buckets start, and {len(buckets)} were expected")
    return buckets


if __name__ == "__main__":
    main()

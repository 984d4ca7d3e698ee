"""How training scales with the number of processes: strong and weak scaling, with MPI.

    python benchmarks/several_processes.py [ranks ...] [--models NAME ...]

Each model is trained by 1 rank, and by each of the given numbers of ranks (2 by default), each with
one thread. With strong scaling, all ranks share a batch of the same length; with weak scaling, the
batch has this length for each rank. A program measures its own steps, without compilation: the
median over several rounds of the slowest rank's seconds. The efficiency is the time of one rank
divided by that of several, and for strong scaling by their number.

Models: ``digits`` (a convolutional network on images of 8 × 8), ``transformer`` (a block of
attention on sequences), ``logistic`` (a regression on many rows, whose gradient is small).

Ranks need processors of their own. On a busy machine, or with more ranks than processors, the
numbers tell nothing of the library.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, time
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano import distributed, nn

world = distributed.world()
name, kind = sys.argv[1:3]
numbers = np.random.default_rng(0)
scale = world.size if kind == "weak" else 1

def network():
    if name == "digits":
        batch, shape = 256 * scale, (1, 8, 8)
        layers = [nn.Conv2D(32, 3, activation="relu"), nn.Conv2D(32, 3, activation="relu")]
    else:
        batch, shape, layers = 16 * scale, (64, 128), [nn.TransformerBlock(4, 256)]
    model = nn.Model(seed=0)
    for layer in (nn.Input(shape), *layers, nn.Flatten(), nn.Dense(10, "softmax")):
        model.add(layer)
    samples, classes = numbers.normal(size=(batch * 4, *shape)), 10
    model.compile("categorical_crossentropy", nn.SGD(0.01))
    labels = numbers.integers(0, classes, len(samples))
    samples = samples.astype("float32")
    how = {"batch_size": batch, "verbose": 0, "shuffle": False, "distribute": "mpi"}
    model.fit(samples, labels, epochs=1, **how)
    return lambda: model.fit(samples, labels, epochs=1, **how), 4

def logistic():
    rows, columns = 10_000_000 * scale, 8
    begin, end = (rows * k // world.size for k in (world.rank, world.rank + 1))
    x, y = T.fmatrix("x"), T.fvector("y")
    w = symtheano.shared(np.zeros(columns, "float32"), "w")
    cost = T.nnet.softplus(-y * T.dot(x, w)).mean()
    updates = {w: w - np.float32(0.1) * symtheano.grad(cost, w)}
    step = symtheano.function([x, y], cost, updates=updates, distribute="mpi")
    own = np.random.default_rng(world.rank)
    samples = own.standard_normal((end - begin, columns), "float32")
    targets = np.sign(samples[:, 0] + np.float32(0.1))
    step(samples, targets)
    return lambda: step(samples, targets), 1

run, steps = logistic() if name == "logistic" else network()
times = []
for _ in range(7):
    world.control.Barrier()
    begin = time.perf_counter()
    run()
    times.append(max(world.control.allgather(time.perf_counter() - begin)) / steps)
if world.rank == 0:
    print(f"seconds {sorted(times)[3]}")
"""


def seconds(model: str, kind: str, ranks: int) -> float:
    """Return the seconds of a step."""
    beside = Path(sys.executable).parent / "mpiexec"
    command = str(beside) if beside.exists() else shutil.which("mpiexec") or "mpiexec"
    variables = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [command, "-n", str(ranks), sys.executable, "-c", PROGRAM, model, kind],
        env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = [line for line in done.stdout.splitlines() if line.startswith("seconds ")]
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return float(found[0].split()[1])


def main() -> None:
    """Print a line for each model, kind of scaling, and number of ranks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ranks", nargs="*", type=int, default=[2])
    models = ["digits", "transformer", "logistic"]
    parser.add_argument("--models", nargs="+", choices=models, default=models)
    given = parser.parse_args()
    for model in given.models:
        alone = seconds(model, "strong", 1)
        print(f"{model:12} 1 rank   {alone * 1e3:8.2f} ms", flush=True)
        for ranks in given.ranks:
            for kind, part in (("strong", ranks), ("weak", 1)):
                time = seconds(model, kind, ranks)
                efficiency = alone / time / part
                print(
                    f"{model:12} {ranks} ranks, {kind:6} {time * 1e3:8.2f} ms, "
                    f"efficiency {efficiency:.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()

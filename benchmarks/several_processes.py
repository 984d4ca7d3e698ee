"""How training scales with the number of processes: strong and weak scaling, with MPI.

    python benchmarks/several_processes.py [ranks ...] [--models NAME ...] [--torch PYTHON]

Each model is trained by 1 rank, and by each of the given numbers of ranks (2 by default), each with
one thread. With strong scaling, all ranks share a batch of the same length; with weak scaling, the
batch has this length for each rank. A program measures its own steps, without compilation: the
median over several rounds of the slowest rank's seconds. A round of the networks is a call of
``fit`` with four epochs of four batches, so that what a call does once is a small part. The
efficiency is the time of one rank divided by that of several, and for strong scaling by their
number.

What a machine allows at most is measured, too: as many copies of the one-rank program run at the
same time, without communication. The time of one copy alone, divided by that of the slowest, is the
*ceiling*; it is below 100 % where processors share a core, a cache, or the memory's bandwidth. The
last column is the efficiency divided by the ceiling: what communication and unequal parts cost.

The communication of a step is measured alone, too: the same sums of the same buckets, and all other
messages, sent again in the same order without computations (``mpi_calls.py``). Computations are the
time of one rank for the samples of a rank. Where they take at least ten times as long as the
communication, the goal is an efficiency of 90 %, and the line says whether it is met.

Models: ``digits`` (a convolutional network on images of 8 × 8), ``transformer`` (a block of
attention on sequences), ``logistic`` (a regression on many rows, whose gradient is small).

With ``--torch``, an interpreter that has PyTorch, the same models are trained by its
``DistributedDataParallel`` (Gloo), by turns with ours.

Ranks need processors of their own. On a busy machine, or with more ranks than processors, the
numbers tell nothing of the library.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

PROGRAM = """
import sys, time
import numpy as np
import mpi_calls
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
    return lambda: model.fit(samples, labels, epochs=4, **how), 16

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
if len(sys.argv) > 3:  # other copies begin at the same time
    print("ready", flush=True)
    sys.stdin.readline()
times = []
for _ in range(7):
    world.control.Barrier()
    begin = time.perf_counter()
    run()
    times.append(max(world.control.allgather(time.perf_counter() - begin)) / steps)
if world.rank == 0:
    print(f"seconds {sorted(times)[3]}")
if world.size > 1:
    messages, times = mpi_calls.Recorded(world, run), []
    for _ in range(21):
        world.control.Barrier()
        begin = time.perf_counter()
        messages.repeat()
        times.append(max(world.control.allgather(time.perf_counter() - begin)) / steps)
    if world.rank == 0:
        print(f"communication {sorted(times)[10]}")
"""

OF_TORCH = """
import sys, time
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
torch.set_num_threads(1)
name, kind = sys.argv[1:3]
torch.manual_seed(0)
scale = size if kind == "weak" else 1

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.TransformerEncoderLayer(128, 4, 256, dropout=0, batch_first=True)

    def forward(self, x):
        return self.block(x)

def network():
    if name == "digits":
        batch, shape = 256 * scale, (1, 8, 8)
        layers = [nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3), nn.ReLU()]
        features = 32 * 4 * 4
    else:
        batch, shape, layers, features = 16 * scale, (64, 128), [Block()], 64 * 128
    model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(features, 10))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    samples = torch.randn(batch * 4, *shape)
    labels = torch.randint(10, (batch * 4,))
    part = slice(batch * rank // size, batch * (rank + 1) // size)

    def epochs():
        for start in list(range(0, batch * 4, batch)) * 4:
            optimizer.zero_grad()
            x, y = samples[start : start + batch][part], labels[start : start + batch][part]
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        return float(loss)
    return epochs, 16

def logistic():
    rows, columns = 10_000_000 * scale, 8
    begin, end = (rows * k // size for k in (rank, rank + 1))
    model = DistributedDataParallel(nn.Linear(columns, 1, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    samples = torch.randn(end - begin, columns)
    targets = torch.sign(samples[:, 0] + 0.1)

    def step():
        optimizer.zero_grad()
        loss = nn.functional.softplus(-targets * model(samples)[:, 0]).mean()
        loss.backward()
        optimizer.step()
        return float(loss)
    return step, 1

run, steps = logistic() if name == "logistic" else network()
run()
if len(sys.argv) > 3:
    print("ready", flush=True)
    sys.stdin.readline()
times = []
for _ in range(7):
    dist.barrier()
    begin = time.perf_counter()
    run()
    mine = torch.tensor([time.perf_counter() - begin])
    dist.all_reduce(mine, dist.ReduceOp.MAX)
    times.append(float(mine) / steps)
if rank == 0:
    print(f"seconds {sorted(times)[3]}", flush=True)
dist.barrier()
"""


GOAL, APPLIES = 0.9, 10
"""The efficiency, and how many times as long as communication computations must take for it."""


class Step(NamedTuple):
    """The seconds of a step, and of its communication alone, if that is measured."""

    seconds: float
    communication: float | None = None


def step_of_ours(model: str, kind: str, ranks: int) -> Step:
    """Return what a step of ours takes."""
    beside = Path(sys.executable).parent / "mpiexec"
    command = str(beside) if beside.exists() else shutil.which("mpiexec") or "mpiexec"
    done = subprocess.run(
        [command, "-n", str(ranks), sys.executable, "-c", PROGRAM, model, kind],
        env=_variables(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return _told(done.stdout, done.stderr, done.returncode)


def step_of_torch(python: str, model: str, kind: str, ranks: int) -> Step:
    """Return what a step of PyTorch takes."""
    port = _free_port()
    begun = [
        _begun([python, "-c", OF_TORCH, model, kind], _rank_of_torch(rank, ranks, port))
        for rank in range(ranks)
    ]
    ended = [process.communicate() for process in begun]
    return _told(*ended[0], begun[0].returncode)


def seconds_of_copies(python: str | None, model: str, copies: int) -> float:
    """Return the seconds of a step of one rank while other copies of the program run.

    ``python`` is an interpreter that has PyTorch, whose program is run; None: ours.
    """
    begun = [
        _begun(
            [python or sys.executable, "-c", OF_TORCH if python else PROGRAM, model, "strong", "-"],
            _rank_of_torch(0, 1, _free_port()) if python else {},
        )
        for _ in range(copies)
    ]
    for process in begun:  # all have compiled
        while process.stdout is not None and process.stdout.readline() not in ("ready\n", ""):
            pass
    for process in begun:
        if process.stdin is not None and process.poll() is None:
            process.stdin.write("go\n")
            process.stdin.flush()
    ended = [process.communicate() for process in begun]
    told = zip(begun, ended, strict=True)
    return max(_told(*texts, process.returncode).seconds for process, texts in told)


def _variables() -> dict[str, str]:
    here = str(Path(__file__).parent)
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)}


def _begun(command: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, env={**_variables(), **variables}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _rank_of_torch(rank: int, ranks: int, port: int) -> dict[str, str]:
    return {
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "RANK": str(rank),
        "WORLD_SIZE": str(ranks),
    }  # fmt: skip


def _told(printed: str, errors: str, status: int) -> Step:
    lines = dict(line.split() for line in printed.splitlines() if line.count(" ") == 1)
    if status or "seconds" not in lines:
        sys.exit(printed + errors)
    alone = lines.get("communication")
    return Step(float(lines["seconds"]), None if alone is None else float(alone))


def _communication(step: Step, efficiency: float, computed: float) -> str:
    """Return the words on communication: its time, and whether the goal applies and is met."""
    if step.communication is None:
        return ""
    ratio = computed / step.communication
    goal = "no goal"
    if ratio >= APPLIES:
        goal = f"goal of {GOAL:.0%} {'met' if efficiency >= GOAL else 'missed'}"
    return (
        f", communication alone {step.communication * 1e3:.3f} ms, computations {ratio:.0f} times "
        f"as long: {goal}"
    )


def main() -> None:
    """Print lines for each model, kind of scaling, and number of ranks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ranks", nargs="*", type=int, default=[2])
    models = ["digits", "transformer", "logistic"]
    parser.add_argument("--models", nargs="+", choices=models, default=models)
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    options = parser.parse_args()
    libraries = {"symtheano": step_of_ours}
    if options.torch:
        libraries["torch"] = partial(step_of_torch, options.torch)
    for model in options.models:
        alone = {library: step(model, "strong", 1).seconds for library, step in libraries.items()}
        for library, time in alone.items():
            print(f"{model:12} {library:10} 1 rank           {time * 1e3:8.2f} ms", flush=True)
        for ranks in options.ranks:
            ceilings = {}
            for library in libraries:
                python = options.torch if library == "torch" else None
                time = seconds_of_copies(python, model, ranks)
                ceilings[library] = alone[library] / time
                print(
                    f"{model:12} {library:10} {ranks} copies        {time * 1e3:8.2f} ms, "
                    f"ceiling {ceilings[library]:.0%}",
                    flush=True,
                )
            for kind, part in (("strong", ranks), ("weak", 1)):
                for library, step in libraries.items():
                    taken = step(model, kind, ranks)
                    computed = alone[library] / part
                    efficiency = computed / taken.seconds
                    print(
                        f"{model:12} {library:10} {ranks} ranks, {kind:6} "
                        f"{taken.seconds * 1e3:8.2f} ms, "
                        f"efficiency {efficiency:.0%}, of the ceiling "
                        f"{efficiency / ceilings[library]:.0%}"
                        + _communication(taken, efficiency, computed),
                        flush=True,
                    )


if __name__ == "__main__":
    main()

"""How long two small networks train on the 8 x 8 digits: from the import of a library to the end.

    python -m benchmarks.networks [--threads 1,2] [--rounds 3] [--only NETWORK] [--libs LIBRARIES]
                                  [--empty] [--peers-python PYTHON]

The networks are a hidden layer of 128 units, 30 epochs, and two convolutions with pooling before
it, 10 epochs; Adam, batches of 32. Each training is a process of its own, and libraries take turns.
``fit`` is ``Model.fit`` with the measure accuracy, ``loop`` a loop on a compiled step, written by
hand, without measures. ``torch.compile`` compiles the loss. Times are the median over the rounds:

- ``total``: seconds from the first import to the accuracy on the images never seen;
- ``epoch``: milliseconds of an epoch, the median without the first;
- ``memory``: the process's largest, in MB.

With ``--empty``, the cache of compiled code is empty at the beginning of each process. Otherwise, a
training that is not counted fills it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

BATCH, FILTERS, UNITS, RATE = 32, (32, 64), 128, 1e-3
EPOCHS = {"dense": 30, "conv": 10}
LIBRARIES = ("fit", "loop", "torch", "torch.compile", "jax", "sklearn")
OWN = ("fit", "loop", "sklearn")  # in the interpreter of the command

Tick = Callable[[], None]
Training = tuple[Callable[[int, Tick], None], Callable[[], float]]
"""What trains a number of epochs, calling something after each, and what returns the accuracy."""


def batches(count: int, order: Any) -> Iterator[Any]:
    """Yield the numbers of the samples of each batch."""
    for begin in range(0, count, BATCH):
        yield order[begin : begin + BATCH]


def fit(network: str, data: Any) -> Training:
    """Return the training by ``Model.fit``."""
    from symtheano import nn

    model = nn.Model(seed=0)
    if network == "conv":
        for filters in FILTERS:
            model.add(nn.Conv2D(filters, 3, padding="same", activation="relu"))
            model.add(nn.MaxPool2D())
        model.add(nn.Flatten())
    model.add(nn.Dense(UNITS, "relu"))
    model.add(nn.Dense(10, "softmax"))
    model.compile("categorical_crossentropy", nn.Adam(RATE), metrics=["accuracy"])

    def run(epochs: int, tick: Tick) -> None:
        each = nn.LambdaCallback(on_epoch_end=lambda epoch, measures: tick())
        x, y = data["x"], data["y"]
        model.fit(x, y, epochs=epochs, batch_size=BATCH, verbose=0, callbacks=[each])

    return run, lambda: model.evaluate(data["test_x"], data["test_y"])["accuracy"]


def loop(network: str, data: Any) -> Training:
    """Return a loop on a compiled step."""
    import numpy as np

    import symtheano
    import symtheano.tensor as T
    from symtheano import nn

    x, y = data["x"], data["y"].astype("int32")
    inputs = h = nn.Input(x.shape[1:], seed=0)
    if network == "conv":
        for filters in FILTERS:
            h = nn.maxpool(nn.conv(h, filters, 3, "relu", padding="same"))
        h = nn.flatten(h)
    scores = nn.dense(nn.dense(h, UNITS, "relu"), 10, "softmax")
    labels = T.ivector("labels")
    cost = nn.losses.categorical_crossentropy(scores.train, labels)
    updates = nn.Adam(RATE).updates(cost, scores.parameters)
    step = symtheano.function([inputs.train, labels], cost, updates=updates)
    classify = symtheano.function([inputs.test], scores.test.argmax(axis=1))
    rng = np.random.default_rng(0)

    def run(epochs: int, tick: Tick) -> None:
        for _ in range(epochs):
            for chosen in batches(len(x), rng.permutation(len(x))):
                step(x[chosen], y[chosen])
            tick()

    return run, lambda: float((classify(data["test_x"]) == data["test_y"]).mean())


def torch(network: str, data: Any, compiled: bool = False) -> Training:
    """Return a loop of torch."""
    import torch
    from torch import nn
    from torch.nn.functional import cross_entropy

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.manual_seed(0)
    parts: list[Any] = []
    if network == "conv":
        for read, made in zip((1, *FILTERS), FILTERS, strict=False):
            parts += [nn.Conv2d(read, made, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
        parts.append(nn.Flatten())
    features = FILTERS[-1] * 4 if network == "conv" else 64
    model = nn.Sequential(*parts, nn.Linear(features, UNITS), nn.ReLU(), nn.Linear(UNITS, 10))
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    x, y = torch.from_numpy(data["x"]), torch.from_numpy(data["y"].astype("int64"))
    loss: Any = lambda x, y: cross_entropy(model(x), y)  # noqa: E731
    if compiled:
        loss = torch.compile(loss)

    def run(epochs: int, tick: Tick) -> None:
        for _ in range(epochs):
            for chosen in batches(len(x), torch.randperm(len(x))):
                optimizer.zero_grad()
                loss(x[chosen], y[chosen]).backward()
                optimizer.step()
            tick()

    def accuracy() -> float:
        with torch.no_grad():
            found = model(torch.from_numpy(data["test_x"])).argmax(1).numpy()
        return float((found == data["test_y"]).mean())

    return run, accuracy


def jax(network: str, data: Any) -> Training:
    """Return a loop of JAX on one jitted step."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x, y = data["x"], data["y"].astype("int32")
    rng = np.random.default_rng(0)

    def drawn(*shape: int) -> Any:
        field = int(np.prod(shape[2:]))
        limit = np.sqrt(6 / ((shape[0] + shape[1]) * field))
        return jnp.asarray(rng.uniform(-limit, limit, shape).astype("float32"))

    weights: dict[str, Any] = {}
    if network == "conv":
        for k, (read, made) in enumerate(zip((1, *FILTERS), FILTERS, strict=False)):
            weights |= {f"c{k}": drawn(made, read, 3, 3), f"d{k}": jnp.zeros(made)}
    features = FILTERS[-1] * 4 if network == "conv" else 64
    weights |= {"w0": drawn(features, UNITS), "b0": jnp.zeros(UNITS)}
    weights |= {"w1": drawn(UNITS, 10), "b1": jnp.zeros(10)}

    def scores(p: Any, h: Any) -> Any:
        for k in range(len(FILTERS) if network == "conv" else 0):
            h = jax.lax.conv_general_dilated(h, p[f"c{k}"], (1, 1), "SAME")
            h = jax.nn.relu(h + p[f"d{k}"][:, None, None])
            window = (1, 1, 2, 2)
            h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, window, window, "VALID")
        h = h.reshape(h.shape[0], -1)
        return jax.nn.relu(h @ p["w0"] + p["b0"]) @ p["w1"] + p["b1"]

    def loss(p: Any, x: Any, y: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(scores(p, x)), y[:, None], 1).mean()

    @jax.jit
    def step(p: Any, m: Any, v: Any, t: Any, x: Any, y: Any) -> Any:
        gradients = jax.grad(loss)(p, x, y)
        each = jax.tree.map
        m = each(lambda m, g: 0.9 * m + 0.1 * g, m, gradients)
        v = each(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradients)

        def next_one(p: Any, m: Any, v: Any) -> Any:
            return p - RATE * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

        return each(next_one, p, m, v), m, v, t + 1

    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = [(weights, zeros, zeros, jnp.float32(1))]

    def run(epochs: int, tick: Tick) -> None:
        for _ in range(epochs):
            for chosen in batches(len(x), rng.permutation(len(x))):
                state[0] = step(*state[0], x[chosen], y[chosen])
            jax.block_until_ready(state[0])
            tick()

    def accuracy() -> float:
        found = np.asarray(scores(state[0][0], data["test_x"])).argmax(1)
        return float((found == data["test_y"]).mean())

    return run, accuracy


def sklearn(network: str, data: Any) -> Training:
    """Return the training by scikit-learn, which has dense networks only."""
    import warnings

    from sklearn.neural_network import MLPClassifier

    warnings.simplefilter("ignore")  # it has not converged
    model = MLPClassifier((UNITS,), batch_size=BATCH, random_state=0, alpha=0.0)

    def run(epochs: int, tick: Tick) -> None:
        model.set_params(max_iter=epochs, n_iter_no_change=epochs).fit(data["x"], data["y"])
        tick()

    return run, lambda: float(model.score(data["test_x"], data["test_y"]))


def train(library: str, network: str, path: str) -> dict[str, float]:
    """Train in this process."""
    begun = time.perf_counter()
    import numpy as np

    data = dict(np.load(path))
    if network == "dense":
        data |= {name: data[name].reshape(len(data[name]), -1) for name in ("x", "test_x")}
    name, _, compiled = library.partition(".")
    more = {"compiled": True} if compiled else {}
    run, accuracy = globals()[name](network, data, **more)
    ends = [time.perf_counter()]
    run(EPOCHS[network], lambda: ends.append(time.perf_counter()))
    # scikit-learn tells of the end only.
    between = (
        (later - end for end, later in pairwise(ends[1:]))
        if len(ends) > 2
        else [(ends[1] - ends[0]) / EPOCHS[network]]
    )
    reached = accuracy()
    return {
        "total": time.perf_counter() - begun,
        "epoch": statistics.median(between) * 1e3,
        "memory": most_memory(),
        "accuracy": reached,
    }


def most_memory() -> float:
    """Return the most memory that this process has had, in MB.

    ``getrusage`` also counts that of the process that started it.
    """
    (line,) = (x for x in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in x)
    return int(line.split()[1]) / 1024


def write_digits(path: Path) -> None:
    """Write the images as a file, since the libraries are in different environments."""
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    x = (digits.images[order, None] / 16).astype("float32")
    y = digits.target[order]
    np.savez(path, x=x[:-360], y=y[:-360], test_x=x[-360:], test_y=y[-360:])


def in_process(python: str, library: str, network: str, data: Path, env: Any) -> Any:
    """Train in a new process; return the measures, or None if it fails."""
    command = [python, "-m", "benchmarks.networks", "--worker", library, network, str(data)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        print(f"{library}, {network}: {lines[-1] if lines else 'failed'}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Train all and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=tuple(EPOCHS))
    parser.add_argument("--libs", default=",".join(LIBRARIES))
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--peers-python", default=os.environ.get("BENCH_PEERS_PYTHON", ""))
    parser.add_argument("--worker", nargs=3, metavar=("LIBRARY", "NETWORK", "DATA"))
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(train(*given.worker)))
        return
    libs = given.libs.split(",")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "digits.npz")
        write_digits(data)
        for threads in given.threads.split(","):
            for network in [given.only] if given.only else EPOCHS:
                found: dict[str, list[dict[str, float]]] = {
                    lib: [] for lib in libs if network == "dense" or lib != "sklearn"
                }
                for number in range(given.rounds + (not given.empty)):
                    for lib in found:
                        cache = Path(folder, f"{threads}{lib}{number if given.empty else ''}")
                        env = os.environ | {
                            "OMP_NUM_THREADS": threads,
                            "SYMTHEANO_CACHE_DIR": str(cache),
                            "TORCHINDUCTOR_CACHE_DIR": str(cache),
                        }
                        peer = given.peers_python if lib not in OWN else ""
                        made = in_process(peer or sys.executable, lib, network, data, env)
                        if made is not None and (given.empty or number):
                            found[lib].append(made)
                show(network, threads, found)


def show(network: str, threads: str, found: dict[str, list[dict[str, float]]]) -> None:
    """Print the medians."""
    print(f"\n{network}, {EPOCHS[network]} epochs, {threads} thread(s)")
    print(f"{'':14}{'total s':>10}{'epoch ms':>10}{'memory MB':>11}{'accuracy':>10}")
    for lib, rounds in found.items():
        if rounds:
            total, epoch, memory, accuracy = (
                statistics.median(made[name] for made in rounds)
                for name in ("total", "epoch", "memory", "accuracy")
            )
            print(f"{lib:14}{total:10.2f}{epoch:10.2f}{memory:11.0f}{accuracy:10.4f}")


if __name__ == "__main__":
    main()

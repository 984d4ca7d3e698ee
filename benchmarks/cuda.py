"""Functions on a CUDA device: every value checked, then timed beside PyTorch and JAX.

    python -m benchmarks.cuda [--device cuda] [--only NAME,...] [--seconds 0.3] [--small]

One process does all, and prints one table: microseconds of a call that waits for the device, and
for what only moves memory the share of the bandwidth that a copy of 256 MB has in the same run.
Arrays are on the device before the clock starts. Libraries that are not installed, or find no
device, have ``-``. ``--device emulated --small`` runs everything without a device,
to try the script itself; its times mean nothing.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import Out, grad, shared, to_device

Call = Callable[[], Any]


class Row(NamedTuple):
    """One line of the table.

    Attributes
    ----------
    name
        What is computed.
    ours, torch, jax
        Functions that return a call, given arrays of the host; the last two get their library.
    arrays
        The inputs.
    reference
        The result for float64 arrays.
    traffic
        Bytes that have to be moved, at least; 0 where that is not the limit.
    tolerance
        Largest error, relative to the largest element.
    """

    name: str
    ours: Callable[..., Call]
    torch: Callable[..., Call] | None
    jax: Callable[..., Call] | None
    arrays: tuple[np.ndarray, ...]
    reference: Callable[..., Any]
    traffic: int
    tolerance: float = 1e-5


def compiled(device: str, expression: Callable[..., Any]) -> Callable[..., Call]:
    """Return a function that compiles an expression of inputs, for arrays on a device."""

    def make(*arrays: np.ndarray) -> Call:
        inputs = [T.tensor(f"x{k}", a.dtype.name, (None,) * a.ndim) for k, a in enumerate(arrays)]
        outputs = expression(*inputs)
        several = isinstance(outputs, list)
        kept = [Out(y, borrow=True) for y in (outputs if several else [outputs])]
        f = symtheano.function(inputs, kept if several else kept[0], device=device)
        there = [to_device(a, device) for a in arrays]
        return lambda: f(*there)

    return make


def in_torch(function: Callable[..., Any]) -> Callable[..., Call]:
    """Return a function that makes a compiled call of PyTorch."""

    def make(torch: Any, *arrays: np.ndarray) -> Call:
        there = [torch.from_numpy(a).cuda() for a in arrays]
        f = torch.compile(lambda *args: function(torch, *args), mode="max-autotune-no-cudagraphs")

        def call() -> Any:
            result = f(*there)
            torch.cuda.synchronize()
            return result

        return call

    return make


def in_jax(function: Callable[..., Any]) -> Callable[..., Call]:
    """Return a function that makes a compiled call of JAX."""

    def make(jax: Any, *arrays: np.ndarray) -> Call:
        there = [jax.device_put(a) for a in arrays]
        f = jax.jit(lambda *args: function(jax, *args))
        return lambda: jax.block_until_ready(f(*there))

    return make


def rows(device: str, small: bool) -> Iterator[Row]:
    """Yield the lines of the table."""
    rng = np.random.default_rng(0)
    n, m, k = (1 << 10, 30, 40) if small else (1 << 26, 1024, 1000)
    wide = (37, 50) if small else (8192, 4096)

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype("float32")

    def simple(name: str, ours: Any, torch: Any, jax: Any, arrays: Any, reference: Any,
               accesses: float, tolerance: float = 1e-5) -> Row:  # fmt: skip
        bytes_ = int(accesses * arrays[0].nbytes)
        return Row(name, compiled(device, ours), in_torch(torch), in_jax(jax), arrays, reference,
                   bytes_, tolerance)  # fmt: skip

    x, y = normal(n), normal(n)
    yield simple("copy", lambda a: a * 1, lambda t, a: a * 1, lambda j, a: a * 1, (x,),
                 lambda a: a, 2)  # fmt: skip
    yield simple(
        "a² + b² + 2ab", lambda a, b: T.sqr(a) + T.sqr(b) + 2 * a * b,
        lambda t, a, b: a * a + b * b + 2 * a * b, lambda j, a, b: a * a + b * b + 2 * a * b,
        (x, y), lambda a, b: (a + b) ** 2, 3,
    )  # fmt: skip
    yield simple(
        "exp·sin + tanh", lambda a: T.exp(a) * T.sin(a) + T.tanh(a),
        lambda t, a: t.exp(a) * t.sin(a) + t.tanh(a),
        lambda j, a: j.numpy.exp(a) * j.numpy.sin(a) + j.numpy.tanh(a), (x,),
        lambda a: np.exp(a) * np.sin(a) + np.tanh(a), 2,
    )  # fmt: skip
    yield simple("sum", lambda a: a.sum(), lambda t, a: a.sum(), lambda j, a: a.sum(), (x,),
                 lambda a: a.sum(), 1, 1e-3)  # fmt: skip
    table = normal(*wide)
    yield simple(
        "softmax", T.nnet.softmax, lambda t, a: t.softmax(a, 1), lambda j, a: j.nn.softmax(a, 1),
        (table,), softmax, 2,
    )  # fmt: skip
    yield simple(
        "layer norm",
        lambda a: (a - a.mean(1, keepdims=True)) / T.sqrt(a.var(1, keepdims=True) + 1e-5),
        lambda t, a: t.nn.functional.layer_norm(a, a.shape[1:]),
        lambda j, a: (a - a.mean(1, keepdims=True)) / j.numpy.sqrt(a.var(1, keepdims=True) + 1e-5),
        (table,),
        lambda a: (a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + 1e-5),
        2, 1e-4,
    )  # fmt: skip
    yield simple("sums of columns", lambda a: a.sum(0), lambda t, a: a.sum(0),
                 lambda j, a: a.sum(0),
                 (table,), lambda a: a.sum(0), 1, 1e-4)  # fmt: skip
    yield simple("cumsum of columns", lambda a: T.cumsum(a, axis=0), lambda t, a: a.cumsum(0),
                 lambda j, a: a.cumsum(0), (normal(m, k),), lambda a: a.cumsum(0), 2,
                 1e-4)  # fmt: skip
    labels = rng.integers(0, k, m)
    yield Row("cross-entropy gradient", cross_entropy(device), cross_entropy_torch,
              cross_entropy_jax, (normal(m, k), labels), cross_entropy_numpy,
              8 * m * k, 1e-4)  # fmt: skip
    yield simple("product", T.dot, lambda t, a, b: a @ b, lambda j, a, b: a @ b,
                 (normal(m, k), normal(k, m)), lambda a, b: a @ b, 0, 1e-3)  # fmt: skip
    yield Row("MLP training step", mlp(device), mlp_torch, mlp_jax, mlp_arrays(rng, small),
              mlp_numpy, 0, 1e-3)  # fmt: skip
    tiny = normal(1)
    yield simple("a call", lambda a: a + 1, lambda t, a: a + 1, lambda j, a: a + 1, (tiny,),
                 lambda a: a + 1, 0)  # fmt: skip


def softmax(a: np.ndarray) -> np.ndarray:
    e = np.exp(a - a.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))


# -- the gradient of a cross-entropy ---------------------------------------------------------------


def cross_entropy(device: str) -> Callable[..., Call]:
    def expression(scores: Any, labels: Any) -> Any:
        cost = T.nnet.categorical_crossentropy(T.nnet.softmax(scores), labels).mean()
        return grad(cost, scores)

    return compiled(device, expression)


def cross_entropy_torch(torch: Any, scores: np.ndarray, labels: np.ndarray) -> Call:
    a = torch.from_numpy(scores).cuda().requires_grad_(True)
    y = torch.from_numpy(labels).cuda()
    f = torch.compile(torch.nn.functional.cross_entropy)

    def call() -> Any:
        (result,) = torch.autograd.grad(f(a, y), a)
        torch.cuda.synchronize()
        return result

    return call


def cross_entropy_jax(jax: Any, scores: np.ndarray, labels: np.ndarray) -> Call:
    def cost(a: Any, y: Any) -> Any:
        logs = jax.nn.log_softmax(a)
        return -jax.numpy.take_along_axis(logs, y[:, None], 1).mean()

    return in_jax(lambda j, a, y: j.grad(cost)(a, y))(jax, scores, labels)


def cross_entropy_numpy(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    p = softmax(scores)
    p[np.arange(len(labels)), labels.astype(int)] -= 1
    return p / len(labels)


# -- a training step -------------------------------------------------------------------------------


def mlp_arrays(rng: np.random.Generator, small: bool) -> tuple[np.ndarray, ...]:
    batch, wide, classes = (8, 12, 3) if small else (256, 1024, 10)

    def normal(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(shape[0])).astype("float32")

    return (
        normal(batch, wide), rng.integers(0, classes, batch),
        normal(wide, wide), normal(wide), normal(wide, classes), normal(classes),
    )  # fmt: skip


def mlp(device: str) -> Callable[..., Call]:
    """Return a function that makes a training step; its call returns the first weights."""

    def make(x: np.ndarray, y: np.ndarray, *parameters: np.ndarray) -> Call:
        inputs, labels = T.fmatrix("x"), T.lvector("y")
        W1, b1, W2, b2 = (shared(p, device=device) for p in parameters)
        p = T.nnet.softmax(T.dot(T.tanh(T.dot(inputs, W1) + b1), W2) + b2)
        cost = T.nnet.categorical_crossentropy(p, labels).mean()
        rate = np.float32(0.1)
        updates = [(v, v - rate * grad(cost, v)) for v in (W1, b1, W2, b2)]
        step = symtheano.function([inputs, labels], Out(cost, borrow=True), updates=updates,
                                  device=device)  # fmt: skip
        there = to_device(x, device), to_device(y, device)

        def call() -> Any:
            step(*there)
            return W1.get_value(borrow=True, return_internal_type=True)

        return call

    return make


def mlp_torch(torch: Any, x: np.ndarray, y: np.ndarray, *parameters: np.ndarray) -> Call:
    W1, b1, W2, b2 = (torch.from_numpy(p).cuda().requires_grad_(True) for p in parameters)
    inputs, labels = torch.from_numpy(x).cuda(), torch.from_numpy(y).cuda()

    def cost(W1: Any, b1: Any, W2: Any, b2: Any) -> Any:
        scores = torch.tanh(inputs @ W1 + b1) @ W2 + b2
        return torch.nn.functional.cross_entropy(scores, labels)

    compiled_cost = torch.compile(cost)

    def call() -> Any:
        slopes = torch.autograd.grad(compiled_cost(W1, b1, W2, b2), (W1, b1, W2, b2))
        with torch.no_grad():
            torch._foreach_sub_([W1, b1, W2, b2], slopes, alpha=0.1)
        torch.cuda.synchronize()
        return W1

    return call


def mlp_jax(jax: Any, x: np.ndarray, y: np.ndarray, *parameters: np.ndarray) -> Call:
    inputs, labels = jax.device_put(x), jax.device_put(y)

    def cost(state: Any) -> Any:
        W1, b1, W2, b2 = state
        logs = jax.nn.log_softmax(jax.numpy.tanh(inputs @ W1 + b1) @ W2 + b2)
        return -jax.numpy.take_along_axis(logs, labels[:, None], 1).mean()

    def step(state: Any) -> Any:
        return [v - 0.1 * g for v, g in zip(state, jax.grad(cost)(state), strict=True)]

    jitted, box = jax.jit(step, donate_argnums=(0,)), [[jax.device_put(p) for p in parameters]]

    def call() -> Any:
        box[0] = jax.block_until_ready(jitted(box[0]))
        return box[0][0]

    return call


def mlp_numpy(
    x: np.ndarray, y: np.ndarray, W1: np.ndarray, b1: np.ndarray, W2: np.ndarray, b2: np.ndarray
) -> np.ndarray:
    h = np.tanh(x @ W1 + b1)
    slope = cross_entropy_numpy(h @ W2 + b2, y) @ W2.T * (1 - h**2)
    return W1 - 0.1 * x.T @ slope


# -- measuring -------------------------------------------------------------------------------------


def error_of(result: Any, expected: Any) -> float:
    """Return the largest error, relative to the largest element."""
    if hasattr(result, "detach"):
        result = result.detach().cpu()
    mine, its = np.asarray(result, dtype="float64"), np.asarray(expected)
    if mine.shape != its.shape:
        return float("inf")
    scale = float(np.abs(its).max(initial=0)) or 1.0
    return float(np.abs(mine - its).max(initial=0)) / scale


def seconds_of(call: Call, budget: float) -> float:
    """Return the median time of a call."""
    call()
    times: list[float] = []
    end = time.perf_counter() + budget
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 10_000):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peers(device: str) -> dict[str, Any]:
    """Return the other libraries that find the device."""
    there: dict[str, Any] = {}
    if device == "emulated":
        return there
    with suppress(ImportError):
        import torch

        if torch.cuda.is_available():
            there["torch"] = torch
    with suppress(ImportError, RuntimeError):
        import jax
        import jax.numpy

        if jax.devices()[0].platform in ("gpu", "cuda"):
            there["jax"] = jax
    return there


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; check, measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--only", default="", help="names of rows, separated by commas")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each time")
    parser.add_argument("--small", action="store_true", help="small arrays")
    options = parser.parse_args(arguments)
    others, wrong = peers(options.device), 0
    print("| | ours µs | torch.compile µs | JAX µs | ours to the best | of a copy's bandwidth |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    bandwidth = 0.0
    for row in rows(options.device, options.small):
        if options.only and row.name not in options.only.split(",") and row.name != "copy":
            continue
        expected = row.reference(*(np.asarray(a, dtype="float64") for a in row.arrays))
        times: dict[str, float] = {}
        for name in ("ours", "torch", "jax"):
            make = getattr(row, name)
            if make is None or (name != "ours" and name not in others):
                continue
            library = () if name == "ours" else (others[name],)
            call = make(*library, *(np.array(a) for a in row.arrays))
            error = error_of(call(), expected)
            if not error <= row.tolerance:
                print(f"{row.name}: {name} has an error of {error:.1e}", file=sys.stderr)
                wrong += name == "ours"
                continue
            times[name] = seconds_of(call, options.seconds)
        if row.name == "copy" and "ours" in times:
            bandwidth = row.traffic / times["ours"]
        print(line(row, times, bandwidth), flush=True)
    return 1 if wrong else 0


def line(row: Row, times: dict[str, float], bandwidth: float) -> str:
    """Return a line of the table."""
    cells = [
        f"{times[name] * 1e6:.1f}" if name in times else "-" for name in ("ours", "torch", "jax")
    ]
    best = min((t for name, t in times.items() if name != "ours"), default=0.0)
    cells.append(f"{times['ours'] / best:.2f}" if best and "ours" in times else "-")
    moved = row.traffic and bandwidth and "ours" in times
    cells.append(f"{row.traffic / times['ours'] / bandwidth:.0%}" if moved else "-")
    return f"| {row.name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())

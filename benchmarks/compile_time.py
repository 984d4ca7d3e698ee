"""How long large graphs take from the user's program to compiled code, and how that grows.

    python benchmarks/compile_time.py [--sizes 1250,2500,5000] [--shapes random,chain]
                                      [--rounds 3] [--no-cc]

Each graph is built, differentiated, rewritten, lowered, printed and compiled in a fresh process
with an empty cache. All times are CPU seconds, medians over the rounds: of the process itself for
what is ours, of its children for the C compiler. ``growth`` is the slope of log time over log
size between the smallest and the largest size: 1 is linear, 1.1 about linear times logarithm.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PARTS = ("build", "intern", "rewrite", "lower", "print", "cc")
Graph = tuple[list[Any], list[Any], list[tuple[Any, Any]]]


def random_graph(count: int) -> Graph:
    """Elementwise ops, each on two of the last eight values."""
    import numpy as np

    import symtheano.tensor as T

    rng = np.random.default_rng(1)
    x = T.vector("x")
    ops = [
        lambda a, b: a + b,
        lambda a, b: a * b,
        lambda a, b: T.tanh(a),
        lambda a, b: T.exp(-T.sqr(a)),
        lambda a, b: a - b * 0.5,
        lambda a, b: T.sin(a) + b,
    ]
    values = [x]
    for _ in range(count):
        a, b = (values[-1 - int(rng.integers(0, min(len(values), 8)))] for _ in range(2))
        values.append(ops[int(rng.integers(0, len(ops)))](a, b))
    total = values[-1]
    for value in values[-8:-1]:
        total = total + value
    return [x], [total], []


def chain(count: int) -> Graph:
    """One chain in which the value before the last is used again."""
    import symtheano.tensor as T

    x, y = T.vector("x"), T.vector("y")
    before, last = x, y
    for step in range(count // 2):
        before, last = last, T.tanh(last) + before if step % 2 else T.sin(last) * before
    return [x, y], [last], []


def many_outputs(count: int) -> Graph:
    """An output for every five nodes of one elementwise graph."""
    import symtheano.tensor as T

    x, y = T.vector("x"), T.vector("y")
    outputs, value = [], x
    for step in range(count // 5):
        value = T.tanh(value * y + (0.5 + step))
        outputs.append(T.exp(value) - x)
    return [x, y], outputs, []


def many_vectors(count: int) -> Graph:
    """Vectors of different lengths, five nodes on each."""
    import symtheano.tensor as T

    inputs = [T.vector(f"x{k}") for k in range(count // 5)]
    return inputs, [T.tanh(x * 2 + 1).sum() * x for x in inputs], []


def deep_network(count: int) -> Graph:
    """A perceptron with its gradients and updates; a layer for every 25 nodes."""
    import numpy as np

    import symtheano.tensor as T
    from symtheano import grad, shared

    rng = np.random.default_rng(1)
    x, t = T.matrix("x"), T.matrix("t")
    layers = max(count // 25, 1)
    weights = [shared(0.3 * rng.normal(size=(20, 20)), f"w{k}") for k in range(layers)]
    biases = [shared(np.zeros(20), f"b{k}") for k in range(layers)]
    value = x
    for w, b in zip(weights, biases, strict=True):
        value = T.tanh(T.dot(value, w) + b)
    cost = T.sqr(value - t).mean()
    parameters = [*weights, *biases]
    gradients = grad(cost, parameters)
    updates = [(p, p - 0.1 * g) for p, g in zip(parameters, gradients, strict=True)]
    return [x, t], [cost], updates


def reductions(count: int) -> Graph:
    """Sums and maxima along axes, broadcast back, one after the other."""
    import symtheano.tensor as T

    x = T.matrix("x")
    value = x
    for step in range(count // 10):
        centred = value - value.mean(axis=step % 2, keepdims=True)
        value = T.tanh(centred) * T.max(value, axis=1 - step % 2, keepdims=True) + x
    return [x], [value], []


def wide_sum(count: int) -> Graph:
    """The sum of many terms of one vector."""
    import symtheano.tensor as T

    x = T.vector("x")
    terms = [T.sin(x * (k + 1.0)) for k in range(count // 3)]
    return [x], [sum(terms[1:], terms[0])], []


def product_gradient(count: int) -> Graph:
    """The gradient of a product of many factors."""
    import symtheano.tensor as T
    from symtheano import grad

    inputs = [T.vector(f"x{k}") for k in range(max(count // 20, 2))]
    value = inputs[0]
    for x in inputs[1:]:
        value = value * T.exp(-x)
    return inputs, list(grad(value.sum(), inputs)), []


def slices(count: int) -> Graph:
    """Slices of slices, each set back into what it was taken from."""
    import symtheano.tensor as T

    x = T.vector("x")
    value = x
    for step in range(count // 10):
        part = T.tanh(value[1:])
        value = T.inc_subtensor(value[1:], part * 0.5) if step % 2 else value[:-1] + part
    return [x], [value], []


SHAPES: dict[str, Callable[[int], Graph]] = {
    "random": random_graph,
    "chain": chain,
    "outputs": many_outputs,
    "vectors": many_vectors,
    "network": deep_network,
    "reductions": reductions,
    "sum": wide_sum,
    "product": product_gradient,
    "slices": slices,
}


def measure(shape: str, size: int, compiler: bool) -> dict[str, float]:
    """Return the CPU seconds of every part for one graph, in this process."""
    from symtheano.codegen.c.program import print_c
    from symtheano.codegen.lower import lower
    from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
    from symtheano.function.modes import get_mode
    from symtheano.function.request import Request
    from symtheano.graph.intern import FunctionGraph
    from symtheano.rewrites.engine import Rewriter
    from symtheano.rewrites.final import final_graph

    tools = find_toolchain()
    rules = get_mode("FAST_RUN").rules()
    SHAPES[shape](60)  # imports, and tables that are made once
    gc.collect()
    gc.disable()  # as function() does
    parts: dict[str, float] = {}
    clock = time.process_time()

    def done(part: str) -> None:
        nonlocal clock
        now = time.process_time()
        parts[part] = now - clock
        clock = now

    inputs, outputs, updates = SHAPES[shape](size)
    done("build")
    request = Request.read(inputs, outputs, updates, None, False)
    graph = FunctionGraph([*request.inputs, *request.shared], request.all_outputs)
    done("intern")
    rewriter = Rewriter(rules)
    rewritten = rewriter.rewrite(graph)
    done("rewrite")
    lowered = lower(final_graph(rewritten, Rewriter(rules)), request.donors)
    done("lower")
    source = print_c(lowered.program, tools.vector_functions)
    done("print")
    if compiler:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as place:
            compile_shared(source.text, Path(place) / "code.so", tools)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        parts["cc"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    parts["nodes"] = len(graph.nodes)
    parts["lines"] = source.text.count("\n")
    return parts


def in_fresh_process(shape: str, size: int, compiler: bool) -> dict[str, float]:
    """Return what :func:`measure` tells in a new process."""
    command = [sys.executable, __file__, "--one", shape, str(size)]
    command += [] if compiler else ["--no-cc"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def table(shape: str, sizes: Sequence[int], rounds: int, compiler: bool) -> None:
    """Measure one shape of graph at all sizes and print a line for each."""
    parts = PARTS if compiler else PARTS[:-1]
    print(f"{shape:<10} {'nodes':>7} {'lines':>7} " + " ".join(f"{p:>8}" for p in parts))
    found = []
    for size in sizes:
        runs = [in_fresh_process(shape, size, compiler) for _ in range(rounds)]
        middle = {part: statistics.median(run[part] for run in runs) for part in runs[0]}
        found.append(middle)
        line = f"{'':<10} {middle['nodes']:7.0f} {middle['lines']:7.0f} "
        print(line + " ".join(f"{middle[part]:8.3f}" for part in parts), flush=True)
    if len(found) > 1:
        first, last = found[0], found[-1]
        wider = math.log(last["nodes"] / first["nodes"])
        growth = [math.log(max(last[p], 1e-4) / max(first[p], 1e-4)) / wider for p in parts]
        print(f"{'':<10} {'growth':>15} " + " ".join(f"{g:8.2f}" for g in growth), flush=True)


def main() -> None:
    """Read the command line; measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1250,5000")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-cc", action="store_true", help="leave the C compiler out")
    parser.add_argument("--one", nargs=2, metavar=("SHAPE", "SIZE"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.one:
        print(json.dumps(measure(wanted.one[0], int(wanted.one[1]), not wanted.no_cc)))
        return
    sizes = [int(size) for size in wanted.sizes.split(",")]
    for shape in wanted.shapes.split(","):
        table(shape, sizes, wanted.rounds, not wanted.no_cc)


if __name__ == "__main__":
    main()

"""Functions of a program: what they are given, and when one replaces another."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.codegen.passes.outline import outlined
from symtheano.loopir import Buffer, Builder, For, If, Index, Kernel, Literal, Program, Value, View
from symtheano.loopir.run import Run
from symtheano.loopir.verify import verify

N, M = Index.symbol("n"), Index.symbol("m")
X = Buffer("x", "float64", "input", N, 0)
Y = Buffer("y", "float64", "input", M, 1)
Z = Buffer("z", "float32", "input", N, 2)
TABLE, OTHER = (Buffer(name, "float64", "constant", Index.of(1)) for name in ("table", "other"))


def doubled(b: Builder, buffer: Buffer, size: Index, **options: Any) -> Kernel:
    """Return a kernel that adds an array to itself, or what options say instead."""
    view = View.contiguous(buffer, (size,))
    with b.block() as body, b.loop("i", size, kind=options.get("kind", "serial")) as i:
        x = b.load(view, [i])
        first = b.load(View(options["table"], (), (), Index.of(0)), []) if "table" in options else x
        b.store(view, [i], b.let(options.get("op", "add"), buffer.dtype, [first, x]))
    return Kernel(b.names.fresh("doubled"), options.get("title", ""), tuple(body))


def program_of(b: Builder, *body: Any) -> Program:
    tables = ((TABLE, [1.0]), (OTHER, [2.0]))
    program = Program("f", (X, Y, Z), (("n",), ("m",), ("",)), (X, Y, Z), body, constants=tables)
    verify(program)
    program = outlined(program, b.names)
    verify(program)
    return program


def test_names_do_not_count() -> None:
    b = Builder()
    program = program_of(b, doubled(b, X, N), doubled(b, Y, M, title="other"))
    (function_,) = program.functions
    assert [s for s in program.body if isinstance(s, Run)] == [
        Run("doubled", (X,), (Value("n", "int64"),), (X,), (X,)),
        Run("doubled", (Y,), (Value("m", "int64"),), (Y,), (Y,)),
    ]
    assert (function_.buffers, function_.written) == ((X,), {"x"})


@pytest.mark.parametrize(
    ("buffer", "size", "options"),
    [(Y, M, {"op": "mul"}), (Z, N, {}), (X, M, {}), (Y, M, {"kind": "simd"}),
     (Y, M, {"table": TABLE})],
)  # fmt: skip
def test_all_else_counts(buffer: Buffer, size: Index, options: dict[str, Any]) -> None:
    b = Builder()
    first, second = doubled(b, X, N), doubled(b, buffer, size, **options)
    functions = program_of(b, first, second).functions
    assert len(functions) == (1 if (buffer, size) == (X, M) else 2)


def test_tables_are_part_of_a_function() -> None:
    b = Builder()
    kernels = [doubled(b, X, N, table=table) for table in (TABLE, TABLE, OTHER)]
    program = program_of(b, *kernels)
    assert [s.function for s in program.body if isinstance(s, Run)] == [
        "doubled", "doubled", "doubled_3",
    ]  # fmt: skip
    assert all(function_.buffers == (X,) for function_ in program.functions)


def test_parts_of_kernels_are_shared() -> None:
    b = Builder()
    first, second = (doubled(b, *pair, kind="parallel simd") for pair in ((X, N), (Y, M)))
    part, whole = program_of(b, first, second).functions
    (run,) = whole.body
    assert isinstance(run, Run)
    assert run.threads is not None
    assert (run.function, run.threads.length, run.threads.block) == (part.name, N, 256)
    (loop,) = part.body
    assert isinstance(loop, For)
    assert loop.kind == "simd"
    assert [str(loop.start), str(loop.stop)] == [value.name for value in part.range[:2]]


def test_loops_that_run_backwards_are_shared_from_their_start() -> None:
    b = Builder()
    with b.block() as body, b.loop("i", -1, N - 1, step=-1, kind="parallel") as i:
        b.store(View.contiguous(X, (N,)), [i], Literal(1.0, "float64"))
    part, whole = program_of(b, Kernel("ones", "", tuple(body))).functions
    (run,), (loop,) = whole.body, part.body
    assert isinstance(run, Run)
    assert run.threads is not None
    assert isinstance(loop, For)
    assert (str(run.threads.length), run.threads.step) == ("n", 1)
    assert [str(loop.start), str(loop.stop)] == ["-begin + n - 1", "-end + n - 1"]


def test_kernels_in_branches_are_functions() -> None:
    b = Builder()
    branch = If(Literal(True, "bool"), (doubled(b, X, N),), (doubled(b, Y, M),))
    program = program_of(b, branch)
    (s,) = program.body
    assert isinstance(s, If)
    assert len(program.functions) == 1
    assert [type(inner) for inner in (*s.then, *s.otherwise)] == [Run, Run]


def layers(count: int) -> tuple[list[T.TensorVariable], T.TensorVariable]:
    """Return the inputs and the output of equal layers, each with its own lengths."""
    x = T.matrix("x")
    weights = [T.matrix(f"w{k}") for k in range(count)]
    value = x
    for k, w in enumerate(weights):
        value = T.tanh(T.dot(value, w) + 1.5) if k % 2 else T.exp(-T.dot(value, w))
    return [x, *weights], value


@pytest.mark.needs_cc
def test_layers_share_their_kernels_and_compute_what_they_should() -> None:
    inputs, output = layers(6)
    f = function(inputs, output)
    assert f.c_source is not None
    # the last one is computed in the memory of the result, the others from one to another
    assert len(set(re.findall(r"kernel_\d+_[a-z_]+(?<!_part)\(", f.c_source))) == 3
    rng = np.random.default_rng(0)
    sizes = [3, 5, 2, 7, 4, 6, 3]
    values = [rng.normal(size=(2, 3))]
    values += [rng.normal(size=pair) for pair in pairwise(sizes)]
    expected = function(inputs, output, mode="INTERPRET")(*values)
    np.testing.assert_allclose(f(*values), expected, rtol=1e-12)


@pytest.mark.needs_cc
def test_deep_network_with_updates_agrees_with_the_interpreter() -> None:
    rng = np.random.default_rng(0)
    results = []
    starts = [0.3 * rng.normal(size=(4, 4)) for _ in range(30)]
    given = rng.normal(size=(5, 4))
    for mode in ("FAST_RUN", "INTERPRET"):
        x = T.matrix("x")
        weights = [shared(start, f"w{k}") for k, start in enumerate(starts)]
        value = x
        for w in weights:
            value = T.tanh(T.dot(value, w))
        cost = T.sqr(value).sum()
        updates = [(w, w - 0.1 * g) for w, g in zip(weights, grad(cost, weights), strict=True)]
        f = function([x], cost, updates=updates, mode=mode)
        results.append([f(given), f(given), *(w.get_value() for w in weights)])
    for compiled, interpreted in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, interpreted, rtol=1e-10)


def test_text_is_the_same_each_time(tmp_path: Path) -> None:
    texts = []
    for _ in range(2):
        inputs, output = layers(4)
        made = function(inputs, output)
        texts.append(made.stages.built.source.text)
    assert texts[0] == texts[1]

"""Kernels that differ only in names are changed and printed once; the program is the same."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.codegen import lower
from symtheano.codegen.c.program import print_c
from symtheano.codegen.passes import kernels, run_passes
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.outline import outlined
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.processors import CPU
from symtheano.loopir import Kernel, Let, Literal, Value
from symtheano.loopir.run import Run


def rows_and_columns() -> tuple[list[Any], list[Any]]:
    x = T.matrix("x")
    value: Any = x
    for axis in (0, 1) * 6:
        value = T.tanh(value - value.mean(axis, keepdims=True)) * value.max(1 - axis, keepdims=True)
        value = value + x
    return [x], [value]


def network() -> tuple[list[Any], list[Any]]:
    x = T.matrix("x")
    weights = [shared([[0.1 * k]], f"w{k}") for k in range(5)]
    value: Any = x
    for weight in weights:
        value = T.nnet.softmax(T.dot(value, weight))
    return [x], grad(T.sqr(value).mean(), weights)


def lengths_of_inputs() -> tuple[list[Any], list[Any]]:
    inputs = [T.vector(name) for name in ("x", "y1", "y2", "a_2_i", "i")]
    return inputs, [T.tanh(x * 2 + 1).sum() * x for x in inputs]


def late_lengths() -> tuple[list[Any], list[Any]]:
    x = T.vector("x")
    parts = [x[x > k].sum() for k in range(3)]
    matrices = [(T.outer(x[x > k], x) ** 2).sum(0) for k in range(3)]
    return [x], [*parts, *matrices]


@pytest.mark.parametrize(
    ("graph", "most"),
    [(rows_and_columns, 6), (network, 3), (lengths_of_inputs, 2), (late_lengths, 3)],
)
def test_each_form_is_changed_once(
    graph: Callable[[], tuple[list[Any], list[Any]]],
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = function(*graph(), mode="INTERPRET").stages
    runs = []

    def record(kernel: Kernel, *others: Any) -> Kernel:
        if not kernel.scheduled:
            runs.append(kernel)
        return run_passes(kernel, *others)

    monkeypatch.setattr(kernels, "run_passes", record)
    short = lower.lower(made.final, made.request.donors).program
    count = len(runs)
    # A trace shows the passes on each kernel, so it cannot use what was done with others.
    whole = lower.lower(made.final, made.request.donors, trace=Trace()).program
    assert str(short) == str(whole)
    text, its = print_c(short).text, print_c(whole).text
    assert text == its
    assert count <= most < len(runs) - count


@pytest.mark.needs_cc
def test_values_of_repeats() -> None:
    inputs, outputs = rows_and_columns()
    made, want = function(inputs, outputs), function(inputs, outputs, mode="INTERPRET")
    program = made.stages.built.lowered.program
    runs = [s.function for s in program.body if isinstance(s, Run)]
    assert len(runs) > len(set(runs)) + 6
    x = np.random.default_rng(0).normal(size=(7, 5))
    for array in (x, np.asfortranarray(x)[::-2], x[:1], x[:, :1], np.full((2, 3), np.nan)):
        for mine, its in zip(made(array), want(array), strict=True):
            np.testing.assert_allclose(mine, its, 1e-12)


@pytest.mark.needs_cc
def test_results_of_repeats() -> None:
    inputs, outputs = lengths_of_inputs()
    made = function(inputs, outputs)
    arrays = [np.linspace(-1, 1, count) for count in (3, 0, 70_000, 1, 5)]
    for x, found in zip(arrays, made(*arrays), strict=True):
        np.testing.assert_allclose(found, np.tanh(x * 2 + 1).sum() * x, 1e-12)


def test_changed_kernels_repeat_nothing() -> None:
    made = function(*rows_and_columns(), mode="INTERPRET").stages
    frame, _, naive = lower.write(made.final)
    context = ProgramContext(frame.b.names)
    program = reserve(kernels.kernels(naive, CPU, context), CPU, context)
    first = next(s for s in program.body if any(s.body is r.first for r in program.repeats
                                                if isinstance(s, Kernel)))  # fmt: skip
    assert isinstance(first, Kernel)
    n = Literal(1, "int64")
    more = Let(Value("more", "int64"), "add", (n, n))
    changed = [replace(s, body=(more, *s.body)) if s is first else s for s in program.body]  # type: ignore[attr-defined]
    texts = []
    for repeats in (program.repeats, ()):
        whole = replace(program, body=tuple(changed), repeats=repeats)
        texts.append(print_c(outlined(whole, deepcopy(frame.b.names))).text)
    assert texts[0].count("int64_t more") == 1
    assert texts[0] == texts[1]

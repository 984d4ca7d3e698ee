"""Kernels that differ only in names are changed once, and the program is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.codegen import frame, lower
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.trace import Trace
from symtheano.loopir import Kernel
from symtheano.loopir.text import program_text


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
    [(rows_and_columns, 6), (network, 3), (lengths_of_inputs, 1), (late_lengths, 3)],
)
def test_each_form_is_changed_once(
    graph: Callable[[], tuple[list[Any], list[Any]]],
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = function(*graph(), mode="INTERPRET").stages
    runs = []

    def record(kernel: Kernel, *others: Any) -> Kernel:
        runs.append(kernel)
        return run_passes(kernel, *others)

    monkeypatch.setattr(frame, "run_passes", record)
    short = lower.lower(made.graph, made.rewriter, made.request.donors).program
    count = len(runs)
    # A trace shows the passes on each kernel, so it cannot use what was done with others.
    whole = lower.lower(made.graph, made.rewriter, made.request.donors, trace=Trace()).program
    assert program_text(short) == program_text(whole)
    assert count <= most < len(runs) - count

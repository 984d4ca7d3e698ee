"""Comparisons of indices with zero depend on whether any index is negative."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.lower import write
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.signs import signs
from symtheano.codegen.processors import CPU
from symtheano.loopir import Let, Program
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify

c, w, t = T.dvectors("c", "w", "t")
m = T.dmatrix("m")
i, j = T.lvectors("i", "j")
short = T.ivector("short")
unsigned = T.TensorType("uint8", (None,))("unsigned")
table = T.lmatrix("table")
whole = T.cast(T.floor(t), "int64")


def naive(output: Any) -> tuple[Program, ProgramContext]:
    """Return the naive program of a function, and what passes over it need."""
    inputs = [c, w, t, m, i, j, short, unsigned, table]
    stages = function(inputs, output, mode="INTERPRET", on_unused_input="ignore").stages
    surroundings, _, program = write(stages.final, wishes=stages.request.wishes)
    return program, ProgramContext(surroundings.b.names)


def flagged(output: Any) -> tuple[int, int]:
    """Return how many flags a program has, and how many comparisons depend on them."""
    program, context = naive(output)
    program = signs(program, CPU, context)
    verify(program)
    lets = [s for s in walk(program.body) if isinstance(s, Let)]
    flags = {s.target.name for s in lets if s.target.name.startswith("any_negative")}
    asked = [s for s in lets if s.op == "and_" and getattr(s.arguments[0], "name", "") in flags]
    return len(flags), len(asked)


@pytest.mark.parametrize(
    ("output", "flags", "comparisons"),
    [
        (c[i] * c[i + 1], 1, 2),
        (c[short] * w[short], 1, 2),
        (c[whole] * c[whole + 1], 1, 2),
        (c[i] * c[j], 3, 2),
        ((c[table] * c[table + 1]).sum(), 1, 2),
        (T.inc_subtensor(T.inc_subtensor(c[i], w)[i + 1], w), 1, 2),
        (m[i, j], 3, 2),
    ],
    ids=["input", "int32", "stored, and one further", "two", "matrix", "scatter", "pairs"],
)
def test_least_indices_are_known(output: Any, flags: int, comparisons: int) -> None:
    assert flagged(output) == (flags, comparisons)


@pytest.mark.parametrize(
    "output",
    [
        c[unsigned] * w[unsigned],
        c[T.arange(3)],
        m[i],
        c[i - 1] * c[i - 2],
        c[i] * 2,
        T.inc_subtensor(c[i], w),
    ],
    ids=["unsigned", "known", "rows", "one less", "one", "one scatter"],
)
def test_others_are_as_they_were(output: Any) -> None:
    assert flagged(output) == (0, 0)


def test_what_is_written_again_is_not_known() -> None:
    # The indices are a state, whose memory each iteration overwrites.
    (places, values), _ = scan(
        lambda p, s: [(p + 1) % c.shape[0], s + c[p] * w[p]], outputs_info=[i, w], n_steps=3
    )
    assert flagged([places, values]) == (0, 0)

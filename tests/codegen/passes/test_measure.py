"""Memory of calls: one part for all, and the caller's where sizes are known late."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.lower import write
from symtheano.codegen.passes.measure import measure
from symtheano.codegen.processors import CPU
from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    Call,
    Index,
    Kernel,
    Let,
    LetIndex,
    Local,
    Measure,
    Program,
    Reserve,
    Routine,
    Value,
)
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Address
from symtheano.loopir.routine import ALIGNMENT
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.compare import assert_same, compiled
from tests.support.naive_programs import OUT, N, program, program_context

M = Index.symbol("m")
MATRIX = Buffer("matrix", "float64", "stack", Index.of(9))
ORDER = Buffer("order", "int64", "stack", Index.of(9))
PLACES = {"T": Address(MATRIX, Index.of(0)), "int64": Address(ORDER, Index.of(0))}
LATE = LetIndex(Value("m", "int64"), N + 1)


def calls(*routines: str, late: bool = False) -> Builder:
    """Return calls with matrices of n x n, or of n x m."""
    b = Builder(routines=ROUTINES)
    for name in routines:
        places = [PLACES[parameter.kind] for parameter in ROUTINES[name].parameters[2:]]
        b.call(name, N, M if late else N, *places)
    return b


def measured(*body: Any) -> Program:
    """Return a program after the pass."""
    naive = program(Reserve(), Allocate(OUT, (N, N)), *body)
    verify(naive)
    made = measure(naive, CPU, program_context())
    verify(made)
    assert not any(isinstance(s, Local) for s in walk(made.body))
    return made


def test_calls_share_one_part_of_the_largest_size() -> None:
    made = measured(*calls("sort", "sort").statements())
    assert [type(s) for s in made.body] == [Measure, Reserve, Allocate, Call, Call]
    made = measured(*calls("sort", "sort", "roworder").statements())
    first, second, largest, reserve, *_ = made.body
    assert isinstance(first, Measure)
    assert isinstance(second, Measure)
    assert isinstance(largest, Let)
    assert isinstance(reserve, Reserve)
    assert (first.routine.name, second.routine.name) == ("sort", "roworder")
    assert (first.target.name, second.target.name) == ("sort_bytes", "roworder_bytes")
    assert (largest.op, largest.arguments) == ("maximum", (first.target, second.target))
    (slot,) = made.arena
    assert slot.size == largest.target.index
    given = [s.workspace for s in made.body if isinstance(s, Call)]
    assert given == [slot.buffers[0], slot.buffers[0], slot.buffers[1]]


def test_memory_of_late_sizes_is_the_callers() -> None:
    made = measured(LATE, *calls("sort", "sort", late=True).statements())
    assert made.arena == ()
    kinds = [Reserve, Allocate, LetIndex, Measure, Allocate, Call, Measure, Allocate, Call]
    assert [type(s) for s in made.body] == kinds
    sizes = [s.target.index + ALIGNMENT for s in made.body if isinstance(s, Measure)]
    lent = [s for s in made.body if isinstance(s, Allocate)][1:]
    assert [(s.shape, s.buffer.position) for s in lent] == [((sizes[0],), 1), ((sizes[1],), 2)]
    assert [s.workspace for s in made.body if isinstance(s, Call)] == [s.buffer for s in lent]


def test_kernels_allocate_nothing() -> None:
    b = calls("sort", late=True)
    made = measured(LATE, Kernel("k", "sort", b.statements(), scheduled=True))
    assert [type(s) for s in made.body[2:]] == [LetIndex, Measure, Allocate, Kernel]
    inner = Kernel("k", "sort", b.statements(), scheduled=True)
    made = measured(LATE, Kernel("graph", "graph", (inner,), region=True))
    (outer,) = [s for s in made.body if isinstance(s, Kernel)]
    assert [type(s) for s in outer.body] == [Measure, Allocate, Kernel]


def test_programs_without_such_calls_stay() -> None:
    naive = program(Reserve())
    assert measure(naive, CPU, program_context()) is naive


def test_naive_programs_measure_before_each_call() -> None:
    v = T.dvector("v")
    stages = function([v], T.sort(T.sort(v) * 2), mode="INTERPRET").stages
    naive = write(stages.final)[2]
    verify(naive)
    for k, s in enumerate(naive.body):
        if isinstance(s, Call) and s.routine.name == "sort":
            assert [type(before) for before in naive.body[k - 2 : k]] == [Measure, Local]
    assert sum(isinstance(s, Measure) for s in naive.body) == 2
    assert [slot.size.name for slot in measure(naive, CPU, program_context()).arena][-1:] == [
        "sort_bytes"
    ]


@pytest.mark.parametrize("routine", ROUTINES.values(), ids=str)
def test_calls_allocate_nothing_but_tables(routine: Routine) -> None:
    for dtype in routine.dtypes:
        text = "".join(routine.sections(dtype)).replace("void *malloc(size_t);", "")
        # Buckets of gradients are kept for later calls.
        assert ("malloc(" in text) == routine.name.startswith("bucket_")
        assert "alloca(" not in text
        # Transforms have tables of roots, which are kept for later calls.
        assert ("aligned_alloc" in text) == (routine.name in ("fft", "rfft", "irfft"))


@pytest.mark.needs_cc
def test_programs_with_routines_of_early_and_late_sizes() -> None:
    x = T.matrix("x")
    chosen = x[:, 0][T.gt(x[:, 0], 0).nonzero()]
    outputs = [T.sort(x), T.argsort(chosen), T.nlinalg.svd(x)[1], T.sort(chosen), T.sort(x * 2)]
    f = compiled([x], outputs)
    verify(f.lowered.program)
    sizes = {s.routine.name for s in f.lowered.program.body if isinstance(s, Measure)}
    assert sizes == {"sort", "argsort", "svd"}
    assert f.lowered.hidden[2:] == [("int8", 1)] * 2
    for shape in ((5, 3), (1, 1), (40, 20)):
        value = np.random.default_rng(1).normal(size=shape)
        column = value[:, 0][value[:, 0] > 0]
        wanted = [
            *(np.sort(value), np.argsort(column), np.linalg.svd(value)[1]),
            *(np.sort(column), np.sort(value * 2)),
        ]
        for got, right in zip(f(value), wanted, strict=True):
            assert_same(got, right)


@pytest.mark.needs_cc
def test_routines_in_the_body_of_a_loop_use_the_same_arena() -> None:
    step, times, state, start = T.lscalar("i"), T.lscalar("n"), T.dvector("h"), T.dvector("h0")
    made = Scan(step, [T.sort(state * -1.5) + step], states=[state])(times, start)
    f = compiled([times, start], made)
    measures = [s for s in f.lowered.program.body if isinstance(s, Measure)]
    assert [s.routine.name for s in measures] == ["sort"]
    assert not f.lowered.hidden
    wanted = value = np.random.default_rng(3).normal(size=7)
    for number in range(4):
        wanted = np.sort(wanted * -1.5) + number
    assert_same(f(4, value)[0] if isinstance(made, list | tuple) else f(4, value), wanted)

"""Memory of single steps: one part for all routines, and the caller's where sizes are late."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.workspace import StepMemory
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    Index,
    Let,
    Measure,
    Routine,
)
from symtheano.loopir.routine import ALIGNMENT
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.compare import assert_same, compiled

N, M = Index.symbol("n"), Index.symbol("m")


def memory(*early: str) -> StepMemory:
    steps = StepMemory(Builder(), count(7))
    steps.early.update(early)
    return steps


def test_routines_share_one_part_of_the_largest_size() -> None:
    steps = memory("n", "m")
    one = steps.of_call(ROUTINES["sort"], "float64", (N, M))
    other = steps.of_call(ROUTINES["roworder"], "float64", (N, M))
    assert steps.of_call(ROUTINES["sort"], "float64", (N, M)) == one
    statements, (slot,) = steps.measure_calls()
    measure, second, *_, largest = statements
    assert isinstance(measure, Measure)
    assert isinstance(second, Measure)
    assert measure.target.index == one.size
    assert second.target.index == other.size
    assert isinstance(largest, Let)
    assert largest.op == "maximum"
    assert slot.size == largest.target.index
    assert slot.buffers == (one, other)
    assert steps.taken() == []


def test_late_sizes_are_the_callers() -> None:
    steps = memory("n")
    lent = steps.of_call(ROUTINES["sort"], "float64", (N, M))
    assert (lent.space, lent.position) == ("output", 7)
    measure, allocate = steps.taken()
    assert steps.taken() == []
    assert isinstance(measure, Measure)
    assert allocate == Allocate(lent, (measure.target.index + ALIGNMENT,))
    assert steps.measure_calls() == ((), ())
    assert steps.kernel_slots == ()


def test_kernels_have_parts_of_their_own() -> None:
    steps, used = memory("n"), list[int]()
    first, second = (Buffer(name, "float64", "local", N) for name in ("a", "b"))
    placed = [steps.of_kernel(buffer, used) for buffer in (first, second)]
    again = steps.of_kernel(Buffer("c", "float64", "local", N), [])
    assert [slot.buffers for slot in steps.kernel_slots] == [(placed[0], again), (placed[1],)]


@pytest.mark.parametrize("routine", ROUTINES.values(), ids=str)
def test_calls_allocate_nothing_but_tables(routine: Routine) -> None:
    for dtype in routine.dtypes:
        text = "".join(routine.sections(dtype))
        assert "malloc" not in text
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

"""Kernels of programs go through the passes, and calls take over what follows them."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.lower import write
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Call,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Local,
    Reduce,
    Reserve,
    Store,
    Update,
    Value,
    While,
)
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.support.naive_programs import OUT, N, filled, program, program_context

PLAIN = replace(CPU, passes=())


def kinds(statements: Any) -> list[str]:
    """Return the kinds of all loops."""
    return [s.kind for s in walk(statements) if isinstance(s, For)]


def test_kernels_go_through_their_passes_wherever_they_are() -> None:
    inside = Let(Value("go", "bool"), "isnan", (Literal(1.0, "float64"),))
    naive = program(
        filled("first", 1.0),
        If(Literal(True, "bool"), (filled("second", 2.0),)),
        While((inside,), inside.target, (filled("third", 3.0),)),
    )
    changed = kernels(naive, CPU, program_context())
    assert kinds(changed.body) == ["parallel simd"] * 3
    assert not any(isinstance(s, Reduce | Update | Local) for s in walk(changed.body))
    assert kinds(kernels(naive, PLAIN, program_context()).body) == ["independent"] * 6


def test_kernels_of_one_form_are_changed_once_unless_somebody_looks() -> None:
    naive = program(filled("first", 1.0), filled("second", 1.0), filled("third", 2.0))
    assert len(kernels(naive, CPU, program_context()).repeats) == 1
    trace = Trace()
    assert kernels(naive, CPU, program_context(trace=trace)).repeats == ()
    assert [steps[0].kernel.name for steps in trace.kernels] == ["first", "second", "third"]


def test_memory_of_a_size_that_is_known_late_is_the_callers() -> None:
    late = Index.symbol("late")
    naive = program(Reserve(), LetIndex(Value("late", "int64"), N), filled("first", 1.0, late))
    changed = kernels(naive, PLAIN, program_context())
    assert changed.arena == ()
    allocated = [s for s in changed.body if isinstance(s, Allocate)]
    assert [(s.buffer.name, s.shape) for s in allocated] == [("own", (late,))]
    assert changed.body.index(allocated[0]) == 2


def test_loops_that_an_op_has_written_for_a_processor_stay() -> None:
    naive = program(filled("own", 1.0, scheduled=True))
    assert kinds(kernels(naive, CPU, program_context()).body) == ["independent"] * 2
    device = replace(CPU, serial=False)
    assert kinds(kernels(naive, device, program_context()).body) == ["parallel simd"]


def test_a_loop_over_rows_becomes_the_epilogue_of_the_call_before_it() -> None:
    image, filters = T.ftensor4("image"), T.ftensor4("filters")
    convolved = T.nnet.relu(T.nnet.conv2d(image, filters) + 1)
    stages = function([image, filters], convolved, mode="INTERPRET").stages
    frame, _, naive = write(stages.final)
    verify(naive)
    (kernel,) = [s for s in naive.body if isinstance(s, Kernel)]
    (call,) = [s for s in naive.body if isinstance(s, Call)]
    assert (kernel.epilogue, call.epilogue) == (True, None)
    around = ProgramContext(frame.b.names)
    changed = kernels(naive, CPU, around)
    (call,) = [s for s in walk(changed.body) if isinstance(s, Call)]
    assert isinstance(call.epilogue, For)
    assert (call.epilogue.kind, kinds(call.epilogue.body)) == ("independent", ["simd"])
    assert not [s for s in walk(changed.body) if isinstance(s, Kernel)]


def test_a_kernel_that_no_call_can_take_over_stays_a_kernel() -> None:
    store = Store(OUT, Index.of(0), Literal(1.0, "float64"))
    for naive in (
        program(filled("alone", 1.0, epilogue=True)),
        program(filled("first", 2.0), filled("second", 1.0, epilogue=True)),
        program(Kernel("no_loop", "", (store,), epilogue=True)),
    ):
        changed = kernels(naive, CPU, program_context())
        names = [s.name for s in walk(naive.body) if isinstance(s, Kernel)]
        assert [s.name for s in walk(changed.body) if isinstance(s, Kernel)] == names
        assert not any(s.epilogue for s in walk(changed.body) if isinstance(s, Kernel))

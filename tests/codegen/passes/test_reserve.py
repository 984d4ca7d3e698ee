"""The workspace holds what kernels use, and is opened before it is needed."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.lower import write
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Index,
    LetIndex,
    Literal,
    Local,
    Measure,
    Program,
    Reserve,
    Slot,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.support.naive_programs import N, filled, program, program_context

ONE = Literal(1.0, "float64")
PART = Buffer("part", "float64", "arena", N)
ARENA = (Slot((PART,), N * 8),)


def named(name: str) -> LetIndex:
    """Return a statement that touches no memory."""
    return LetIndex(Value(name, "int64"), N)


def stored(buffer: Buffer) -> Store:
    """Return a statement that writes into memory."""
    return Store(buffer, Index.of(0), ONE)


def reserved(*body: Statement) -> list[type]:
    """Return the kinds of the statements after the pass."""
    naive = replace(program(Reserve(), *body), arena=ARENA)
    return [type(s) for s in reserve(naive, CPU, program_context()).body]


def test_memory_of_kernels_is_a_part_of_the_workspace() -> None:
    naive = program(Reserve(), filled("first", 1.0, N), filled("second", 2.0, N))
    around = program_context()
    changed = reserve(kernels(naive, replace(CPU, passes=()), around), CPU, around)
    assert not any(isinstance(s, Local) for s in walk(changed.body))
    (slot,) = changed.arena
    assert (slot.size, [buffer.name for buffer in slot.buffers]) == (8 * N, ["own", "own"])


def test_the_workspace_is_opened_before_it_is_used_first() -> None:
    assert reserved(named("a"), stored(PART), named("b")) == [LetIndex, Reserve, Store, LetIndex]
    assert reserved(named("a")) == [LetIndex, Reserve]


def test_no_argument_is_written_before_the_workspace_is_there() -> None:
    x = Buffer("x", "float64", "input", N, 0)
    naive = (Reserve(), named("a"), stored(x), stored(PART))
    body = reserve(Program("f", (x,), (("n",),), (), naive, ARENA), CPU, program_context()).body
    assert [type(s) for s in body] == [LetIndex, Reserve, Store, Store]


def test_without_memory_nothing_is_reserved() -> None:
    assert reserve(program(Reserve(), named("a")), CPU, program_context()).body == (named("a"),)


def test_sizes_for_routines_are_measured_where_the_workspace_is_reserved() -> None:
    v = T.dvector("v")
    stages = function([v], T.sort(T.sort(v) * 2), mode="INTERPRET").stages
    naive = write(stages.final)[2]
    verify(naive)
    at = [type(s) for s in naive.body].index(Reserve)
    assert isinstance(naive.body[at - 1], Measure)
    assert [slot.size.name for slot in naive.arena][-1:] == ["sort_bytes"]

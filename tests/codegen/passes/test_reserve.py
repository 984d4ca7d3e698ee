"""The workspace is opened before it is needed, if there is one."""

from __future__ import annotations

from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Index,
    LetIndex,
    Literal,
    Program,
    Reserve,
    Slot,
    Statement,
    Store,
    Value,
)
from tests.support.naive_programs import N, program, program_context

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

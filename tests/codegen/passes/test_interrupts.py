"""A call may end between statements that take long, unless an argument has been written."""

from __future__ import annotations

from symtheano.codegen.passes.interrupts import interrupts, writes_input
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.processors import CPU
from symtheano.loopir import (
    Alias,
    Buffer,
    Index,
    Interrupt,
    Kernel,
    LetIndex,
    Literal,
    Program,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.operands import Address
from tests.support.naive_programs import N, filled, program, program_context

SHORT = LetIndex(Value("a", "int64"), N)
X = Buffer("x", "float64", "input", N, 0)
WRITTEN = Store(X, Index.of(0), Literal(1.0, "float64"))


def long(name: str) -> Statement:
    """Return a kernel that threads share."""
    (kernel,) = kernels(program(filled(name, 1.0)), CPU, program_context()).body
    return kernel


def interrupted(*body: Statement) -> list[type]:
    """Return the kinds of the statements after the pass."""
    whole = Program("f", (X,), (("n",),), (), body)
    return [type(s) for s in interrupts(whole, CPU, program_context()).body]


def test_between_two_long_statements_the_call_may_end() -> None:
    assert interrupted(SHORT, long("a"), SHORT) == [LetIndex, Kernel, LetIndex]
    assert interrupted(long("a"), SHORT, long("b")) == [Kernel, LetIndex, Interrupt, Kernel]
    assert interrupted(long("a"), long("b"), long("c")).count(Interrupt) == 2


def test_what_has_written_an_argument_goes_on() -> None:
    assert Interrupt not in interrupted(long("a"), WRITTEN, long("b"))
    assert interrupted(long("a"), long("b"), WRITTEN, long("c")).count(Interrupt) == 1


def test_arguments_may_be_written_under_other_names() -> None:
    part = Buffer("part", "float64", "chosen", N)
    alias = Alias(part, Address(X, Index.of(0)))
    store = Store(part, Index.of(0), Literal(1.0, "float64"))
    writes = writes_input(Program("f", (X,), (("n",),), (), (alias, store, SHORT)))
    assert [writes(s) for s in (alias, store, SHORT)] == [False, True, False]
    assert not writes_input(Program("f", (X,), (("n",),), (), (alias, SHORT)))(alias)

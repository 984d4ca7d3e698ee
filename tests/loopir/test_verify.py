"""The verifier accepts what means something and names the statement that does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import (
    Alias,
    Allocate,
    Assign,
    Buffer,
    Call,
    Check,
    Declare,
    Expression,
    For,
    If,
    Index,
    Kernel,
    Leave,
    Let,
    LetIndex,
    Literal,
    Load,
    Measure,
    Program,
    PythonCall,
    Statement,
    Store,
    Swap,
    Value,
    While,
)
from symtheano.loopir.host import Interrupt, Reserve
from symtheano.loopir.operands import Address
from symtheano.loopir.program import Slot
from symtheano.loopir.verify import VerificationError, verify, verify_statements
from tests.codegen.standin import CORRELATE

N = Index.symbol("n")
ZERO = Index.of(0)
X = Buffer("x", "float64", "input", N, 0)
Y = Buffer("y", "float64", "output", N, 0)
F32 = Buffer("z", "float32", "input", N, 1)
TABLE = Buffer("table", "float64", "constant", Index.of(1))
STACK = Buffer("near", "float64", "stack", Index.of(4))
ROOM = Buffer("room", "int8", "stack", Index.of(64))
ORDER = Address(Buffer("order", "int64", "stack", Index.of(4)), Index.of(0))
STATUS = Value("status", "int64")
PART, REST = (Buffer(name, "float64", "chosen", N) for name in ("part", "rest"))
NAMED = [Alias(name, Address(X, ZERO)) for name in (PART, REST)]
ONE, YES = Literal(1.0, "float64"), Literal(True, "bool")


def f64(name: str) -> Value:
    return Value(name, "float64")


def i64(name: str) -> Value:
    return Value(name, "int64")


A, B = f64("a"), f64("b")


def let(name: str, *arguments: Value | Literal) -> Let:
    return Let(f64(name), "add", arguments or (ONE, ONE))


def loop(*body: Statement, **options: Any) -> For:
    return For(i64("i"), ZERO, N, body, **options)


def inner_loop(*body: Statement, **options: Any) -> For:
    return For(i64("j"), ZERO, N, body, **options)


def check(statements: Sequence[Statement]) -> None:
    verify_statements(statements, [i64("n")], [X, F32, TABLE])


def gemm(*changes: tuple[int, Any], buffer: Buffer = X) -> Call:
    a = Address(X, ZERO)
    arguments: list[Any] = [False, True, N, N, N, ONE, a, N, a, N, ONE, Address(buffer, ZERO), N]
    for position, argument in changes:
        arguments[position] = argument
    return Call(ROUTINES["gemm"], tuple(arguments))


def batch(*changes: tuple[int, Any]) -> Call:
    a, y = Address(X, ZERO), Address(X, N)
    arguments: list[Any] = [False, True, N, N, N, N, ONE, a, ZERO, N, a, N * N, N, ONE, y, N * N, N]
    for position, argument in changes:
        arguments[position] = argument
    return Call(ROUTINES["batched_gemm"], tuple(arguments))


def svd(*changes: tuple[int, Any]) -> Call:
    a, s = Address(X, ZERO), Address(X, N)
    arguments: list[Any] = [N, N, N, ZERO, a, ZERO, s, ZERO]
    for position, argument in changes:
        arguments[position] = argument
    return Call(ROUTINES["svd"], tuple(arguments), None, STATUS, ROOM)


def repeat(*changes: tuple[int, Any]) -> Call:
    arguments: list[Any] = [Address(X, ZERO), Address(X, N), Index.of(1), ZERO + 2, (N, N), (N, N)]
    for position, argument in changes:
        arguments[position] = argument
    return Call(ROUTINES["repeat"], tuple(arguments))


def dot(dtype: str) -> Call:
    x = Address(Buffer("h", dtype, "stack", Index.of(4)), ZERO)
    return Call(ROUTINES["dot"], (N, x, ZERO + 1, x, ZERO + 1, x))


def correlate(*statements: Statement) -> Call:
    x = Address(X, ZERO)
    room = Buffer("windows", "int8", "stack", Index.of(64))
    rows = For(i64("r"), ZERO, N, statements, "independent")
    given = (N, Index.of(2), Index.of(2), Index.of(2), x, x, x)
    return Call(CORRELATE, given, workspace=room, epilogue=rows)


RIGHT: dict[str, list[Statement]] = {
    "kernels in the kernel of a region": [
        *NAMED,
        Kernel("graph", "", (Swap(PART, REST), Kernel("k", "", ())), region=True),
    ],
    "names are exchanged in a loop": [*NAMED, loop(Swap(PART, REST), Store(REST, ZERO, ONE))],
    "straight": [let("a"), let("b", A), Store(X, ZERO, B)],
    "index names": [LetIndex(i64("k"), N * 2), Load(A, X, i64("k").index)],
    "sum": [
        Declare(A, ONE),
        loop(Load(B, X, i64("i").index), Assign(A, B), kind="simd", reductions=((A, "add"),)),
    ],
    "own accumulator": [loop(Declare(A, ONE), inner_loop(Assign(A, ONE)), kind="parallel")],
    "worker": [loop(Load(A, X, i64("w").index), kind="parallel", worker=i64("w"))],
    "while": [
        Declare(A, ONE),
        While((Let(Value("c", "bool"), "lt", (A, ONE)),), Value("c", "bool"), (Assign(A, ONE),)),
    ],
    "a loop is left": [loop(let("a"), Leave(YES))],
    "both branches": [If(YES, (let("a"), let("b", A)), (let("c"), let("d", f64("c"))))],
    "kernel sees outside": [let("a"), Kernel("k", "", (let("b", A),), (B,)), let("c", B)],
    "kernel returns what it declared": [
        Kernel("k", "", (Declare(A, ONE), loop(Assign(A, ONE))), (A,)),
        let("b", A),
    ],
    "stack": [Store(STACK, ZERO, ONE), loop(Load(A, STACK, ZERO))],
    "gemm": [gemm()],
    "gemm in a serial loop": [loop(gemm())],
    "batch": [batch()],
    "no array where it is optional": [svd(), Load(A, X, STATUS.index)],
    "repeat": [repeat()],
    "an epilogue": [correlate(Load(A, X, i64("r").index), Store(X, i64("r").index, A))],
    "a measured workspace": [
        Measure(i64("size"), ROUTINES["sort"], "float64", (N, N)),
        Call(ROUTINES["sort"], (N, N, Address(X, ZERO)), workspace=ROOM),
    ],
    "a workspace of known size": [
        Call(
            ROUTINES["roworder"],
            (Index.of(8), N, Address(X, ZERO), ORDER),
            workspace=ROOM,
        )
    ],
    "copy": [Call(ROUTINES["copy"], (Address(X, ZERO), Address(X, N), N))],
    "python": [
        PythonCall(
            0, ((Address(X, ZERO), (N,)),), ((Buffer("p", "int8", "arena", N), (i64("d"),)),)
        ),
        Load(Value("v", "int8"), Buffer("p", "int8", "arena", N), i64("d").index),
    ],
    "check of an expression": [Check(Expression("lt", "bool", (N, ONE)), "index", 1, (N,))],
    "check in a loop": [loop(Check(YES, "index", 1, (i64("i").index,)))],
}

WRONG: dict[str, list[Statement]] = {
    "a is not defined here": [let("b", A)],
    "k is not defined here": [Load(A, X, Index.symbol("k"))],
    "a is defined twice": [let("a"), let("a")],
    "i is defined twice": [loop(), loop()],
    "n is defined twice": [LetIndex(i64("n"), N)],
    "a is float64, not int64": [let("a"), LetIndex(i64("k"), Index.symbol("a"))],
    "a is float64, not float32": [let("a"), let("b", Value("a", "float32"))],
    "b is not defined here": [loop(let("b")), let("c", B)],
    "c is not defined here": [If(YES, (let("c"),), (let("d", f64("c")),))],
    "d is not defined here": [
        While((), YES, (let("d"),)),
        let("e", f64("d")),
    ],
    "e is not defined here": [Kernel("k", "", (let("e"),)), let("g", f64("e"))],
    "g is not defined here": [Kernel("k", "", (), (f64("g"),))],
    "cond is not defined here": [While((), Value("cond", "bool"), ())],
    "a was not declared": [let("a"), Assign(A, ONE)],
    "outside the thread": [Declare(A, ONE), loop(Assign(A, ONE), kind="parallel")],
    "outside the thread or": [Declare(A, ONE), Kernel("k", "", (Assign(A, ONE),))],
    "from one iteration": [Declare(A, ONE), loop(Assign(A, ONE), kind="simd")],
    "depends on their number": [
        Declare(A, ONE),
        loop(kind="parallel simd", reductions=((A, "add"),)),
    ],
    "a was declared outside": [
        Declare(A, ONE),
        loop(inner_loop(kind="simd", reductions=((A, "add"),)), kind="parallel"),
    ],
    "Leave outside of a loop": [Leave(YES)],
    "Leave outside of a loop that runs in order": [loop(Leave(YES), kind="simd")],
    "Leave outside of a loop|in a branch": [loop(If(YES, (Leave(YES),)))],
    "Check in a simd loop": [loop(Check(YES, "shape", 1), kind="simd")],
    "Check in a parallel loop": [loop(Check(YES, "shape", 1), kind="parallel")],
    "PythonCall in a simd loop": [loop(PythonCall(0, (), ()), kind="simd")],
    "PythonCall in a parallel loop": [loop(inner_loop(PythonCall(0, (), ())), kind="parallel")],
    "Call in a simd loop": [loop(gemm(), kind="simd")],
    "Call in a parallel loop": [loop(inner_loop(gemm()), kind="parallel")],
    "Kernel in a simd loop": [loop(Kernel("k", "", ()), kind="simd")],
    "Kernel in a kernel": [Kernel("k", "", (Kernel("l", "", ()),))],
    "Kernel in a kernel|region in a kernel": [Kernel("k", "", (Kernel("l", "", (), region=True),))],
    "Swap in a kernel": [*NAMED, Kernel("k", "", (Swap(PART, REST),))],
    "Swap in a parallel loop": [*NAMED, loop(inner_loop(Swap(PART, REST)), kind="parallel")],
    "rest has no storage here": [NAMED[0], Swap(PART, REST)],
    "Allocate in a kernel": [Kernel("k", "", (Allocate(Y, (N,)),))],
    "a parallel loop in a parallel loop": [loop(inner_loop(kind="parallel"), kind="parallel")],
    "a parallel loop in a simd loop": [loop(inner_loop(kind="parallel"), kind="simd")],
    "y has no storage here": [Store(Y, ZERO, ONE)],
    "x is described in two ways": [Load(A, Buffer("x", "float64", "input", N, 3), ZERO)],
    "size is not a constant": [Store(Buffer("s", "float64", "stack", N), ZERO, ONE)],
    "table is a constant": [Store(TABLE, ZERO, ONE)],
    "argument m does not fit": [gemm((2, ONE))],
    "argument alpha does not fit": [gemm((5, Literal(1.0, "float32")))],
    "argument a does not fit": [gemm((6, N))],
    "argument a_step does not fit": [batch((8, ONE))],
    "argument u does not fit": [svd((5, Address(F32, ZERO)))],
    "argument s does not fit": [svd((6, ZERO))],
    "argument x does not fit": [Call(ROUTINES["sort"], (N, N, ZERO), workspace=ROOM)],
    "argument strides does not fit": [repeat((5, N))],
    "argument transa does not fit": [gemm((0, N))],
    "dot has no version for float16": [dot("float16")],
    "m is not defined here": [
        Measure(i64("size"), ROUTINES["sort"], "float64", (N, Index.symbol("m")))
    ],
    "Check in a parallel loop|Check in an epilogue": [correlate(Check(YES, "shape", 1))],
    "outside the thread or kernel": [Declare(A, ONE), correlate(Assign(A, ONE))],
    "r is not defined here": [correlate(), LetIndex(i64("k"), Index.symbol("r"))],
    "Call on a device": [loop(gemm(), kind="grid")],
    "argument c does not fit": [gemm(buffer=F32)],
    "h is not defined here": [
        Check(
            Expression("invert", "bool", (Expression("lt", "bool", (f64("h"), ONE)),)), "index", 1
        )
    ],
    "l is not defined here": [Check(Expression("lt", "bool", (N, i64("l").index)), "index", 1)],
    "copy it to the output": [PythonCall(0, (), ((Y, (i64("d"),)),))],
}


@pytest.mark.parametrize("name", RIGHT)
def test_accepted(name: str) -> None:
    check(RIGHT[name])


@pytest.mark.parametrize("message", WRONG)
def test_refused(message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        check(WRONG[message])


def test_the_statement_is_named() -> None:
    with pytest.raises(VerificationError) as raised:
        check([loop(let("b", A))])
    assert str(raised.value) == "a is not defined here\n  in: b = add(a) : float64"


def program(body: Sequence[Statement] = (), **changes: Any) -> Program:
    fields: dict[str, Any] = {
        "name": "f",
        "inputs": (X,),
        "input_dims": (("n",),),
        "outputs": (Y,),
        "body": tuple(body),
    }
    return Program(**{**fields, **changes})


def test_a_program() -> None:
    verify(program([Allocate(Y, (N,)), loop(Store(Y, i64("i").index, ONE))]))


def test_an_output_in_its_donor() -> None:
    verify(program([Store(X, ZERO, ONE)], outputs=(X,)))


def test_the_arena_is_opened_once_its_sizes_are_known() -> None:
    slot = Buffer("t", "float64", "arena", Index.symbol("k"))
    arena = (Slot((slot,), slot.size * 8),)
    use = Store(slot, ZERO, ONE)
    size = LetIndex(i64("k"), N * 2)
    verify(program([size, Reserve(), loop(use), Load(A, slot, ZERO)], outputs=(), arena=arena))
    with pytest.raises(VerificationError, match="k is not defined here"):
        verify(program([Reserve(), use, size], outputs=(), arena=arena))
    with pytest.raises(VerificationError, match="t has no storage here"):
        verify(program([size, use, Reserve()], outputs=(), arena=arena))
    with pytest.raises(VerificationError, match="t has no storage here"):
        verify(program([size, Reserve(), use], outputs=()))
    for statement in (Reserve(), Interrupt()):
        with pytest.raises(VerificationError, match="inside of another statement"):
            verify(program([size, loop(statement)], outputs=(), arena=arena))


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("y has no storage here", {}),
        ("z is at position 0", {"inputs": (F32, X), "input_dims": ((), ())}),
        ("y is not an input", {"inputs": (Y,)}),
        ("dims of each input", {"input_dims": ()}),
        ("n is defined twice", {"input_dims": (("n", "n"),)}),
        ("table: number of values", {"constants": ((TABLE, [1.0, 2.0]),)}),
        ("x is not a constant", {"constants": ((X, [1.0]),), "inputs": (), "input_dims": ()}),
        ("is not in the arena", {"arena": (Slot((STACK,), ZERO),)}),
        ("near is not an output", {"outputs": (STACK,)}),
        ("n is not defined here", {"body": (Allocate(Y, (N,)),), "input_dims": (("",),)}),
    ],
)
def test_programs_that_are_refused(message: str, changes: dict[str, Any]) -> None:
    with pytest.raises(VerificationError, match=message):
        verify(program(**changes))


def test_an_output_allocated_in_a_branch_only_is_refused() -> None:
    with pytest.raises(VerificationError, match="y has no storage here"):
        verify(program([If(YES, (Allocate(Y, (N,)),))]))


def test_long_programs_take_linear_time_and_no_recursion() -> None:
    body: list[Statement] = [let("v0")]
    body += [let(f"v{k + 1}", f64(f"v{k}")) for k in range(10_000)]
    check(body)

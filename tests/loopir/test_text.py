"""The text form: every statement, in a shape one can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import (
    Aligned,
    Allocate,
    Announce,
    Assign,
    AtomicAdd,
    Barrier,
    Buffer,
    Builder,
    Call,
    Check,
    Comment,
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
    Local,
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
from symtheano.loopir.text import headline, statements_text

N, M = Index.symbol("n"), Index.symbol("m")


@dataclass(frozen=True)
class Line:
    place: str
    text: str


HERE = Line("model.py:12", "y = T.tanh(x)")
I, V = Value("i", "int64"), Value("v", "float32")  # noqa: E741
X = Buffer("x", "float32", "input", N * M, 0)
Y = Buffer("y", "float32", "output", N, 0)
YES = Literal(True, "bool")


def every_statement() -> tuple[Statement, ...]:
    count, go = Value("count", "int64"), Value("go", "bool")
    inner = Let(go, "lt", (count, Literal(3, "int64")))
    return (
        Check(
            Expression("le", "bool", (N, Expression("cast", "int64", (V,)))),
            "shape",
            2,
            (N, M),
            HERE,
        ),
        Reserve(),
        Interrupt(),
        Allocate(Y, (N,)),
        Allocate(Y, (N,), Value("turn", "int64")),
        Comment("first\nsecond", HERE),
        LetIndex(Value("k", "int64"), N * 2 - 1, "how many"),
        Declare(V, Literal(float("-inf"), "float32")),
        Kernel(
            "rows",
            "sum of rows",
            (
                For(
                    I,
                    Index.of(0),
                    N,
                    (Load(Value("x_i", "float32"), X, I.index * M),),
                    "parallel",
                    work=N * M,
                    worker=Value("w", "int64"),
                ),
            ),
            (Value("total", "float32"),),
        ),
        For(
            Value("j", "int64"),
            N,
            Index.of(0),
            (Assign(V, V), Store(Y, Index.of(0), V)),
            "simd",
            -2,
            ((V, "maximum"),),
        ),
        Swap(*(Buffer(name, "int8", "chosen", N) for name in ("one", "other"))),
        For(Value("l", "int64"), N, M, (Leave(Expression("lt", "bool", (V, V))),)),
        While((inner,), go, (Assign(count, Literal(1, "int64")),)),
        If(go, (Let(V, "tanh", (V,), HERE),), (Comment("else"),)),
        If(go, (Comment("seldom"),), rare=True),
        Call(ROUTINES["copy"], (Address(X, Index.of(0)), Address(Y, N), N), HERE),
        PythonCall(
            4, ((Address(X, N), (N, M)),), ((Buffer("p", "int8", "arena", N), (count,)),), HERE
        ),
        PythonCall(5, (), ()),
        Announce(N * M),
        For(
            Value("block", "int64"),
            Index.of(0),
            N,
            (
                Local(Buffer("near", "float32", "shared", Index.of(8))),
                Barrier("block"),
                Aligned(Value("near_y", "bool"), Y, N),
                For(
                    Value("thread", "int64"),
                    Index.of(0),
                    Index.of(8),
                    (AtomicAdd(Y, N, Literal(1.0, Y.dtype)),),
                    "thread",
                ),
                For(Value("warp", "int64"), Index.of(0), Index.of(2), (Barrier("warp"),), "warp"),
            ),
            "grid",
        ),
    )


def test_every_statement(golden: Callable[[str, str], None]) -> None:
    table = Buffer("table", "int16", "constant", Index.of(10))
    slot = Buffer("slot", "complex64", "arena", N)
    other = Buffer("other", "float64", "arena", N)
    program = Program(
        "f",
        (X,),
        (("n", ""),),
        (Y,),
        every_statement(),
        (Slot((slot, other), N * 8),),
        ((table, range(10)),),
        "tanh of rows",
    )
    golden(str(program), "loopir/every_statement.txt")


def test_statements_text_is_the_body() -> None:
    statements = every_statement()[:4]
    assert statements_text(statements) == (
        "check le(n, cast(v) : int64) else shape error 2 with n, m  # model.py:12\n"
        "reserve the workspace\n"
        "leave if the call is to end\n"
        "allocate y of shape (n)\n"
    )


def test_headline_has_one_line() -> None:
    assert all("\n" not in headline(statement) for statement in every_statement())


def test_the_text_does_not_depend_on_how_it_was_built() -> None:
    def build() -> str:
        b = Builder()
        with b.loop("i", N) as i:
            b.emit(Store(Y, i, b.let("add", "float32", [Literal(1.0, "float32")] * 2)))
        return statements_text(b.statements())

    assert build() == build()
    assert build() == "for i = 0 .. n:\n  v = add(1.0:float32, 1.0:float32) : float32\n  y[i] = v\n"

"""Nodes reject fields without a meaning; the builder makes what was requested."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import (
    Allocate,
    Assign,
    Buffer,
    Builder,
    Call,
    Check,
    Declare,
    For,
    If,
    Index,
    Let,
    LetIndex,
    Literal,
    Load,
    Measure,
    Store,
    Value,
    View,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.nodes import Address
from tests.codegen.standin import CORRELATE

N = Index.symbol("n")
ZERO = Index.of(0)
X = Buffer("x", "float32", "input", N, 0)
ONE = Literal(1.0, "float64")
PLACE = Address(X, ZERO)
I = Value("i", "int64")  # noqa: E741


def epilogue(name: str, kind: Any, start: int = 0) -> Call:
    rows = For(I, Index.of(start), N, (), kind)
    if name == "copy":
        return Call(ROUTINES["copy"], (PLACE, PLACE, N), epilogue=rows)
    room = Buffer("room", "int8", "stack", ZERO)
    return Call(CORRELATE, (N, N, N, N, *[PLACE] * 3), workspace=room, epilogue=rows)


WRONG: dict[str, Callable[[], object]] = {
    "is not an identifier": lambda: Value("2x", "float32"),
    "is not a dtype": lambda: Value("x", "float33"),
    "not an index": lambda: Value("x", "float32").index,
    "have a position": lambda: Buffer("x", "float32", "input", N),
    "other buffers none": lambda: Buffer("x", "float32", "arena", N, 1),
    "an index is int64": lambda: LetIndex(Value("x", "int32"), N),
    "load of x": lambda: Load(Value("v", "float64"), X, ZERO),
    "store to x": lambda: Store(X, ZERO, ONE),
    "a: dtype": lambda: Declare(Value("a", "int8"), ONE),
    "b: dtype": lambda: Assign(Value("b", "int8"), ONE),
    "a loop index is int64": lambda: For(Value("i", "int32"), ZERO, N, ()),
    "step is not zero": lambda: For(I, ZERO, N, (), step=0),
    "only simd and lane loops reduce": lambda: For(I, ZERO, N, (), reductions=((I, "add"),)),
    "only parallel loops": lambda: For(I, ZERO, N, (), worker=Value("w", "int64")),
    "a condition is bool": lambda: If(ONE, ()),
    "condition is bool": lambda: While((), ONE, ()),
    "is bool": lambda: Check(ONE, "shape", 1),
    "at most eight": lambda: Check(Literal(True, "bool"), "shape", 1, (N,) * 9),
    "gemm takes 13 arguments": lambda: Call(ROUTINES["gemm"], (False,)),
    "copy: a status is": lambda: Call(ROUTINES["copy"], (PLACE, PLACE, N), target=I),
    "det: a status is": lambda: Call(ROUTINES["det"], (N, N, PLACE, PLACE), target=I),
    "sort: workspace or none": lambda: Call(ROUTINES["sort"], (N, N, PLACE)),
    "roworder is not measured": lambda: Measure(I, ROUTINES["roworder"], "float64", (N, N)),
    "sort takes 2 integers": lambda: Measure(I, ROUTINES["sort"], "float64", (N,)),
    "copy takes no epilogue": lambda: epilogue("copy", "independent"),
    "rows of an epilogue": lambda: epilogue("correlate", "simd"),
    "rows count from 0": lambda: epilogue("correlate", "independent", 1),
    "only outputs": lambda: Allocate(X, (N,)),
}


@pytest.mark.parametrize("message", WRONG)
def test_refused(message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WRONG[message]()


def test_literals_are_equal_where_they_are_the_same_constant() -> None:
    assert Literal(math.nan, "float32") == Literal(math.nan, "float32")
    assert Literal(0.0, "float32") != Literal(-0.0, "float32")
    assert Literal(1.0, "float32") != Literal(1.0, "float64")
    assert Literal(1, "int8") != Literal(True, "bool")
    assert len({Literal(math.nan, "float32"), Literal(math.nan, "float32")}) == 1


def test_names_are_identifiers_and_unique() -> None:
    names = Names()
    given = [names.fresh(w) for w in ("x", "x", "x_2", "2d", "for", "", "a.b c", "st_fail", "ü")]
    assert given[:2] == ["x", "x_2"]
    assert len(set(given)) == len(given)
    assert all(name.isidentifier() and name.isascii() for name in given)
    assert "for" not in given
    assert not any(name.startswith("st_") for name in given)


def test_builder_writes_into_the_open_block() -> None:
    b = Builder()
    view = View.contiguous(X, (N,))
    total = b.declare("total", Literal(0.0, "float32"))
    with b.loop("i", N, kind="simd", reductions=((total, "add"),)) as i:
        b.assign(total, b.let("add", "float32", [total, b.load(view, [i])]))
    declare, loop = b.statements()
    assert isinstance(declare, Declare)
    assert isinstance(loop, For)
    assert [type(s) for s in loop.body] == [Load, Let, Assign]
    assert loop.reductions == ((total, "add"),)


def test_builder_folds_casts_of_literals() -> None:
    b = Builder()
    assert b.cast(Literal(2.5, "float64"), "int8") == Literal(2, "int8")
    assert b.cast(Literal(-1, "int64"), "uint8") == Literal(255, "uint8")
    assert b.cast(ONE, "float64") is ONE
    assert b.statements() == ()


def test_builder_gives_indices_as_operands() -> None:
    b = Builder()
    assert b.operand(3) == Literal(3, "int64")
    assert b.operand(N) == Value("n", "int64")
    product = b.operand(N * N)
    assert b.statements() == (LetIndex(product, N * N),) if isinstance(product, Value) else False


def test_branch() -> None:
    b = Builder()
    with b.branch(Literal(True, "bool")):
        b.declare("x", ONE)
    (branch,) = b.statements()
    assert isinstance(branch, If)
    assert len(branch.then) == 1

"""Nodes reject fields without a meaning."""

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
    Call,
    Check,
    Declare,
    For,
    If,
    Index,
    LetIndex,
    Literal,
    Load,
    Measure,
    Store,
    Value,
    While,
)
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

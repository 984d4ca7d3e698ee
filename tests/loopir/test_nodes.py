"""Nodes reject fields without a meaning."""

from __future__ import annotations

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
    Leave,
    LetIndex,
    Literal,
    Load,
    Measure,
    Store,
    Swap,
    Value,
    While,
)
from symtheano.loopir.operands import Address
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
    "an index is int64": lambda: LetIndex(Value("x", "int32"), N),
    "load of x": lambda: Load(Value("v", "float64"), X, ZERO),
    "store to x": lambda: Store(X, ZERO, ONE),
    "a: dtype": lambda: Declare(Value("a", "int8"), ONE),
    "x is memory, not a name": lambda: Swap(X, X),
    "b: dtype": lambda: Assign(Value("b", "int8"), ONE),
    "a loop index is int64": lambda: For(Value("i", "int32"), ZERO, N, ()),
    "length of an unrolled loop": lambda: For(I, ZERO, N, (), "unrolled"),
    "step is not zero": lambda: For(I, ZERO, N, (), step=0),
    "only simd and lane loops reduce": lambda: For(I, ZERO, N, (), reductions=((I, "add"),)),
    "only parallel loops": lambda: For(I, ZERO, N, (), worker=Value("w", "int64")),
    "a condition is bool": lambda: If(ONE, ()),
    "condition is bool": lambda: While((), ONE, ()),
    "is bool|leave": lambda: Leave(ONE),
    "is bool": lambda: Check(ONE, "shape", 1),
    "at most 24": lambda: Check(Literal(True, "bool"), "shape", 1, (N,) * 25),
    "gemm takes 13 arguments": lambda: Call(ROUTINES["gemm"], (False,)),
    "copy: a status is": lambda: Call(ROUTINES["copy"], (PLACE, PLACE, N), target=I),
    "det: a status is": lambda: Call(ROUTINES["det"], (N, N, PLACE, PLACE), target=I),
    "sort: workspace or none": lambda: Call(ROUTINES["sort"], (N, N, PLACE)),
    "copy needs no workspace": lambda: Measure(I, ROUTINES["copy"], "float64", (N,)),
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

"""Dialects: what a text can say, and what it lacks."""

from __future__ import annotations

import pytest

from symtheano.dataclass import replace
from symtheano.dtypes import ALL
from symtheano.loopir import Buffer, For, Index, Kernel, Let, Literal, Load, Program, Store, Value
from symtheano.loopir.dialect import ADVICE, ONLY_PASSES, Dialect
from symtheano.loopir.memory import MEMORIES
from symtheano.loopir.nodes import Statement
from symtheano.loopir.verify import VerificationError, verify

ZERO, ONE = Index.of(0), Literal(1.0, "float64")
HALF, X = (Buffer(name, dtype, "input", Index.of(4), k)
           for k, (name, dtype) in enumerate((("half", "float16"), ("x", "float64"))))  # fmt: skip
COUNTER, V, W = Value("i", "int64"), Value("v", "float64"), Value("w", "float64x4")

LACKS: list[tuple[Statement, str]] = [
    (Kernel("k", "", ()), "the statement Kernel"),
    (For(COUNTER, ZERO, ZERO, (), "simd"), "loops of the kind simd"),
    (For(COUNTER, ZERO, Index.of(4), (Let(V, "neg", (ONE,)),), "lane"), "loops of the kind lane"),
    (Load(Value("h", "float32"), HALF, ZERO), "float16 in memory as float32"),
    (Store(HALF, ZERO, Literal(1.0, "float32")), "float16 in memory as float32"),
    (Store(Buffer("s", "float64", "shared", Index.of(4)), ZERO, ONE), "shared memory"),
    (Load(W, X, ZERO), "values of dtype float64x4"),
]


def program(statement: Statement) -> Program:
    return Program("f", (HALF, X), (("",), ("",)), (), (statement,))


@pytest.mark.parametrize(("statement", "lack"), LACKS)
def test_what_a_plain_text_lacks(statement: Statement, lack: str) -> None:
    assert [*Dialect().lacks(program(statement))] == [lack]


def test_a_dialect_can_say_what_it_has() -> None:
    loops = frozenset(("simd", "lane"))
    memories = frozenset(MEMORIES.values())
    wide = Dialect(loops=loops, memories=memories, vectors=True, converts=True)
    assert [lack for s, _ in LACKS[1:] for lack in wide.lacks(program(s))] == []
    narrow = replace(wide, dtypes=frozenset(ALL) - {"float64"})
    assert "values of dtype float64" in [*narrow.lacks(program(LACKS[2][0]))]
    verify(program(Load(W, X, ZERO)), wide)
    with pytest.raises(VerificationError, match="the text can't say values of dtype float64x4"):
        verify(program(Load(W, X, ZERO)), Dialect())


def test_advice_is_something_that_can_be_said() -> None:
    assert Dialect().statements >= ADVICE
    assert ONLY_PASSES.isdisjoint(Dialect().statements)

"""Operands reject fields without a meaning, and are equal where they are the same constant."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from symtheano.loopir import Buffer, Index, Literal, Value

N = Index.symbol("n")

WRONG: dict[str, Callable[[], object]] = {
    "is not an identifier": lambda: Value("2x", "float32"),
    "is not a dtype": lambda: Value("x", "float33"),
    "not an index": lambda: Value("x", "float32").index,
    "have a position": lambda: Buffer("x", "float32", "input", N),
    "other buffers none": lambda: Buffer("x", "float32", "arena", N, 1),
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

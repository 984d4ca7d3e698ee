"""Loops of the user's program wait for fewer operations."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.passes.recurrences import recurrences
from symtheano.codegen.processors import CPU
from symtheano.loopir import Assign, For, Index, Let, Literal, Statement, Value
from tests.support.naive_programs import program, program_context

A, B, C, D = (Value(name, "float64") for name in "abcd")
HALF = Literal(0.5, "float64")


def number(value: float) -> Literal:
    return Literal(value, "float64")


def shortened(*body: Statement) -> list[tuple[str, tuple[Value | Literal, ...]]]:
    """Return the operations of a loop after the pass."""
    loop = For(Value("i", "int64"), Index.of(0), Index.symbol("n"), body)
    (after,) = recurrences(program(loop), CPU, program_context()).body
    assert isinstance(after, For)
    return [(s.op, s.arguments) for s in after.body if isinstance(s, Let)]


def test_a_product_with_a_power_of_two_is_added_at_once() -> None:
    product = Let(C, "mul", (A, HALF))
    assert shortened(product, Let(D, "add", (C, B))) == [("plus_product", (B, A, HALF))]
    assert shortened(product, Let(D, "add", (B, C))) == [("plus_product", (B, A, HALF))]
    assert shortened(product, Let(D, "sub", (B, C))) == [("plus_product", (B, A, number(-0.5)))]


@pytest.mark.parametrize(
    "body",
    [
        [Let(C, "mul", (A, HALF)), Let(D, "sub", (C, B))],
        [Let(C, "mul", (A, number(0.3))), Let(D, "add", (C, B))],
        [Let(C, "mul", (A, number(2.0))), Let(D, "add", (C, B))],
        [Let(C, "mul", (A, number(0.0))), Let(D, "add", (C, B))],
        [Let(C, "mul", (A, number(float("nan")))), Let(D, "add", (C, B))],
        [Let(C, "mul", (A, HALF)), Let(D, "add", (C, C))],
        [Let(C, "mul", (A, HALF)), Let(D, "add", (C, B)), Let(B, "exp", (C,))],
    ],
    ids=["subtracted from", "rounded", "may overflow", "zero", "nan", "twice", "used elsewhere"],
)
def test_other_products_stay(body: list[Let]) -> None:
    assert shortened(*body) == [(s.op, s.arguments) for s in body]


def test_a_factor_that_changes_before_the_sum_stays() -> None:
    product, change = Let(C, "mul", (A, HALF)), Assign(A, B)
    assert [op for op, _ in shortened(product, change, Let(D, "add", (C, B)))] == ["mul", "add"]
    assert [op for op, _ in shortened(product, Let(D, "add", (C, B)), change)] == ["plus_product"]


def test_divisions_by_known_numbers_are_products() -> None:
    assert [op for op, _ in shortened(Let(C, "true_div", (A, number(3.0))))] == ["quotient"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_are_those_of_numpy(dtype: str) -> None:
    x, a = T.scalar("x", dtype), T.scalar("a", dtype)
    half, third, small = (np.asarray(k, dtype) for k in (0.5, 3, 0.001))
    states, _ = scan(
        lambda x: half * (x + a / x) - small * x / third, outputs_info=[x], n_steps=200
    )
    got = function([x, a], states)(np.asarray(3, dtype), np.asarray(2, dtype))
    value, known = np.asarray(3, dtype), np.asarray(2, dtype)
    for state in got:
        value = half * (value + known / value) - small * value / third
        assert state == value

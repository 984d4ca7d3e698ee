"""Exponentials and logarithms, by values and inverses."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from symtheano.scalar import exponential
from tests.scalar.numbers import value_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exp", math.exp),
        ("exp2", lambda x: 2.0**x),
        ("expm1", math.expm1),
        ("log", math.log),
        ("log2", math.log2),
        ("log10", math.log10),
        ("log1p", math.log1p),
        ("sigmoid", lambda x: 1 / (1 + math.exp(-x))),
        ("softplus", lambda x: math.log1p(math.exp(x))),
        ("softsign", lambda x: x / (1 + abs(x))),
    ],
)
def test_values(name: str, expected: Callable[[float], float]) -> None:
    for x in (1e-9, 0.2, 1.0, 3.5, 20.0):
        found = value_of(getattr(exponential, name), x)
        assert found == pytest.approx(expected(x), rel=1e-14)


def test_sums_of_exponentials_do_not_overflow() -> None:
    assert value_of(exponential.logaddexp, 1000.0, 1000.0) == 1000 + math.log(2)
    assert value_of(exponential.logaddexp, -1000.0, -1001.0) == pytest.approx(
        -1000 + math.log1p(math.exp(-1)), rel=1e-15
    )
    assert value_of(exponential.logaddexp, -math.inf, -math.inf) == -math.inf
    assert value_of(exponential.softplus, 1000.0) == 1000


def test_saturation() -> None:
    assert value_of(exponential.sigmoid, 800.0) == 1
    assert value_of(exponential.sigmoid, -740.0) > 0
    assert value_of(exponential.sigmoid, -math.inf) == 0
    assert value_of(exponential.exp, -math.inf) == 0
    assert value_of(exponential.log, 0.0) == -math.inf
    assert math.isnan(value_of(exponential.log, -1.0))


def test_complex_numbers() -> None:
    assert value_of(exponential.exp, math.pi * 1j, dtype="complex128") == pytest.approx(-1)
    assert value_of(exponential.log, -1, dtype="complex128") == pytest.approx(math.pi * 1j)
    tiny = 1e-20 + 1e-20j
    for name in ("expm1", "log1p"):
        assert value_of(getattr(exponential, name), tiny, dtype="complex128") == pytest.approx(tiny)

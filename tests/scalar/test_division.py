"""Quotients and remainders: signs, zeros, infinities."""

from __future__ import annotations

import itertools
import math

import pytest

from symtheano.scalar.division import fmod, int_div, mod, reciprocal, true_div
from symtheano.scalar.row import ScalarOp
from tests.scalar.numbers import value_of

NUMBERS = (-7, -2, -1, 1, 2, 7)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float64"])
def test_quotients_are_rounded_down_and_remainders_have_the_sign_of_the_divisor(dtype: str) -> None:
    for a, b in itertools.product((*NUMBERS, 0), NUMBERS):
        assert value_of(int_div, a, b, dtype=dtype) == a // b
        assert value_of(mod, a, b, dtype=dtype) == a % b
        assert value_of(fmod, a, b, dtype=dtype) == math.fmod(a, b)


def test_integers_divided_by_zero_are_zero() -> None:
    for row in (int_div, mod, fmod):
        assert value_of(row, 5, 0, dtype="int32") == 0
        assert value_of(row, 5, 0, dtype="uint8") == 0
    assert value_of(int_div, -128, -1, dtype="int8") == -128


def test_floats_divided_by_zero_are_not() -> None:
    assert value_of(true_div, 1.0, -0.0) == value_of(int_div, 1.0, -0.0) == -math.inf
    assert math.isnan(value_of(true_div, 0.0, 0.0))
    assert all(math.isnan(value_of(row, 1.0, 0.0)) for row in (mod, fmod))
    assert value_of(reciprocal, -0.0) == -math.inf


def test_zeros_have_signs() -> None:
    assert math.copysign(1, value_of(mod, -4.0, 2.0)) == 1
    assert math.copysign(1, value_of(mod, 4.0, -2.0)) == -1
    assert math.copysign(1, value_of(fmod, -4.0, 2.0)) == -1
    assert math.copysign(1, value_of(int_div, -0.0, 2.0)) == -1


@pytest.mark.parametrize("row", [int_div, mod, fmod], ids=str)
def test_bools_are_numbers_and_complex_numbers_are_refused(row: ScalarOp) -> None:
    assert row.signature(("bool", "bool")).result == "int8"
    with pytest.raises(TypeError, match="defined"):
        row.signature(("complex64", "complex64"))


def test_complex_quotients_do_not_overflow() -> None:
    huge = 1e300
    assert value_of(true_div, complex(huge, huge), complex(huge, huge), dtype="complex128") == 1
    assert value_of(reciprocal, 3 - 4j, dtype="complex128") == pytest.approx(0.12 + 0.16j)


def test_quotients_of_integers_are_floats() -> None:
    assert (value_of(true_div, 1, 4, dtype="int64"), value_of(reciprocal, 4, dtype="int64")) == (
        0.25,
        0.25,
    )

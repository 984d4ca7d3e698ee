"""Rounding of halves, neighbors of floats, and the unit step."""

from __future__ import annotations

import math
import sys

import pytest

from symtheano.scalar import rounding
from tests.scalar.numbers import value_of

HALVES = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ceil", [-2, -1, 0, 1, 2, 3]),
        ("floor", [-3, -2, -1, 0, 1, 2]),
        ("trunc", [-2, -1, 0, 0, 1, 2]),
        ("round_half_to_even", [-2, -2, 0, 0, 2, 2]),
        ("round_half_away_from_zero", [-3, -2, -1, 1, 2, 3]),
        ("iround", [-2, -2, 0, 0, 2, 2]),
    ],
)
def test_halves(name: str, expected: list[int]) -> None:
    row = getattr(rounding, name)
    assert [value_of(row, x) for x in HALVES] == expected
    assert value_of(row, 7, dtype="int8") == 7


def test_numbers_just_below_one_half_are_rounded_to_zero() -> None:
    almost = math.nextafter(0.5, 0)
    for sign in (1, -1):
        assert value_of(rounding.round_half_away_from_zero, sign * almost) == 0
    assert value_of(rounding.round_half_away_from_zero, 2.0**52 + 1) == 2.0**52 + 1


def test_zeros_keep_their_signs() -> None:
    for row in (rounding.ceil, rounding.trunc, rounding.round_half_to_even):
        assert math.copysign(1, value_of(row, -0.25)) == -1


def test_neighbors() -> None:
    epsilon = sys.float_info.epsilon
    assert value_of(rounding.nextafter, 1.0, 2.0) == 1 + epsilon
    assert value_of(rounding.nextafter, 1.0, 1.0) == 1
    assert [value_of(rounding.spacing, x) for x in (1.0, -1.0)] == [epsilon, -epsilon]
    with pytest.raises(TypeError, match="float16"):
        rounding.spacing.signature(("float16",))


def test_unit_step() -> None:
    assert [value_of(rounding.heaviside, x, 0.5) for x in (-1.0, -0.0, 0.0, 2.0)] == [
        0,
        0.5,
        0.5,
        1,
    ]
    assert math.isnan(value_of(rounding.heaviside, math.nan, 0.5))

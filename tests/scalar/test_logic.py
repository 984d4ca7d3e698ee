"""Bits, shifts, and truth values."""

from __future__ import annotations

import itertools

import pytest

from symtheano.scalar import logic
from tests.scalar.numbers import value_of


def test_bits_are_those_of_python() -> None:
    for a, b in itertools.product((-128, -5, -1, 0, 1, 6, 127), repeat=2):
        found = [value_of(row, a, b, dtype="int8") for row in (logic.and_, logic.or_, logic.xor)]
        assert found == [a & b, a | b, a ^ b]
        assert value_of(logic.invert, a, dtype="int8") == ~a
        assert value_of(logic.bitwise_count, a, dtype="int8") == abs(a).bit_count()


def test_shifts_of_the_width_or_more_lose_all_bits() -> None:
    for count in (8, 100, -1):
        assert value_of(logic.left_shift, 3, count, dtype="int8") == 0
        assert value_of(logic.right_shift, 3, count, dtype="int8") == 0
        assert value_of(logic.right_shift, -3, count, dtype="int8") == -1
    assert value_of(logic.left_shift, 65, 1, dtype="int8") == -126
    assert value_of(logic.right_shift, -5, 1, dtype="int8") == -3
    with pytest.raises(TypeError, match="defined"):
        logic.left_shift.signature(("float32", "int8"))


def test_truth_values() -> None:
    for a, b in itertools.product((0.0, -2.0, float("nan")), repeat=2):
        assert value_of(logic.logical_and, a, b) is (bool(a) and bool(b))
        assert value_of(logic.logical_or, a, b) is (bool(a) or bool(b))
        assert value_of(logic.logical_xor, a, b) is (bool(a) != bool(b))
        assert value_of(logic.logical_not, a) is not bool(a)
    assert logic.invert.evaluate([True], ("bool",)).item() is False

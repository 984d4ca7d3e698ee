"""Comparisons, extrema and predicates, with nan, infinities and complex numbers."""

from __future__ import annotations

import math
import operator

import pytest

from symtheano.scalar import comparison
from symtheano.scalar.row import ScalarOp
from tests.scalar.numbers import value_of

NAN = math.nan


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "neq"])
def test_comparisons_are_those_of_python(name: str) -> None:
    row, expected = getattr(comparison, name), getattr(operator, name.replace("neq", "ne"))
    numbers = (-math.inf, -1.0, -0.0, 0.0, 2.0, math.inf, NAN)
    for a in numbers:
        for b in numbers:
            assert value_of(row, a, b) is expected(a, b)


def test_complex_numbers_are_ordered_by_their_real_parts_first() -> None:
    pairs = [(1 + 2j, 1 + 3j), (1 + 9j, 2 - 9j)]
    for a, b in pairs:
        assert value_of(comparison.lt, a, b, dtype="complex128") is True
        assert value_of(comparison.ge, a, b, dtype="complex128") is False
        assert value_of(comparison.maximum, a, b, dtype="complex128") == b
        assert value_of(comparison.fmin, a, b, dtype="complex128") == a


@pytest.mark.parametrize(
    ("row", "larger", "ignores_nan"),
    [
        (comparison.maximum, True, False),
        (comparison.minimum, False, False),
        (comparison.fmax, True, True),
        (comparison.fmin, False, True),
    ],
    ids=str,
)
def test_extrema(row: ScalarOp, larger: bool, ignores_nan: bool) -> None:
    assert value_of(row, 2.0, -3.0) == (2 if larger else -3)
    for operands in ((NAN, 1.0), (1.0, NAN)):
        found = value_of(row, *operands)
        assert found == 1 if ignores_nan else math.isnan(found)
    assert math.isnan(value_of(row, NAN, NAN))


def test_predicates() -> None:
    numbers = (NAN, math.inf, -math.inf, 0.0)
    assert [value_of(comparison.isnan, x) for x in numbers] == [True, False, False, False]
    assert [value_of(comparison.isinf, x) for x in numbers] == [False, True, True, False]
    assert [value_of(comparison.isfinite, x) for x in numbers] == [False, False, False, True]
    for part in (complex(NAN, math.inf), complex(math.inf, NAN)):
        assert value_of(comparison.isnan, part, dtype="complex128") is True
        assert value_of(comparison.isinf, part, dtype="complex128") is True
        assert value_of(comparison.isfinite, part, dtype="complex128") is False
    assert value_of(comparison.isfinite, 7, dtype="int8") is True
    assert [value_of(comparison.signbit, x) for x in (-0.0, 0.0)] == [True, False]

"""Rows of generated code: extrema in two parts, lengths, and changes of values."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from symtheano.scalar import loops
from tests.scalar.numbers import value_of


def test_extrema_keep_nan_only_in_the_first_operand() -> None:
    assert (value_of(loops.larger, 1.0, 2.0), value_of(loops.smaller, 1.0, 2.0)) == (2, 1)
    for row in (loops.larger, loops.smaller):
        assert value_of(row, 1.0, math.nan) == 1
        assert math.isnan(value_of(row, math.nan, 1.0))
    assert value_of(loops.nan_or, 1.0, 2.0) == 1
    assert math.isnan(value_of(loops.nan_or, 1.0, math.nan))


def test_two_values_are_a_maximum_that_propagates_nan() -> None:
    for values in ([1.0, math.nan, 3.0], [2.0, -1.0], [math.nan, 0.0]):
        largest, nan = -math.inf, 0.0
        for x in values:
            largest, nan = value_of(loops.larger, largest, x), value_of(loops.nan_or, nan, x)
        np.testing.assert_equal(nan if math.isnan(nan) else largest, np.max(values))


def test_products() -> None:
    assert value_of(loops.scaled, 1e-300, 1e200, 1e200) == pytest.approx(1e100)
    assert value_of(loops.plus_product, 1.0, 2.0, 3.0) == 7
    assert value_of(loops.quotient, 1.0, 4.0, 0.25, 0.0) == 0.25


def test_lengths_are_divided_towards_zero() -> None:
    for a in (-7, -6, 0, 5, 9):
        quotient, rest = (
            value_of(row, a, 3, dtype="int64") for row in (loops.trunc_div, loops.trunc_mod)
        )
        assert quotient == math.trunc(a / 3)
        assert 3 * quotient + rest == a


def test_places_are_divided_by_lengths() -> None:
    assert value_of(loops.place_div, 2**62 + 7, 8, dtype="int64") == 2**59
    assert value_of(loops.place_div, 7, 8, dtype="int64") == 0


def test_changed_bits() -> None:
    assert value_of(loops.changed, 0.0, -0.0) == 1 << 63
    assert value_of(loops.changed, math.nan, math.nan) == 0
    one, two = (struct.unpack("<I", struct.pack("<f", x))[0] for x in (1.0, 2.0))
    found = loops.changed.evaluate([1.0, 2.0], ("float32", "float32"))
    assert (found.item(), found.dtype) == (one ^ two, np.dtype("uint32"))
    with pytest.raises(TypeError, match="float16"):
        loops.changed.signature(("float16", "float16"))

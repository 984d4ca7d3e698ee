"""Rows that choose or pass on, and gradients that stop at what was not chosen."""

from __future__ import annotations

import math

import numpy as np

import symtheano.tensor as T
from symtheano.scalar import selection
from symtheano.scalar.row import Signature
from tests.scalar.numbers import value_of
from tests.support.compare import ORACLE


def test_switch() -> None:
    found = selection.switch.evaluate([[2, 0], 1, 0.5], ("int8", "int8", "float32"))
    assert found.tolist() == [1, 0.5]
    assert selection.switch.signature(("int8", "int8", "float32")) == Signature(
        ("bool", "float32", "float32"), "float32"
    )


def test_clip() -> None:
    assert [value_of(selection.clip, x, -1.0, 1.0) for x in (-2.0, 0.5, 9.0)] == [-1, 0.5, 1]
    assert value_of(selection.clip, 0.0, 3.0, 1.0) == 1  # the upper end is stronger
    assert math.isnan(value_of(selection.clip, math.nan, 0.0, 1.0))
    assert math.isnan(value_of(selection.clip, 0.0, math.nan, 1.0))


def test_masked_gradients_are_zero_even_where_they_are_infinite() -> None:
    g = T.dvector("g")
    condition = T.gt(g, 0)
    found = selection.masked(condition, g).eval({g: [-math.inf, math.nan, 2.0]}, mode=ORACLE)
    np.testing.assert_array_equal(found, [0, 0, 2])


def test_values_are_passed_on() -> None:
    found = selection.second.evaluate([np.zeros((2, 3)), np.float32(7)], ("float64", "float32"))
    assert (found.shape, found.dtype, set(found.flat)) == ((2, 3), np.dtype("float32"), {7})
    x = np.arange(3)
    copy = selection.identity.numpy(x)
    assert copy.tolist() == x.tolist()
    assert copy is not x

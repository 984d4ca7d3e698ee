"""Trigonometric and hyperbolic functions, against Python's and their inverses."""

from __future__ import annotations

import cmath
import math

import pytest

from symtheano.scalar import trigonometric
from tests.scalar.numbers import value_of

IN_PYTHON = {"sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos",
             "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh",
             "arccosh": "acosh", "arctanh": "atanh"}  # fmt: skip


@pytest.mark.parametrize("name", IN_PYTHON)
def test_values(name: str) -> None:
    row, python = getattr(trigonometric, name), IN_PYTHON[name]
    assert python in (row.name, *row.aliases)
    for x in (-0.9, -0.3, 1e-8, 0.5):
        x = x + 2 if name == "arccosh" else x
        assert value_of(row, x) == pytest.approx(getattr(math, python)(x), rel=1e-14)
        z = complex(x, 0.25)
        found = value_of(row, z, dtype="complex128")
        assert found == pytest.approx(getattr(cmath, python)(z), rel=1e-12)


def test_outside_of_domains() -> None:
    for name in ("arcsin", "arccos", "arctanh"):
        assert math.isnan(value_of(getattr(trigonometric, name), 1.5))
    assert math.isnan(value_of(trigonometric.arccosh, 0.5))
    assert value_of(trigonometric.arctanh, -1.0) == -math.inf
    assert [value_of(trigonometric.tanh, x) for x in (-1e3, 1e3)] == [-1, 1]


def test_angles_of_points() -> None:
    for y, x in ((0.0, -1.0), (-0.0, -1.0), (1.0, 0.0), (-2.0, -3.0), (0.0, 0.0)):
        assert value_of(trigonometric.arctan2, y, x) == pytest.approx(math.atan2(y, x), rel=1e-15)


def test_degrees() -> None:
    assert value_of(trigonometric.deg2rad, 180.0) == math.pi
    assert value_of(trigonometric.rad2deg, math.pi / 2) == pytest.approx(90, rel=1e-15)

"""The normal distribution, against the error function and its own inverses."""

from __future__ import annotations

import math

import pytest

from symtheano.scalar import normal
from tests.scalar.numbers import slope_of, value_of


@pytest.mark.parametrize("x", [-3.0, -0.5, 0.0, 2.0])
def test_probabilities(x: float) -> None:
    expected = math.erfc(-x / math.sqrt(2)) / 2
    assert value_of(normal.ndtr, x) == pytest.approx(expected, rel=1e-14)
    assert value_of(normal.log_ndtr, x) == pytest.approx(math.log(expected), rel=1e-13)
    assert value_of(normal.ndtri, expected) == pytest.approx(x, abs=1e-13)
    bell = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    assert slope_of(normal.ndtr, x) == pytest.approx(bell, rel=1e-9)


def test_logarithms_of_probabilities_that_are_zero_in_floats() -> None:
    """The first two terms of the asymptotic series: Abramowitz and Stegun, 26.2.12."""
    x = -1e4
    expected = -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi)) - 1 / (x * x)
    assert value_of(normal.log_ndtr, x) == pytest.approx(expected, rel=1e-15)
    assert [value_of(normal.ndtri, p) for p in (0.0, 1.0)] == [-math.inf, math.inf]


def test_owens_function() -> None:
    """Owen, Annals of Mathematical Statistics 27 (1956): its values at h = 0 and a = 1."""
    assert value_of(normal.owens_t, 0.0, 0.7) == pytest.approx(
        math.atan(0.7) / (2 * math.pi), rel=1e-14
    )
    below = value_of(normal.ndtr, 0.8)
    assert value_of(normal.owens_t, 0.8, 1.0) == pytest.approx(below * (1 - below) / 2, rel=1e-13)

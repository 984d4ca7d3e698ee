"""Logarithms that stay accurate where what they are of is rounded."""

from __future__ import annotations

import math

import pytest

from symtheano.scalar.stable import log_erfc, logcosh
from tests.scalar.numbers import slope_of, value_of


@pytest.mark.parametrize("x", [1e-160, 1e-9, 0.5, 0.999999, 1.0, 3.0, 20.0])
def test_logarithm_of_cosh(x: float) -> None:
    near = x * x / 2 if x < 1e-4 else math.log(math.cosh(x))
    for argument in (x, -x):
        assert value_of(logcosh, argument) == pytest.approx(near, rel=1e-13, abs=0)


def test_large_arguments() -> None:
    assert value_of(logcosh, 1e300) == 1e300
    assert value_of(logcosh, 710.0) == pytest.approx(710 - math.log(2), rel=1e-15)
    x = 1e3
    expected = -x * x - math.log(x * math.sqrt(math.pi)) - 1 / (2 * x * x)
    assert value_of(log_erfc, x) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("x", [-3.0, -1e-9, 0.0, 0.7, 1.5, 5.0])
def test_logarithm_of_erfc(x: float) -> None:
    expected = math.log1p(-math.erf(x)) if x < 1 else math.log(math.erfc(x))
    assert value_of(log_erfc, x) == pytest.approx(expected, rel=1e-13)


def test_slopes() -> None:
    assert slope_of(logcosh, 0.4) == pytest.approx(math.tanh(0.4), rel=1e-9)
    bell = -2 / math.sqrt(math.pi) * math.exp(-0.25) / math.erfc(0.5)
    assert slope_of(log_erfc, 0.5) == pytest.approx(bell, rel=1e-9)

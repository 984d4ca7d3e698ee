"""Gauss' hypergeometric function, by its elementary cases."""

from __future__ import annotations

import math

import pytest

from symtheano.scalar.hypergeometric import hyp2f1
from tests.scalar.numbers import slope_of, value_of


@pytest.mark.parametrize("z", [-0.8, -0.1, 0.3, 0.7])
def test_elementary_cases(z: float) -> None:
    """Abramowitz and Stegun, 15.1.3, 15.1.8 and 15.1.5."""
    assert value_of(hyp2f1, 1.0, 1.0, 2.0, z) == pytest.approx(-math.log1p(-z) / z, rel=1e-12)
    assert value_of(hyp2f1, 1.7, 0.4, 0.4, z) == pytest.approx((1 - z) ** -1.7, rel=1e-12)
    assert value_of(hyp2f1, 0.5, 1.0, 1.5, -z * z) == pytest.approx(math.atan(z) / z, rel=1e-12)


def test_value_and_slope_at_zero() -> None:
    a, b, c = 0.7, 1.9, 2.3
    assert value_of(hyp2f1, a, b, c, 0.0) == 1
    assert slope_of(hyp2f1, a, b, c, 0.0, wanted=3) == pytest.approx(a * b / c, rel=1e-9)

"""Incomplete gamma and beta functions: elementary cases, complements, inverses."""

from __future__ import annotations

import math

import pytest

from symtheano.scalar import incomplete
from tests.scalar.numbers import value_of

POINTS = (0.2, 1.0, 3.5)


@pytest.mark.parametrize("x", POINTS)
def test_gamma_of_order_one_is_exponential(x: float) -> None:
    for name in ("gammaincc", "gammau"):
        assert value_of(getattr(incomplete, name), 1.0, x) == pytest.approx(math.exp(-x), rel=1e-13)
    assert value_of(incomplete.chi2sf, 2 * x, 2.0) == pytest.approx(math.exp(-x), rel=1e-13)
    assert value_of(incomplete.gammainc, 0.5, x) == pytest.approx(math.erf(math.sqrt(x)), rel=1e-13)


@pytest.mark.parametrize("x", POINTS)
@pytest.mark.parametrize("order", [0.4, 2.5])
def test_lower_and_upper_parts_of_gamma(order: float, x: float) -> None:
    lower, upper = (value_of(getattr(incomplete, n), order, x) for n in ("gammainc", "gammaincc"))
    assert lower + upper == pytest.approx(1, rel=1e-14)
    whole = math.gamma(order)
    assert value_of(incomplete.gammal, order, x) == pytest.approx(lower * whole, rel=1e-14)
    assert value_of(incomplete.gammau, order, x) == pytest.approx(upper * whole, rel=1e-14)
    assert value_of(incomplete.gammaincinv, order, lower) == pytest.approx(x, rel=1e-9)
    assert value_of(incomplete.gammainccinv, order, upper) == pytest.approx(x, rel=1e-9)


@pytest.mark.parametrize("x", [0.1, 0.5, 0.9])
def test_beta(x: float) -> None:
    assert value_of(incomplete.betainc, 1.0, 1.0, x) == pytest.approx(x, rel=1e-14)
    assert value_of(incomplete.betainc, 2.0, 1.0, x) == pytest.approx(x * x, rel=1e-14)
    below = value_of(incomplete.betainc, 0.7, 2.5, x)
    mirrored = value_of(incomplete.betaincc, 2.5, 0.7, 1 - x)
    assert mirrored == pytest.approx(below, rel=1e-12)
    assert value_of(incomplete.betaincc, 0.7, 2.5, x) == pytest.approx(1 - below, rel=1e-12)
    assert value_of(incomplete.betaincinv, 0.7, 2.5, below) == pytest.approx(x, rel=1e-10)

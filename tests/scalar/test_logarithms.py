"""Products with logarithms, entropies, and logarithms of shares."""

from __future__ import annotations

import math

import pytest

from symtheano.scalar import logarithms
from tests.scalar.numbers import value_of


def test_zero_times_a_logarithm_is_zero() -> None:
    assert value_of(logarithms.xlogy, 0.0, 0.0) == 0
    assert value_of(logarithms.xlog1py, 0.0, -1.0) == 0
    assert value_of(logarithms.xlogy, 2.0, 0.0) == -math.inf
    assert math.isnan(value_of(logarithms.xlogy, 0.0, math.nan))
    assert value_of(logarithms.xlogy, 3.0, 2.0) == pytest.approx(3 * math.log(2), rel=1e-15)
    assert value_of(logarithms.xlog1py, 3.0, 1e-20) == pytest.approx(3e-20, rel=1e-15)


def test_entropies() -> None:
    assert value_of(logarithms.entr, 0.5) == pytest.approx(0.5 * math.log(2), rel=1e-15)
    assert [value_of(logarithms.entr, x) for x in (0.0, 1.0, -1.0)] == [0, 0, -math.inf]
    relative = 2 * math.log(2 / 3)
    assert value_of(logarithms.rel_entr, 2.0, 3.0) == pytest.approx(relative, rel=1e-14)
    assert value_of(logarithms.kl_div, 2.0, 3.0) == pytest.approx(relative - 2 + 3, rel=1e-14)
    assert [value_of(logarithms.kl_div, *pair) for pair in ((0.0, 3.0), (1.0, 0.0))] == [
        3,
        math.inf,
    ]


def test_shares() -> None:
    assert [value_of(logarithms.logit, x) for x in (0.0, 0.5, 1.0)] == [-math.inf, 0, math.inf]
    assert value_of(logarithms.logit, 1e-300) == pytest.approx(-300 * math.log(10), rel=1e-14)
    for x in (-1e-18, -0.3, -2.0, -50.0):
        expected = math.log(-math.expm1(x))
        assert value_of(logarithms.log1mexp, x) == pytest.approx(expected, rel=1e-12)

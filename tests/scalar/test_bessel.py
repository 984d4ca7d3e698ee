"""Bessel functions: values at zero, recurrences, Wronskians."""

from __future__ import annotations

import math

import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import NullTypeGradError
from symtheano.scalar import bessel
from symtheano.scalar.row import ScalarOp
from tests.scalar.numbers import value_of

POINTS = (0.3, 1.0, 4.5, 9.0)


def test_values_at_zero() -> None:
    assert [value_of(row, 0.0) for row in (bessel.j0, bessel.i0, bessel.i0e)] == [1, 1, 1]
    assert [value_of(row, 0.0) for row in (bessel.j1, bessel.i1, bessel.i1e)] == [0, 0, 0]
    assert math.isinf(value_of(bessel.kv, 1.0, 0.0))


@pytest.mark.parametrize("x", POINTS)
def test_fixed_orders_are_those_of_any_order(x: float) -> None:
    for fixed, row, order in (
        (bessel.j0, bessel.jv, 0.0), (bessel.j1, bessel.jv, 1.0),
        (bessel.i0, bessel.iv, 0.0), (bessel.i1, bessel.iv, 1.0),
        (bessel.i0e, bessel.ive, 0.0), (bessel.i1e, bessel.ive, 1.0),
    ):  # fmt: skip
        assert value_of(fixed, x) == pytest.approx(value_of(row, order, x), rel=1e-12)


@pytest.mark.parametrize("x", POINTS)
@pytest.mark.parametrize("order", [0.5, 1.0, 2.7])
def test_recurrences(order: float, x: float) -> None:
    """Abramowitz and Stegun, 9.1.27 and 9.6.26."""
    for row, sign in ((bessel.jv, 1), (bessel.iv, -1), (bessel.kv, -1)):
        below, at, above = (value_of(row, order + step, x) for step in (-1, 0, 1))
        expected = 2 * order / x * at * (-1 if row is bessel.kv else 1)
        assert below + sign * above == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("x", POINTS)
def test_scaled_functions_and_the_wronskian(x: float) -> None:
    i, k = value_of(bessel.iv, 0.7, x), value_of(bessel.kv, 0.7, x)
    assert value_of(bessel.ive, 0.7, x) == pytest.approx(i * math.exp(-x), rel=1e-12)
    assert value_of(bessel.kve, 0.7, x) == pytest.approx(k * math.exp(x), rel=1e-12)
    above = value_of(bessel.iv, 1.7, x), value_of(bessel.kv, 1.7, x)
    assert i * above[1] + above[0] * k == pytest.approx(1 / x, rel=1e-11)


@pytest.mark.parametrize("row", [bessel.jv, bessel.iv, bessel.ive], ids=str)
def test_orders_have_no_derivative(row: ScalarOp) -> None:
    order, x = T.dscalar("order"), T.dscalar("x")
    with pytest.raises(NullTypeGradError, match=f"{row.name}.*order is not implemented"):
        grad(row(order, x), order)

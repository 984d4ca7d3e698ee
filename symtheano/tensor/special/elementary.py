"""Angles in degrees, and the functions of Huber."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.operands import float_operand


def cosm1(x: Any) -> Tensor:
    """Return ``cos(x) - 1`` without cancellation near 0.

    Examples
    --------
    >>> float(cosm1(1e-4).eval()) < 0
    True
    """
    return -2 * scalar.sqr(scalar.sin(float_operand(x) / 2))


def sindg(x: Any) -> Tensor:
    """Return the sine of angles in degrees.

    Examples
    --------
    >>> f"{sindg(30.0).eval():.4f}"
    '0.5000'
    """
    return _degrees(x)[0]


def cosdg(x: Any) -> Tensor:
    """Return the cosine of angles in degrees.

    Examples
    --------
    >>> f"{cosdg(60.0).eval():.4f}"
    '0.5000'
    """
    return _degrees(x)[1]


def tandg(x: Any) -> Tensor:
    """Return the tangent of angles in degrees.

    Examples
    --------
    >>> f"{tandg(45.0).eval():.4f}"
    '1.0000'
    """
    sine, cosine = _degrees(x)
    return sine / cosine


def _degrees(x: Any) -> tuple[Tensor, Tensor]:
    """Return the sine and the cosine of an angle in degrees, exact at multiples of 90."""
    x = scalar.mod(float_operand(x), 360.0)
    quarters = scalar.round_half_to_even(x / 90)
    rest = scalar.deg2rad(x - 90 * quarters)
    sine, cosine = scalar.sin(rest), scalar.cos(rest)
    odd = scalar.eq(scalar.mod(quarters, 2), 1)
    first = scalar.switch(odd, cosine, sine)
    second = scalar.switch(odd, sine, cosine)
    quarters = scalar.mod(quarters, 4)
    below = scalar.ge(quarters, 2)
    left = scalar.or_(scalar.eq(quarters, 1), scalar.eq(quarters, 2))
    return scalar.switch(below, -first, first), scalar.switch(left, -second, second)


def huber(delta: Any, r: Any) -> Tensor:
    """Return ``r**2 / 2`` up to ``delta``, and ``delta * (abs(r) - delta / 2)`` beyond.

    It is infinite for negative ``delta``.

    Examples
    --------
    >>> huber(1.0, [0.5, 3.0]).eval().tolist()
    [0.125, 2.5]
    """
    delta, r = float_operand(delta), float_operand(r)
    size = scalar.abs(r)
    beyond = delta * (size - delta / 2)
    value = scalar.switch(scalar.le(size, delta), scalar.sqr(r) / 2, beyond)
    return scalar.switch(scalar.lt(delta, 0), value.constant_like(math.inf), value)


def pseudo_huber(delta: Any, r: Any) -> Tensor:
    """Return ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``, a smooth :func:`huber`.

    Examples
    --------
    >>> pseudo_huber(1.0, [0.0]).eval().tolist()
    [0.0]
    """
    delta, r = float_operand(delta), float_operand(r)
    none = scalar.eq(delta, 0)
    quotient = r / scalar.switch(none, delta.constant_like(1), delta)
    # Neither a difference of numbers that are almost equal, nor the square of a large number.
    value = r * (r / (scalar.hypot(quotient.constant_like(1), quotient) + 1))
    value = scalar.switch(scalar.isinf(quotient), delta * scalar.abs(r), value)
    value = scalar.switch(none, value.constant_like(0), value)
    return scalar.switch(scalar.lt(delta, 0), value.constant_like(math.inf), value)

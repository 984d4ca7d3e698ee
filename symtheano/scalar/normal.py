"""The normal distribution: its probabilities, their logarithms and inverse, Owen's T function."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import row
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import special
from symtheano.scalar.exponential import exp
from symtheano.scalar.powers import sqr
from symtheano.scalar.row import Derivative, ScalarOp
from symtheano.scalar.special import erf, erfcx

_ROOT = math.sqrt(2 * math.pi)


def _bell(x: Any) -> Any:
    """Return the normal density."""
    return number(x, 1 / _ROOT) * exp(number(x, -0.5) * sqr(x))


def _function(name: str, derivative: Derivative, domain: tuple[float, float], doc: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=1,
        numpy=special(name),
        signature=row.floating_real,
        c={"f": "{x}({0}, 0)"},
        external=name,
        derivative=derivative,
        cost=60,
        domain=domain,
        doc=doc,
    )


ndtr = _function(
    "ndtr",
    lambda x, y: _bell(x),
    (-4.0, 4.0),
    "The probability that a standard normal variable is smaller.",
)
log_ndtr = _function(
    "log_ndtr",
    lambda x, y: number(x, math.sqrt(2 / math.pi)) / erfcx(number(x, -math.sqrt(0.5)) * x),
    (-9.0, 4.0),
    "The logarithm of ndtr(x), accurate for large negative x.",
)
ndtri = _function(
    "ndtri",
    lambda x, y: number(x, _ROOT) * exp(number(x, 0.5) * sqr(y)),
    (0.05, 0.95),
    "The inverse of ndtr.",
)


def _of_owens_t(g: Any, y: Any, h: Any, a: Any) -> tuple[Any, Any]:
    square, slope = number(h, -0.5) * sqr(h), 1 + sqr(a)
    by_h = exp(square) * erf(number(h, math.sqrt(0.5)) * a * h) * number(h, -0.5 / _ROOT)
    return g * by_h, g * exp(square * slope) / (number(h, 2 * math.pi) * slope)


owens_t = ScalarOp(
    name="owens_t",
    nin=2,
    numpy=special("owens_t"),
    signature=row.floating_real,
    c={"f": "{x}({0}, {1}, 0)"},
    external="owens_t",
    pullback=_of_owens_t,
    cost=150,
    domain=(-3.0, 3.0),
    doc="Owen's T function: the probability that x > h and 0 < y < a x for normal x and y.",
)

ROWS = (ndtr, log_ndtr, ndtri, owens_t)

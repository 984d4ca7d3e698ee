"""Circular and hyperbolic functions, their inverses, degrees and radians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import silently
from symtheano.scalar.powers import sqrt
from symtheano.scalar.row import Derivative, ScalarOp


def _function(
    name: str,
    in_c: str,
    derivative: Derivative,
    doc: str,
    domain: tuple[float, float] = (-10.0, 10.0),
    cost: int = 15,
) -> ScalarOp:
    """Return a row for the function ``name`` of NumPy, ``in_c`` in the C library."""
    return ScalarOp(
        name=name,
        nin=1,
        numpy=silently(getattr(np, name)),
        signature=row.floating,
        c={"f": f"{in_c}{{f}}({{0}})", "c": f"c{in_c}{{f}}({{0}})"},
        libm=(in_c, f"c{in_c}"),
        derivative=derivative,
        cost=cost,
        domain=domain,
        aliases=(in_c,) if in_c != name else (),
        doc=doc,
    )


sin = _function("sin", "sin", lambda x, y: cos(x), "The sine.", cost=12)
cos: ScalarOp = _function("cos", "cos", lambda x, y: -sin(x), "The cosine.", cost=12)
tan = _function("tan", "tan", lambda x, y: 1 + y * y, "The tangent.", (-1.4, 1.4))
arcsin = _function(
    "arcsin", "asin", lambda x, y: 1 / sqrt(1 - x * x), "The inverse of the sine.", (-0.99, 0.99)
)
arccos = _function(
    "arccos", "acos", lambda x, y: -1 / sqrt(1 - x * x), "The inverse of the cosine.", (-0.99, 0.99)
)
arctan = _function("arctan", "atan", lambda x, y: 1 / (1 + x * x), "The inverse of the tangent.")
sinh = _function("sinh", "sinh", lambda x, y: cosh(x), "The hyperbolic sine.")
cosh: ScalarOp = _function("cosh", "cosh", lambda x, y: sinh(x), "The hyperbolic cosine.")
tanh = _function("tanh", "tanh", lambda x, y: 1 - y * y, "The hyperbolic tangent.")
arcsinh = _function(
    "arcsinh",
    "asinh",
    lambda x, y: 1 / sqrt(1 + x * x),
    "The inverse of the hyperbolic sine.",
)
# Two roots instead of one of the product: the complex derivative then has the branch cut of the
# function.
arccosh = _function(
    "arccosh",
    "acosh",
    lambda x, y: 1 / (sqrt(x - 1) * sqrt(x + 1)),
    "The inverse of the hyperbolic cosine.",
    (1.01, 10.0),
)
arctanh = _function(
    "arctanh",
    "atanh",
    lambda x, y: 1 / (1 - x * x),
    "The inverse of the hyperbolic tangent.",
    (-0.99, 0.99),
)


def _of_arctan2(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    factor = g / (a * a + b * b)
    return b * factor, -a * factor


arctan2 = ScalarOp(
    name="arctan2",
    nin=2,
    numpy=silently(np.arctan2),
    signature=row.floating_real,
    c={"f": "atan2{f}({0}, {1})"},
    libm=("atan2",),
    pullback=_of_arctan2,
    cost=20,
    aliases=("atan2",),
    doc="The angle of the point (x, y), between -π and π; the first operand is y.",
)


def _scaling(name: str, ufunc: Any, to: str, per: str, doc: str, alias: str) -> ScalarOp:
    """Return a row that multiplies by a quotient, rounded in the operand's dtype as in NumPy."""
    return ScalarOp(
        name=name,
        nin=1,
        numpy=silently(ufunc),
        signature=row.floating_real,
        c={"f": f"{{0}} * (({{t}}){to} / ({{t}}){per})"},
        derivative=lambda x, y: number(x, float(to) / float(per)),
        aliases=(alias,),
        doc=doc,
    )


_PI = repr(math.pi)
deg2rad = _scaling(
    "deg2rad", np.deg2rad, _PI, "180", "An angle in degrees, converted to radians.", "radians"
)
rad2deg = _scaling(
    "rad2deg", np.rad2deg, "180", _PI, "An angle in radians, converted to degrees.", "degrees"
)

ROWS = (
    sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, tanh, arcsinh, arccosh, arctanh, arctan2,
    deg2rad, rad2deg,
)  # fmt: skip

"""Gauss' hypergeometric function."""

from __future__ import annotations

from typing import Any

from symtheano.scalar import row
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import special
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.slopes import hyp2f1_slope


def _of_hyp2f1(g: Any, y: Any, a: Any, b: Any, c: Any, z: Any) -> list[Any]:
    """Shift all parameters for z; for the parameters, differentiate the series."""
    parameters = [g * hyp2f1_slope(a, b, c, z, number(z, which)) for which in range(3)]
    return [*parameters, g * a * b / c * hyp2f1(a + 1, b + 1, c + 1, z)]


hyp2f1: ScalarOp = ScalarOp(
    name="hyp2f1",
    nin=4,
    numpy=special("hyp2f1"),
    signature=row.floating_real,
    c={"f": "{x}({0}, {1}, {2}, {3}, 0)"},
    external="hyp2f1",
    pullback=_of_hyp2f1,
    cost=500,
    domain=((0.3, 4.0), (0.3, 4.0), (0.5, 5.0), (-0.9, 0.9)),
    doc="Gauss' hypergeometric function of a, b, c and z.",
)

ROWS = (hyp2f1,)

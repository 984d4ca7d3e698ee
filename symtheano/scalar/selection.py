"""Rows that choose or pass on: switch, clip, fill, identity."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import row
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp, Signature

ANY = "biufc"
_EVERYWHERE = (-10.0, 10.0)


def _switch(operands: tuple[str, ...]) -> Signature:
    common = dtypes.upcast(*operands[1:])
    return Signature(("bool", common, common), common)


switch: ScalarOp = ScalarOp(
    name="switch",
    nin=3,
    numpy=np.where,
    signature=_switch,
    c={ANY: "{0} ? {1} : {2}"},
    pullback=lambda g, y, c, a, b: (None, masked(c, g), switch(c, number(g, 0), g)),
    domain=((0, 1), _EVERYWHERE, _EVERYWHERE),
    aliases=("where",),
    doc="The second operand where the first is true (not zero), else the third.",
)


def masked(condition: Any, gradient: Any) -> Any:
    """Return ``gradient`` where ``condition`` is true, else zero, even for inf and nan."""
    return switch(condition, gradient, number(gradient, 0))


clip = ScalarOp(
    name="clip",
    nin=3,
    numpy=silently(np.clip),
    signature=row.real,
    c={
        "biu": "{0} < {1} ? ({1} < {2} ? {1} : {2}) : ({0} < {2} ? {0} : {2})",
        "f": "st_clip_{d}({0}, {1}, {2})",
    },
    helpers={
        "f": """\
static inline {t} st_clip_{d}({t} x, {t} low, {t} high) {
    /* One instruction if the bounds are constants: it returns its last operand if one is NaN. */
    {t} raised = low > x || low != low ? low : x;
    return high < raised || high != high ? high : raised;
}
"""
    },
    pullback=lambda g, y, x, low, high: (
        masked((x >= low) & (x <= high), g),
        masked((x < low) & (low <= high), g),
        masked((x > high) | (low > high), g),
    ),
    cost=2,
    domain=(_EVERYWHERE, (-5.0, -1.0), (1.0, 5.0)),
    doc="The first operand, limited to the interval from the second to the third; nan propagates.",
)


def _second(operands: tuple[str, ...]) -> Signature:
    return Signature(operands, operands[1])


second = ScalarOp(
    name="second",
    nin=2,
    numpy=lambda model, value: np.broadcast_to(
        value, np.broadcast_shapes(np.shape(model), np.shape(value))
    ),
    signature=_second,
    c={ANY: "{1}"},
    pullback=lambda g, y, model, value: (None, g),
    cost=0,
    aliases=("fill",),
    doc="The second operand, broadcast to the common shape of both.",
)


def _identity(operands: tuple[str, ...]) -> Signature:
    return Signature(operands, operands[0])


identity = ScalarOp(
    name="identity",
    nin=1,
    numpy=np.array,
    signature=_identity,
    c={ANY: "{0}"},
    pullback=lambda g, y, x: (g,),
    cost=0,
    aliases=("tensor_copy",),
    doc="The operand itself.",
)

positive = ScalarOp(
    name="positive",
    nin=1,
    numpy=np.positive,
    signature=row.arithmetic_not_bool,
    c={"iufc": "{0}"},
    pullback=lambda g, y, x: (g,),
    symbol="+",
    cost=0,
    doc="The operand itself; not defined for bool.",
)


ROWS = (switch, clip, second, identity, positive)

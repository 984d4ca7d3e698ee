"""Rounding to integers, neighbors of floats, and the unit step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.dtypes import convert
from symtheano.scalar import row
from symtheano.scalar.calculus import flat
from symtheano.scalar.comparison import eq
from symtheano.scalar.conversion import conversion
from symtheano.scalar.evaluation import in_single, silently
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.selection import masked


def _half_away_from_zero(x: Any) -> Any:
    """Round; adding the float below one half avoids rounding up numbers just below one half."""
    return np.trunc(x + np.copysign(np.nextafter(x.dtype.type(0.5), x.dtype.type(0)), x))


_ALMOST_HALF = "(sizeof({t}) == 4 ? ({t})0x1.fffffep-2 : ({t})0x1.fffffffffffffp-2)"
_AWAY = f"__builtin_trunc{{f}}({{0}} + __builtin_copysign{{f}}({_ALMOST_HALF}, {{0}}))"


def _rounding(
    name: str, function: Callable[[Any], Any], expression: str, doc: str, *aliases: str
) -> ScalarOp:
    """Return a row that rounds floats and does not change integers and bools."""

    def numpy(x: Any) -> Any:
        return np.array(x) if x.dtype.kind in "biu" else function(x)

    return ScalarOp(
        name=name,
        nin=1,
        numpy=in_single(numpy),
        signature=row.real,
        c={"biu": "{0}", "f": expression},
        pullback=flat,
        cost=2,
        aliases=aliases,
        doc=doc,
    )


ceil = _rounding("ceil", np.ceil, "__builtin_ceil{f}({0})", "Rounded up.")
floor = _rounding("floor", np.floor, "__builtin_floor{f}({0})", "Rounded down.")
trunc = _rounding(
    "trunc", np.trunc, "__builtin_trunc{f}({0})", "The operand rounded towards zero.", "fix"
)
round_half_to_even = _rounding(
    "round_half_to_even",
    np.rint,
    "__builtin_rint{f}({0})",
    "The operand rounded to the nearest integer, halves to the even one.",
    "rint",
)
round_half_away_from_zero = _rounding(
    "round_half_away_from_zero",
    _half_away_from_zero,
    _AWAY,
    "The operand rounded to the nearest integer, halves away from zero.",
)


_TO_INT64, _HELPERS = conversion("int64")


def _iround_signature(operands: tuple[str, ...]) -> Signature:
    return Signature(row.real(operands).compute, "int64")


iround = ScalarOp(
    name="iround",
    nin=1,
    numpy=silently(lambda x: convert(x if x.dtype.kind in "biu" else np.rint(x), "int64")),
    signature=_iround_signature,
    c={"biu": "(int64_t){0}", "f": _TO_INT64["f"].replace("{0}", "__builtin_rint{f}({0})")},
    helpers=_HELPERS,
    cost=3,
    doc="The operand rounded to the nearest integer, halves to the even one, as int64.",
)


def _steps(operands: tuple[str, ...]) -> Signature:
    signature = row.floating_real(operands)
    if signature.result == "float16":
        raise TypeError("not defined for float16, which is computed in single precision")
    return signature


nextafter = ScalarOp(
    name="nextafter",
    nin=2,
    numpy=silently(np.nextafter),
    signature=_steps,
    c={"f": "nextafter{f}({0}, {1})"},
    libm=("nextafter",),
    pullback=lambda g, y, a, b: (g, None),
    cost=10,
    doc="The float next to the first operand in the direction of the second.",
)

spacing = ScalarOp(
    name="spacing",
    nin=1,
    numpy=silently(np.spacing),
    signature=_steps,
    c={"f": "nextafter{f}({0}, __builtin_copysign{f}(__builtin_inf{f}(), {0})) - {0}"},
    libm=("nextafter",),
    pullback=flat,
    cost=10,
    doc="The distance to the next float away from zero, with the operand's sign.",
)

heaviside = ScalarOp(
    name="heaviside",
    nin=2,
    numpy=silently(np.heaviside),
    signature=row.floating_real,
    c={"f": "{0} < 0 ? 0 : {0} > 0 ? 1 : {0} == 0 ? {1} : {0}"},
    pullback=lambda g, y, x, at_zero: (None, masked(eq(x, 0), g)),
    doc="0 for negative first operands, 1 for positive ones; at zero the second operand.",
)

ROWS = (
    ceil, floor, trunc, round_half_to_even, round_half_away_from_zero, iround, nextafter, spacing,
    heaviside,
)  # fmt: skip

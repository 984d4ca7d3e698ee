"""Rows that are only used in generated code: for extrema, products, lengths, and changes.

A maximum that propagates NaN needs two dependent comparisons per element. A kernel accumulates two
values instead, whose dependency chains have one instruction per element: the largest number, and
the last NaN, if any.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp, Signature

larger = ScalarOp(
    name="larger",
    nin=2,
    numpy=silently(lambda a, b: np.where(b > a, b, a)),
    signature=row.real,
    c={"biuf": "{1} > {0} ? {1} : {0}"},
    identity="min",
    doc="The larger operand; a nan only if it is the first.",
)

smaller = ScalarOp(
    name="smaller",
    nin=2,
    numpy=silently(lambda a, b: np.where(b < a, b, a)),
    signature=row.real,
    c={"biuf": "{1} < {0} ? {1} : {0}"},
    identity="max",
    doc="The smaller operand; a nan only if it is the first.",
)

nan_or = ScalarOp(
    name="nan_or",
    nin=2,
    numpy=silently(lambda a, b: np.where(b == b, a, b)),
    signature=row.floating_real,
    c={"f": "{1} != {1} ? {1} : {0}"},
    identity=0,
    doc="The second operand if it is a nan, else the first.",
)

scaled = ScalarOp(
    name="scaled",
    nin=3,
    numpy=silently(lambda x, scale, factor: x * scale * factor),
    signature=row.floating_real,
    c={"f": "{0} * {1} * {2}"},
    cost=2,
    doc="The product from left to right: that of the last two operands may overflow.",
)

plus_product = ScalarOp(
    name="plus_product",
    nin=3,
    numpy=silently(lambda total, x, y: total + x * y),
    signature=row.floating_real,
    c={"f": "st_plus_product_{d}({0}, {1}, {2})"},
    helpers={
        "f": """\
static inline {t} st_plus_product_{d}({t} total, {t} x, {t} y) {
#if defined __FMA__ || defined __ARM_FEATURE_FMA
    return __builtin_fma{f}(x, y, total);
#else
    return total + x * y;
#endif
}
"""
    },
    doc="The first operand plus the product of the others, rounded once where processors do so.",
)

place_div = ScalarOp(
    name="place_div",
    nin=2,
    numpy=silently(np.floor_divide),
    signature=row.integers,
    c={"i": "({t})((u{t}){0} / (u{t}){1})"},
    cost=4,
    doc="The whole quotient of a place, which is not negative, by a length, which is not 0.",
)

quotient = ScalarOp(
    name="quotient",
    nin=4,
    numpy=silently(lambda x, divisor, inverse, rest: x / divisor),
    signature=row.floating_real,
    c={"f": "st_quotient_{d}({0}, {1}, {2}, {3})"},
    helpers={
        "f": """\
static inline {t} st_quotient_{d}({t} x, {t} divisor, {t} inverse, {t} rest) {
#if defined __FMA__ || defined __ARM_FEATURE_FMA
    return __builtin_fma{f}(x, inverse, x * rest);
#else
    return x / divisor;
#endif
}
"""
    },
    cost=2,
    doc="The quotient of the first two operands; the others, added, are the divisor's inverse.",
)

trunc_div = ScalarOp(
    name="trunc_div",
    nin=2,
    numpy=silently(lambda a, b: np.sign(a) * (np.abs(a) // b)),
    signature=row.integers,
    c={"iu": "{0} / {1}"},
    cost=10,
    doc="The quotient of lengths, rounded towards zero; the divisor is positive.",
)

trunc_mod = ScalarOp(
    name="trunc_mod",
    nin=2,
    numpy=silently(np.fmod),
    signature=row.integers,
    c={"iu": "{0} % {1}"},
    cost=10,
    doc="The remainder of trunc_div.",
)


def _unsigned(operands: tuple[str, ...]) -> Signature:
    """Integers, bools, float32 and float64; the result is an unsigned integer of the same size."""
    common = row.real(operands).result
    if common == "float16":
        raise TypeError("not defined for float16, which C computes as float32")
    return Signature((common,) * len(operands), f"uint{8 * np.dtype(common).itemsize}")


def _changed(a: Any, b: Any) -> Any:
    bits = f"uint{8 * a.itemsize}"
    return a.view(bits) ^ b.view(bits)


changed = ScalarOp(
    name="changed",
    nin=2,
    numpy=_changed,
    signature=_unsigned,
    c={"biu": "{0} ^ {1}", "f": "st_changed_{d}({0}, {1})"},
    helpers={
        "f": """\
static inline {r} st_changed_{d}({t} x, {t} y) {
    {r} a, b;
    __builtin_memcpy(&a, &x, sizeof a);
    __builtin_memcpy(&b, &y, sizeof b);
    return a ^ b;
}
"""
    },
    doc="The bits that differ, as an unsigned integer: zero only if the values are the same.",
)

ROWS = (
    larger, smaller, nan_or, scaled, plus_product, place_div, quotient, trunc_div, trunc_mod,
    changed,
)  # fmt: skip

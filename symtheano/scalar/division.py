"""Division of every kind, with NumPy's rules for zeros, signs and infinities."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.calculus import flat
from symtheano.scalar.complexparts import conjugate
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp


def _of_true_div(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    quotient = g / conjugate(b)
    return quotient, -quotient * conjugate(y)


# R. L. Smith, Algorithm 116: Complex division, Communications of the ACM 5 (8), 1962.
_COMPLEX_DIVISION = """\
static inline {t} st_true_div_{d}({t} n, {t} z) {
    {p} a = __builtin_creal{f}(n), b = __builtin_cimag{f}(n);
    {p} c = __builtin_creal{f}(z), d = __builtin_cimag{f}(z);
    if (c == 0 && d == 0) {
        return __builtin_complex(a / __builtin_fabs{f}(c), b / __builtin_fabs{f}(c));
    }
    if (__builtin_fabs{f}(c) >= __builtin_fabs{f}(d)) {
        {p} ratio = d / c, scale = 1 / (c + d * ratio);
        return __builtin_complex((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    {p} ratio = c / d, scale = 1 / (d + c * ratio);
    return __builtin_complex((a * ratio + b) * scale, (b * ratio - a) * scale);
}
"""

true_div = ScalarOp(
    name="true_div",
    nin=2,
    numpy=silently(np.true_divide),
    signature=row.quotient,
    c={"f": "{0} / {1}", "c": "st_true_div_{d}({0}, {1})"},
    helpers={"c": _COMPLEX_DIVISION},
    pullback=_of_true_div,
    symbol="/",
    cost=4,
    domain=((-10.0, 10.0), (0.5, 10.0)),
    aliases=("true_divide", "divide"),
    whole_as_floatX=True,
    doc="The quotient; floatX for integers.",
)

_COMPLEX_RECIPROCAL = """\
static inline {t} st_reciprocal_{d}({t} z) {
    {p} c = __builtin_creal{f}(z), d = __builtin_cimag{f}(z);
    if (__builtin_fabs{f}(d) <= __builtin_fabs{f}(c)) {
        {p} ratio = d / c, scale = c + d * ratio;
        return __builtin_complex(1 / scale, -ratio / scale);
    }
    {p} ratio = c / d, scale = c * ratio + d;
    return __builtin_complex(ratio / scale, -1 / scale);
}
"""

reciprocal = ScalarOp(
    name="reciprocal",
    nin=1,
    numpy=silently(np.reciprocal),
    signature=row.floating,
    c={"f": "1 / {0}", "c": "st_reciprocal_{d}({0})"},
    helpers={"c": _COMPLEX_RECIPROCAL},
    derivative=lambda x, y: -y * y,
    cost=4,
    domain=(0.5, 10.0),
    aliases=("inv",),
    doc="One divided by the operand; a float, also for integers.",
)

# Division by -1 is handled separately: the processor traps if the quotient does not fit.
_INT_DIV = """\
static inline {t} st_int_div_{d}({t} a, {t} b) {
    if (b == 0) return 0;
    if (b == -1) return ({t})-a;
    return ({t})(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
"""
# The remainder is exact, so (a - r) / b differs from an integer only by rounding.
_FLOAT_INT_DIV = """\
static inline {t} st_int_div_{d}({t} a, {t} b) {
    {t} quotient = a / b;
    if (b == 0) return quotient;
    {t} r = fmod{f}(a, b);
    {t} near = (a - r) / b - (r != 0 && (r < 0) != (b < 0) ? 1 : 0);
    {t} below = __builtin_floor{f}(near);
    {t} whole = near - below > ({t})0.5 ? below + 1 : below;
    return near == 0 ? __builtin_copysign{f}(0, quotient) : whole;
}
"""

int_div = ScalarOp(
    name="int_div",
    nin=2,
    numpy=silently(np.floor_divide),
    signature=row.real_of_numbers,
    c={
        "i": "st_int_div_{d}({0}, {1})",
        "u": "{1} ? {0} / {1} : 0",
        "f": "st_int_div_{d}({0}, {1})",
    },
    helpers={"i": _INT_DIV, "f": _FLOAT_INT_DIV},
    libm=("fmod",),
    pullback=flat,
    symbol="//",
    cost=10,
    domain=((-10.0, 10.0), (0.5, 10.0)),
    aliases=("floor_div", "floor_divide"),
    doc="The quotient rounded down; an integer divided by zero gives zero, as in NumPy.",
)

# Positions on a ring are nearly always in range, and a division takes as long as twenty additions.
_MOD = """\
static inline {t} st_mod_{d}({t} a, {t} b) {
    if (!__builtin_constant_p(b) && a >= 0 && a < b) return a;
    if (b == 0 || b == -1) return 0;
    {t} r = ({t})(a % b);
    return ({t})(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}
"""
_FLOAT_MOD = """\
static inline {t} st_mod_{d}({t} a, {t} b) {
    {t} r = fmod{f}(a, b);
    {t} moved = r != 0 && (r < 0) != (b < 0) ? r + b : r;
    return moved == 0 ? __builtin_copysign{f}(0, b) : moved;
}
"""

mod = ScalarOp(
    name="mod",
    nin=2,
    numpy=silently(np.remainder),
    signature=row.real_of_numbers,
    c={"i": "st_mod_{d}({0}, {1})", "u": "{1} ? {0} % {1} : 0", "f": "st_mod_{d}({0}, {1})"},
    helpers={"i": _MOD, "f": _FLOAT_MOD},
    libm=("fmod",),
    pullback=lambda g, y, a, b: (g, -g * int_div(a, b)),
    symbol="%",
    cost=10,
    domain=((-10.0, 10.0), (0.5, 10.0)),
    aliases=("remainder",),
    doc="The remainder of int_div, with the sign of the divisor; integers modulo zero give zero.",
)


def _of_fmod(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return g, -g * ((a - y) / b)


fmod = ScalarOp(
    name="fmod",
    nin=2,
    numpy=silently(np.fmod),
    signature=row.real_of_numbers,
    c={
        "i": "{1} == 0 || {1} == -1 ? 0 : {0} % {1}",
        "u": "{1} ? {0} % {1} : 0",
        "f": "fmod{f}({0}, {1})",
    },
    libm=("fmod",),
    pullback=_of_fmod,
    cost=10,
    domain=((-10.0, 10.0), (0.5, 10.0)),
    doc="The remainder of division towards zero, with the sign of the dividend.",
)

ROWS = (true_div, reciprocal, int_div, mod, fmod)

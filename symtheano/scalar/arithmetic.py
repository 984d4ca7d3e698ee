"""Sums, products, signs and absolute values, common divisors and multiples."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.calculus import flat, is_complex
from symtheano.scalar.comparison import neq
from symtheano.scalar.complexparts import complex_, conjugate, imag, real
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.selection import masked

add = ScalarOp(
    name="add",
    nin=2,
    numpy=silently(np.add),
    signature=row.arithmetic,
    c={"b": "{0} | {1}", "iufc": "{0} + {1}"},
    pullback=lambda g, y, a, b: (g, g),
    symbol="+",
    identity=0,
    commutative=True,
    associative=True,
    doc="The sum; for booleans, logical or.",
)

sub = ScalarOp(
    name="sub",
    nin=2,
    numpy=silently(np.subtract),
    signature=row.arithmetic_not_bool,
    c={"iufc": "{0} - {1}"},
    pullback=lambda g, y, a, b: (g, -g),
    symbol="-",
    aliases=("subtract",),
    doc="The difference.",
)

mul = ScalarOp(
    name="mul",
    nin=2,
    numpy=silently(np.multiply),
    signature=row.arithmetic,
    c={"b": "{0} & {1}", "iufc": "{0} * {1}"},
    pullback=lambda g, y, a, b: (g * conjugate(b), g * conjugate(a)),
    symbol="*",
    identity=1,
    commutative=True,
    associative=True,
    aliases=("multiply",),
    doc="The product; for booleans, logical and.",
)

neg = ScalarOp(
    name="neg",
    nin=1,
    numpy=silently(np.negative),
    signature=row.arithmetic_not_bool,
    c={"iufc": "-{0}"},
    pullback=lambda g, y, x: (-g,),
    symbol="-",
    aliases=("negative",),
    doc="The negative; unsigned integers wrap around.",
)

abs_ = ScalarOp(
    name="abs",
    nin=1,
    numpy=silently(np.absolute),
    signature=row.magnitude,
    c={
        "bu": "{0}",
        "i": "{0} < 0 ? -{0} : {0}",
        "f": "__builtin_fabs{f}({0})",
        "c": "cabs{f}({0})",
    },
    libm=("cabs",),
    pullback=lambda g, y, x: (g * sgn(x),),
    aliases=("abs_", "absolute"),
    doc="The absolute value; the smallest signed integer stays negative, as in NumPy.",
)

fabs = ScalarOp(
    name="fabs",
    nin=1,
    numpy=silently(np.fabs),
    signature=row.floating_real,
    c={"f": "__builtin_fabs{f}({0})"},
    pullback=lambda g, y, x: (g * sgn(x),),
    doc="The absolute value as a float.",
)

_COMPLEX_SIGN = """\
static inline {t} st_sgn_{d}({t} z) {
    {p} a = __builtin_creal{f}(z), b = __builtin_cimag{f}(z), inf = __builtin_inf{f}();
    if (a == 0 && b == 0) return 0;
    bool a_is_infinite = __builtin_fabs{f}(a) == inf, b_is_infinite = __builtin_fabs{f}(b) == inf;
    if (a_is_infinite != b_is_infinite) {
        {p} unit = __builtin_copysign{f}(1, a_is_infinite ? a : b);
        return a_is_infinite ? __builtin_complex(unit, ({p})0) : __builtin_complex(({p})0, unit);
    }
    {p} length = cabs{f}(z);
    return __builtin_complex(a / length, b / length);
}
"""


def _of_sgn(g: Any, y: Any, z: Any) -> Any:
    """Keep the tangential part: the sign does not depend on the absolute value."""
    if not is_complex(z):
        return flat(g, y, z)
    turn = masked(neq(z, 0), imag(conjugate(g) * y) / abs_(z))
    return (complex_(imag(y) * turn, -real(y) * turn),)


sgn: ScalarOp = ScalarOp(
    name="sgn",
    nin=1,
    numpy=silently(np.sign),
    signature=row.arithmetic_not_bool,
    c={
        "i": "({0} > 0) - ({0} < 0)",
        "u": "{0} > 0",
        "f": "{0} > 0 ? 1 : {0} < 0 ? -1 : {0} == 0 ? 0 : {0}",
        "c": "st_sgn_{d}({0})",
    },
    helpers={"c": _COMPLEX_SIGN},
    libm=("cabs",),
    pullback=_of_sgn,
    aliases=("sign",),
    doc="The sign: -1, 0 or 1, or nan for nan; for complex z, z/|z|, and 0 at 0.",
)

copysign = ScalarOp(
    name="copysign",
    nin=2,
    numpy=silently(np.copysign),
    signature=row.floating_real,
    c={"f": "__builtin_copysign{f}({0}, {1})"},
    pullback=lambda g, y, a, b: (g * sgn(a) * sgn(y), None),
    doc="The first operand's absolute value with the second's sign.",
)

# Euclid's algorithm on absolute values; {u} is the unsigned type.
_GREATEST_DIVISOR = """\
static inline {t} st_gcd_{d}({t} a, {t} b) {
    {u} x = ({u})(a < 0 ? -a : a), y = ({u})(b < 0 ? -b : b);
    while (y != 0) {
        {u} r = x % y;
        x = y;
        y = r;
    }
    return ({t})x;
}
"""


def _unsigned(text: str) -> dict[str, str]:
    return {"i": text.replace("{u}", "u{t}"), "u": text.replace("{u}", "{t}")}


gcd = ScalarOp(
    name="gcd",
    nin=2,
    numpy=silently(np.gcd),
    signature=row.integers,
    c={"iu": "st_gcd_{d}({0}, {1})"},
    helpers=_unsigned(_GREATEST_DIVISOR),
    identity=0,
    commutative=True,
    associative=True,
    cost=100,
    doc="The greatest common divisor, not negative.",
)

_LEAST_MULTIPLE = """\
static inline {t} st_lcm_{d}({t} a, {t} b) {
    {u} n = ({u})(a < 0 ? -a : a), m = ({u})(b < 0 ? -b : b), x = n, y = m;
    while (y != 0) {
        {u} r = x % y;
        x = y;
        y = r;
    }
    return ({t})(x == 0 ? 0 : n / x * m);
}
"""

lcm = ScalarOp(
    name="lcm",
    nin=2,
    numpy=silently(np.lcm),
    signature=row.integers,
    c={"iu": "st_lcm_{d}({0}, {1})"},
    helpers=_unsigned(_LEAST_MULTIPLE),
    identity=1,
    commutative=True,
    associative=True,
    cost=100,
    doc="The least common multiple, not negative; zero if an operand is.",
)

ROWS = (add, sub, mul, neg, abs_, fabs, sgn, copysign, gcd, lcm)

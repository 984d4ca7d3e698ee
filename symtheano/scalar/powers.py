"""Powers and roots."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Constant
from symtheano.scalar import row
from symtheano.scalar.calculus import is_discrete, number
from symtheano.scalar.comparison import eq
from symtheano.scalar.complexparts import conjugate
from symtheano.scalar.evaluation import silently
from symtheano.scalar.exponential import log
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.selection import switch

sqr = ScalarOp(
    name="sqr",
    nin=1,
    numpy=silently(np.square),
    signature=row.arithmetic_of_numbers,
    c={"iufc": "{0} * {0}"},
    derivative=lambda x, y: 2 * x,
    aliases=("square",),
    doc="The square.",
)

sqrt = ScalarOp(
    name="sqrt",
    nin=1,
    numpy=silently(np.sqrt),
    signature=row.floating,
    c={"f": "__builtin_sqrt{f}({0})", "c": "csqrt{f}({0})"},
    libm=("csqrt",),
    derivative=lambda x, y: number(y, 0.5) / y,
    cost=4,
    domain=(1e-3, 10.0),
    doc="The square root; nan for negative real operands.",
)

cbrt = ScalarOp(
    name="cbrt",
    nin=1,
    numpy=silently(np.cbrt),
    signature=row.floating_real,
    c={"f": "cbrt{f}({0})"},
    libm=("cbrt",),
    derivative=lambda x, y: 1 / (3 * y * y),
    cost=20,
    domain=(0.1, 10.0),
    doc="The cube root, also of negative operands.",
)

hypot = ScalarOp(
    name="hypot",
    nin=2,
    numpy=silently(np.hypot),
    signature=row.floating_real,
    c={"f": "hypot{f}({0}, {1})"},
    libm=("hypot",),
    pullback=lambda g, y, a, b: (g * a / y, g * b / y),
    commutative=True,
    associative=True,
    cost=12,
    doc="The length sqrt(a*a + b*b), computed without overflow.",
)


def _numpy_power(base: Any, exponent: Any) -> Any:
    """Return the power; unlike in NumPy, integers may have negative exponents."""
    if base.dtype.kind != "i":
        return np.power(base, exponent)
    negative = exponent < 0
    powers = np.power(base, np.where(negative, exponent & 1, exponent).astype(base.dtype))
    return np.where(negative & (abs(base) != 1), base.dtype.type(0), powers)


_INTEGER_POWER = """\
static inline {t} st_pow_{d}({t} base, {t} exponent) {
    if (exponent < 0) return base == 1 ? 1 : base != -1 ? 0 : exponent & 1 ? -1 : 1;
    {t} result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = ({t})(result * base);
        base = ({t})(base * base);
    }
    return result;
}
"""
# Small whole exponents by repeated squaring, which is more accurate than exp and log.
_COMPLEX_POWER = """\
static inline {t} st_pow_{d}({t} base, {t} exponent) {
    {p} a = __builtin_creal{f}(exponent), b = __builtin_cimag{f}(exponent);
    {p} nan = __builtin_nan{f}("");
    if (exponent == 0) return 1;
    if (base == 0) return a > 0 ? 0 : __builtin_complex(nan, nan);
    if (b != 0 || a != __builtin_floor{f}(a) || __builtin_fabs{f}(a) >= 100) {
        return cpow{f}(base, exponent);
    }
    int n = (int)__builtin_fabs{f}(a);
    {t} result = n & 1 ? base : 1;
    while (n >>= 1) {
        base = base * base;
        if (n & 1) result = result * base;
    }
    return a < 0 ? 1 / result : result;
}
"""


def _not_zero(base: Any, exponent: Any) -> Any:
    """Return the exponent, 1 for 0 where the derivative would be zero times infinity.

    Derivatives by an exponent that is a float need it as it is wherever the base is not zero.
    """
    source = exponent
    while source.owner is not None and _keeps_zeros(source.owner.op):
        (source,) = source.owner.inputs
    if isinstance(source, Constant) and (source.data != 0).all():
        return exponent
    zero = eq(exponent, 0)
    if not isinstance(source, Constant) and not is_discrete(source):
        zero = zero & eq(base, 0)
    return switch(zero, number(exponent, 1), exponent)


def _keeps_zeros(op: Any) -> bool:
    """Return whether an op inserts axes or converts: what it makes of a constant is one."""
    return hasattr(op, "new_order") or str(getattr(op, "scalar_op", "")).startswith("cast{")


def _of_pow(g: Any, y: Any, base: Any, exponent: Any) -> tuple[Any, Any]:
    slope = exponent * pow_(base, _not_zero(base, exponent) - 1)
    of_base = g * conjugate(slope)
    if is_discrete(exponent):
        return of_base, None
    # If the base is zero, the power is zero (or inf) for every exponent.
    logarithm = switch(eq(base, 0), number(y, 0), log(base))
    return of_base, g * conjugate(y * logarithm)


pow_ = ScalarOp(
    name="pow",
    nin=2,
    numpy=silently(_numpy_power),
    signature=row.arithmetic_of_numbers,
    c={"f": "pow{f}({0}, {1})", "iuc": "st_pow_{d}({0}, {1})"},
    helpers={"iu": _INTEGER_POWER, "c": _COMPLEX_POWER},
    libm=("pow", "cpow"),
    pullback=_of_pow,
    symbol="**",
    cost=30,
    domain=((0.1, 5.0), (-3.0, 3.0)),
    aliases=("power",),
    doc="The power. Of integers an integer, which wraps around; with a negative exponent it is "
    "rounded towards zero (0 for a base of 0), where NumPy raises an error.",
)


def _float_power_signature(operands: tuple[str, ...]) -> Signature:
    wide = "complex128" if any(map(dtypes.is_complex, operands)) else "float64"
    return Signature((wide, wide), wide)


float_power = ScalarOp(
    name="float_power",
    nin=2,
    numpy=silently(np.float_power),
    signature=_float_power_signature,
    c={"f": "pow{f}({0}, {1})", "c": "st_float_power_{d}({0}, {1})"},
    helpers={"c": _COMPLEX_POWER.replace("st_pow_", "st_float_power_")},
    libm=("pow", "cpow"),
    pullback=_of_pow,
    cost=30,
    domain=((0.1, 5.0), (-3.0, 3.0)),
    doc="The power, computed in double precision.",
)


def _ldexp_signature(operands: tuple[str, ...]) -> Signature:
    mantissa, exponent = operands
    row.bitwise((exponent,))
    if exponent == "uint64":
        raise TypeError("the exponent must fit int64")
    common = row.floating_real((mantissa,)).result
    whole = "int64" if exponent in ("int64", "uint32") else "int32"
    return Signature((common, whole), common)


def _of_ldexp(g: Any, y: Any, x: Any, n: Any) -> tuple[Any, Any]:
    return ldexp(g, n), g * y * number(y, float(np.log(2)))


ldexp = ScalarOp(
    name="ldexp",
    nin=2,
    numpy=silently(np.ldexp),
    signature=_ldexp_signature,
    c={"f": "ldexp{f}({0}, (int)({1} < -9999 ? -9999 : {1} > 9999 ? 9999 : {1}))"},
    libm=("ldexp",),
    pullback=_of_ldexp,
    cost=10,
    domain=((-10.0, 10.0), (-5, 5)),
    doc="The first operand times two to the power of the second, an integer.",
)

ROWS = (sqr, sqrt, cbrt, hypot, pow_, float_power, ldexp)

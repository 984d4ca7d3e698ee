"""Exponentials, logarithms, and activation functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.arithmetic import abs_
from symtheano.scalar.calculus import number
from symtheano.scalar.complexparts import from_parts
from symtheano.scalar.evaluation import in_single, silently
from symtheano.scalar.row import ScalarOp

_LN2 = math.log(2)
_POSITIVE = (1e-3, 10.0)

exp = ScalarOp(
    name="exp",
    nin=1,
    numpy=silently(np.exp),
    signature=row.floating,
    c={"f": "exp{f}({0})", "c": "cexp{f}({0})"},
    libm=("exp", "cexp"),
    derivative=lambda x, y: y,
    cost=10,
    doc="The exponential: e to the power of the operand.",
)

exp2 = ScalarOp(
    name="exp2",
    nin=1,
    numpy=silently(np.exp2),
    signature=row.floating,
    c={"f": "exp2{f}({0})", "c": "cexp{f}({0} * ({p})0.6931471805599453)"},
    libm=("exp2", "cexp"),
    derivative=lambda x, y: y * number(y, _LN2),
    cost=10,
    doc="Two to the power of the operand.",
)

_COMPLEX_EXPM1 = """\
static inline {t} st_expm1_{d}({t} z) {
    {p} a = __builtin_creal{f}(z), b = __builtin_cimag{f}(z), half = sin{f}(b / 2);
    {p} imaginary = b == 0 ? b : exp{f}(a) * sin{f}(b);
    return __builtin_complex(expm1{f}(a) * cos{f}(b) - 2 * half * half, imaginary);
}
"""


def _expm1(x: Any) -> Any:
    """Return exp(x) - 1; unlike NumPy's, an infinite one of a real number stays real."""
    result = np.expm1(x)
    if result.dtype.kind != "c":
        return result
    return from_parts(result.real, np.where(x.imag == 0, x.imag, result.imag))


# If |1 + z| is near one, its logarithm is inaccurate, as in NumPy.
_COMPLEX_LOG1P = """\
static inline {t} st_log1p_{d}({t} z) {
    {p} a = __builtin_creal{f}(z), b = __builtin_cimag{f}(z), length = hypot{f}(a + 1, b);
    {p} more = log1p{f}(a * (2 + a) + b * b) / 2;
    {p} real = length > ({p})0.5 && length < 3 ? more : log{f}(length);
    return __builtin_complex(real, atan2{f}(b, a + 1));
}
"""


def _log1p(x: Any) -> Any:
    """Return log(1 + x); of complex operands as C computes it."""
    if x.dtype.kind != "c":
        return np.log1p(x)
    a, b = x.real, x.imag
    length = np.hypot(a + 1, b)
    more = np.log1p(a * (2 + a) + b * b) / 2
    real = np.where((length > 0.5) & (length < 3), more, np.log(length))
    return from_parts(real, np.arctan2(b, a + 1))


expm1 = ScalarOp(
    name="expm1",
    nin=1,
    numpy=silently(_expm1),
    signature=row.floating,
    c={"f": "expm1{f}({0})", "c": "st_expm1_{d}({0})"},
    helpers={"c": _COMPLEX_EXPM1},
    libm=("expm1", "exp", "sin", "cos"),
    derivative=lambda x, y: y + 1,
    cost=12,
    doc="exp(x) - 1, accurate for small x.",
)

log = ScalarOp(
    name="log",
    nin=1,
    numpy=silently(np.log),
    signature=row.floating,
    c={"f": "log{f}({0})", "c": "clog{f}({0})"},
    libm=("log", "clog"),
    derivative=lambda x, y: 1 / x,
    cost=12,
    domain=_POSITIVE,
    doc="The natural logarithm; nan for negative real operands.",
)


def _logarithm(name: str, ufunc: Any, base: float, doc: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=1,
        numpy=silently(ufunc),
        signature=row.floating,
        c={"f": f"{name}{{f}}({{0}})", "c": f"clog{{f}}({{0}}) * ({{p}}){1 / math.log(base)!r}"},
        libm=(name, "clog"),
        derivative=lambda x, y: 1 / (x * number(x, math.log(base))),
        cost=12,
        domain=_POSITIVE,
        doc=doc,
    )


log2 = _logarithm("log2", np.log2, 2, "The logarithm to base two.")
log10 = _logarithm("log10", np.log10, 10, "The logarithm to base ten.")

log1p = ScalarOp(
    name="log1p",
    nin=1,
    numpy=silently(_log1p),
    signature=row.floating,
    c={
        "f": "log1p{f}({0})",
        "c": "st_log1p_{d}({0})",
    },
    helpers={"c": _COMPLEX_LOG1P},
    libm=("log1p", "log", "hypot", "atan2"),
    derivative=lambda x, y: 1 / (1 + x),
    cost=12,
    domain=(-0.9, 10.0),
    doc="log(1 + x), accurate for small x.",
)

# With the exponential of -|x|, neither branch overflows, and the sigmoid of -x and softplus can
# share it. It is always inlined, so that compilers can find the common subexpression.
_SIGMOID = """\
static inline __attribute__((always_inline)) {t} st_sigmoid_{d}({t} x) {
    const {t} e = exp{f}(-__builtin_fabs{f}(x)), one = 1 / (1 + e), other = e * one;
    return x >= 0 ? one : other;
}
"""


def _sigmoid(x: Any) -> Any:
    e = np.exp(-np.abs(x))
    one = 1 / (1 + e)
    return np.where(x >= 0, one, e * one)


sigmoid = ScalarOp(
    name="sigmoid",
    nin=1,
    numpy=in_single(_sigmoid),
    signature=row.floating_real,
    c={"f": "st_sigmoid_{d}({0})"},
    helpers={"f": _SIGMOID},
    libm=("exp",),
    derivative=lambda x, y: y * (1 - y),
    cost=16,
    aliases=("expit",),
    doc="The logistic function 1 / (1 + exp(-x)).",
)

softplus = ScalarOp(
    name="softplus",
    nin=1,
    numpy=in_single(lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))),
    signature=row.floating_real,
    c={"f": "({0} > 0 ? {0} : 0) + log1p{f}(exp{f}(-__builtin_fabs{f}({0})))"},
    libm=("log1p", "exp"),
    derivative=lambda x, y: sigmoid(x),
    cost=24,
    doc="log(1 + exp(x)), computed without overflow.",
    aliases=("log1pexp",),
)


def _softsign(x: Any) -> Any:
    a = np.abs(x)
    return np.where(np.isinf(x), np.sign(x), x / (1 + np.where(np.isinf(x), 0, a)))


def _slope_of_softsign(part: Any) -> Any:
    return part * part


softsign = ScalarOp(
    name="softsign",
    nin=1,
    numpy=in_single(_softsign),
    signature=row.floating_real,
    c={
        "f": "__builtin_isinf({0}) ? __builtin_copysign{f}(1, {0})"
        " : {0} / (1 + __builtin_fabs{f}({0}))"
    },
    derivative=lambda x, y: _slope_of_softsign(1 / (1 + abs_(x))),
    cost=6,
    doc="x / (1 + abs(x)); 1 or -1 at infinity.",
)

_LOGADDEXP = """\
static inline {t} st_{name}_{d}({t} a, {t} b) {
    {t} larger = a > b || a != a ? a : b;
    {t} distance = a == b ? 0 : __builtin_fabs{f}(a - b);
    return larger + {term};
}
"""


def _log_of_sum(
    name: str, ufunc: Any, base: float, term: str, libm: tuple[str, ...], doc: str
) -> ScalarOp:
    def pullback(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
        distance = (a - b) * number(g, math.log(base)) if base == 2 else a - b
        return g * sigmoid(distance), g * sigmoid(-distance)

    return ScalarOp(
        name=name,
        nin=2,
        numpy=silently(ufunc),
        signature=row.floating_real,
        c={"f": f"st_{name}_{{d}}({{0}}, {{1}})"},
        helpers={"f": _LOGADDEXP.replace("{name}", name).replace("{term}", term)},
        libm=libm,
        pullback=pullback,
        identity=-math.inf,
        commutative=True,
        associative=True,
        cost=26,
        doc=doc,
    )


logaddexp = _log_of_sum(
    "logaddexp",
    np.logaddexp,
    math.e,
    "log1p{f}(exp{f}(-distance))",
    ("log1p", "exp"),
    "log(exp(a) + exp(b)), computed without overflow.",
)
logaddexp2 = _log_of_sum(
    "logaddexp2",
    np.logaddexp2,
    2,
    "log1p{f}(exp2{f}(-distance)) * ({t})1.4426950408889634",
    ("log1p", "exp2"),
    "log2(2**a + 2**b), computed without overflow.",
)

ROWS = (
    exp, exp2, expm1, log, log2, log10, log1p, sigmoid, softplus, softsign, logaddexp, logaddexp2,
)  # fmt: skip

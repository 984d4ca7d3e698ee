"""Logarithms of functions that would be rounded to zero or one before the logarithm is taken."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import in_double, in_single, special
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.special import erfcx
from symtheano.scalar.trigonometric import tanh

_LN2 = math.log(2)


# cosh(x) - 1 is expm1(x)**2 / (2 exp(x)).
_LOG_COSH = """\
static inline {t} st_logcosh_{d}({t} x) {
    const {t} a = __builtin_fabs{f}(x), e = expm1{f}(a < 1 ? a : 1);
    const {t} near = log1p{f}(e * e / (2 * (e + 1)));
    const {t} far = a + (log1p{f}(exp{f}(-2 * a)) - ({t})0.6931471805599453);
    return a < 1 ? near : far;
}
"""


def _logcosh(x: Any) -> Any:
    a = np.abs(x)
    e = np.expm1(np.minimum(a, 1))
    far = a + (np.log1p(np.exp(-2 * a)) - x.dtype.type(_LN2))
    return np.where(a < 1, np.log1p(e * e / (2 * (e + 1))), far)


logcosh = ScalarOp(
    name="logcosh",
    nin=1,
    numpy=in_single(_logcosh),
    signature=row.floating_real,
    c={"f": "st_logcosh_{d}({0})"},
    helpers={"f": _LOG_COSH},
    libm=("log1p", "expm1", "exp"),
    derivative=lambda x, y: tanh(x),
    cost=40,
    doc="log(cosh(x)), without overflow and accurate near zero.",
)


def _log_erfc(x: Any) -> Any:
    far = np.log(special("erfcx")(x)) - x * x
    return np.where(x > 1, far, np.log1p(-special("erf")(x)))


log_erfc = ScalarOp(
    name="log_erfc",
    nin=1,
    numpy=in_double(_log_erfc),
    signature=row.floating_real,
    c={"f": "{0} > 1 ? log({x}({0}, 0)) - (double){0} * {0} : log1p(-erf({0}))"},
    libm=("log", "log1p", "erf"),
    external="__pyx_fuse_1erfcx",
    derivative=lambda x, y: number(x, -2 / math.sqrt(math.pi)) / erfcx(x),
    cost=100,
    domain=(-3.0, 3.0),
    doc="log(erfc(x)), accurate where erfc is too small for a float and near zero.",
)


ROWS = (logcosh, log_erfc)

"""Products with logarithms that are zero where the factor is zero: entropies and divergences."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.arithmetic import neg
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import in_single, special
from symtheano.scalar.exponential import expm1, log, log1p
from symtheano.scalar.row import ScalarOp

_SHARE = (0.05, 0.95)
_POSITIVE = (0.1, 5.0)


def _of_xlogy(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return g * log(b), g * a / b


xlogy = ScalarOp(
    name="xlogy",
    nin=2,
    numpy=in_single(lambda a, b: np.where((a == 0) & ~np.isnan(b), a * a, a * np.log(b))),
    signature=row.floating_real,
    c={"f": "{0} == 0 && {1} == {1} ? 0 : {0} * log{f}({1})"},
    libm=("log",),
    pullback=_of_xlogy,
    cost=20,
    domain=_POSITIVE,
    doc="The first operand times the logarithm of the second; 0 where the first is 0.",
)


def _of_xlog1py(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return g * log1p(b), g * a / (1 + b)


xlog1py = ScalarOp(
    name="xlog1py",
    nin=2,
    numpy=in_single(lambda a, b: np.where((a == 0) & ~np.isnan(b), a * a, a * np.log1p(b))),
    signature=row.floating_real,
    c={"f": "{0} == 0 && {1} == {1} ? 0 : {0} * log1p{f}({1})"},
    libm=("log1p",),
    pullback=_of_xlog1py,
    cost=20,
    domain=_POSITIVE,
    doc="The first operand times log(1 + second); 0 where the first is 0.",
)


def _entr(x: Any) -> Any:
    inside = np.where(x == 0, x * 0, -x * np.log(x))
    return np.where(x < 0, np.array(-np.inf, x.dtype), inside)


entr = ScalarOp(
    name="entr",
    nin=1,
    numpy=in_single(_entr),
    signature=row.floating_real,
    c={"f": "{0} < 0 ? -__builtin_inf() : {0} == 0 ? 0 : -{0} * log{f}({0})"},
    libm=("log",),
    derivative=lambda x, y: -log(x) - 1,
    cost=20,
    domain=_SHARE,
    doc="-x log(x), one term of an entropy; 0 at 0, -inf below.",
)

rel_entr = ScalarOp(
    name="rel_entr",
    nin=2,
    numpy=special("rel_entr"),
    signature=row.floating_real,
    c={"f": "{x}({0}, {1}, 0)"},
    external="rel_entr",
    pullback=lambda g, y, a, b: (g * (log(a / b) + 1), neg(g * a / b)),
    cost=60,
    domain=_POSITIVE,
    doc="a log(a / b), one term of a relative entropy; b if a is 0, inf if one is negative.",
)

kl_div = ScalarOp(
    name="kl_div",
    nin=2,
    numpy=special("kl_div"),
    signature=row.floating_real,
    c={"f": "{x}({0}, {1}, 0)"},
    external="kl_div",
    pullback=lambda g, y, a, b: (g * log(a / b), g * (1 - a / b)),
    cost=60,
    domain=_POSITIVE,
    doc="a log(a / b) - a + b; b if a is 0, inf if one is negative.",
)


def _logit(x: Any) -> Any:
    twice = 2 * x - 1
    inside = (x >= x.dtype.type(0.3)) & (x <= x.dtype.type(0.65))
    return np.where(inside, np.log1p(twice) - np.log1p(-twice), np.log(x / (1 - x)))


logit = ScalarOp(
    name="logit",
    nin=1,
    numpy=in_single(_logit),
    signature=row.floating_real,
    c={
        "f": "{0} >= ({t})0.3 && {0} <= ({t})0.65"
        " ? log1p{f}(2 * {0} - 1) - log1p{f}(1 - 2 * {0}) : log{f}({0} / (1 - {0}))"
    },
    libm=("log", "log1p"),
    derivative=lambda x, y: number(x, 1) / (x * (1 - x)),
    cost=40,
    domain=_SHARE,
    doc="log(x / (1 - x)), the inverse of sigmoid.",
)

_HALF = -0.6931471805599453


def _log1mexp(x: Any) -> Any:
    return np.where(x > x.dtype.type(_HALF), np.log(-np.expm1(x)), np.log1p(-np.exp(x)))


log1mexp = ScalarOp(
    name="log1mexp",
    nin=1,
    numpy=in_single(_log1mexp),
    signature=row.floating_real,
    c={
        "f": f"{{0}} > ({{t}}){_HALF} ? log{{f}}(-expm1{{f}}({{0}})) : log1p{{f}}(-exp{{f}}({{0}}))"
    },
    libm=("log", "expm1", "log1p", "exp"),
    derivative=lambda x, y: number(x, -1) / expm1(-x),
    cost=60,
    domain=(-9.0, -0.1),
    doc="log(1 - exp(x)) for negative x, accurate near 0 and far from it (Maechler, 2012).",
)

ROWS = (xlogy, xlog1py, entr, rel_entr, kl_div, logit, log1mexp)

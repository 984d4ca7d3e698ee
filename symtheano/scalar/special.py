"""Special functions: the error function, the gamma function and their families.

Functions that the C library does not have are called in SciPy's compiled code, in double precision.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.calculus import number, undefined
from symtheano.scalar.evaluation import in_double, special
from symtheano.scalar.exponential import exp
from symtheano.scalar.powers import sqr
from symtheano.scalar.row import Derivative, Pullback, ScalarOp
from symtheano.scalar.texts import text_of

_HALF_SQRT_PI = math.sqrt(math.pi) / 2
_POSITIVE = (0.1, 10.0)


def _function(
    name: str,
    expression: str,
    derivative: Derivative | None,
    doc: str,
    *,
    libm: str = "",
    external: str | None = None,
    domain: tuple[float, float] = (-3.0, 3.0),
    aliases: tuple[str, ...] = (),
) -> ScalarOp:
    """Return a row for a function of one real operand with the same name in SciPy."""
    return ScalarOp(
        name=name,
        nin=1,
        numpy=special(name),
        signature=row.floating_real,
        c={"f": expression},
        libm=(libm,) if libm else (),
        external=external,
        derivative=derivative,
        cost=60,
        domain=domain,
        aliases=aliases,
        doc=doc,
    )


# -- the error function ------------------------------------------------------------------------


def _bell(x: Any) -> Any:
    """Return the derivative of erf."""
    return number(x, 1 / _HALF_SQRT_PI) * exp(-sqr(x))


erf = _function("erf", "erf{f}({0})", lambda x, y: _bell(x), "The error function.", libm="erf")
erfc = _function(
    "erfc", "erfc{f}({0})", lambda x, y: -_bell(x), "1 - erf(x), accurate for large x.", libm="erfc"
)
erfcx = _function(
    "erfcx",
    "{x}({0}, 0)",
    lambda x, y: 2 * x * y - number(x, 1 / _HALF_SQRT_PI),
    "exp(x*x) * erfc(x), computed without overflow.",
    external="erfcx",
)
erfinv = _function(
    "erfinv",
    "{x}({0}, 0)",
    lambda x, y: number(x, _HALF_SQRT_PI) * exp(y * y),
    "The inverse of erf.",
    external="erfinv",
    domain=(-0.9, 0.9),
)
erfcinv = _function(
    "erfcinv",
    "{x}({0}, 0)",
    lambda x, y: -number(x, _HALF_SQRT_PI) * exp(y * y),
    "The inverse of erfc.",
    external="erfcinv",
    domain=(0.1, 1.9),
)

# -- the gamma function ------------------------------------------------------------------------

gamma = _function(
    "gamma",
    "tgamma({0})",
    lambda x, y: y * psi(x),
    "The gamma function; nan at negative integers.",
    libm="tgamma",
    domain=_POSITIVE,
)
gammaln = _function(
    "gammaln",
    "lgamma({0})",
    lambda x, y: psi(x),
    "The logarithm of the absolute value of the gamma function; inf at -inf, where SciPy has -inf.",
    libm="lgamma",
    domain=_POSITIVE,
)
psi: ScalarOp = ScalarOp(
    name="psi",
    nin=1,
    numpy=special("psi"),
    signature=row.floating_real,
    c={"f": "st_psi_{d}({0})"},
    helpers={"f": text_of("psi.c")},
    libm=("log",),
    derivative=lambda x, y: tri_gamma(x),
    cost=60,
    domain=_POSITIVE,
    aliases=("digamma",),
    doc="The digamma function, the derivative of gammaln.",
)

# Abramowitz and Stegun, Handbook of Mathematical Functions, 6.4.6 (recurrence), 6.4.7
# (reflection) and 6.4.12 (asymptotic series); eight terms are exact to rounding from 12 on.
_TRI_GAMMA = """\
static inline double st_tri_gamma_{d}(double x) {
    double total = 0, sign = 1;
    if (x <= 0) {
        double nearest = __builtin_rint(x), s = sin((x - nearest) * 3.141592653589793);
        if (x == nearest) return __builtin_inf();
        total = 9.869604401089358 / (s * s);
        sign = -1;
        x = 1 - x;
    }
    for (; x < 12; x += 1) total += sign / (x * x);
    double z = 1 / (x * x), series = -7.092156862745098;
    series = series * z + 1.1666666666666667;
    series = series * z - 0.2531135531135531;
    series = series * z + 0.07575757575757576;
    series = series * z - 0.03333333333333333;
    series = series * z + 0.023809523809523808;
    series = series * z - 0.03333333333333333;
    series = series * z + 0.16666666666666666;
    return total + sign * (1 / x + z / 2 + series * z / x);
}
"""


def _of_tri_gamma(x: Any, y: Any) -> Any:
    return polygamma(number(x, 2), x)


tri_gamma: ScalarOp = ScalarOp(
    name="tri_gamma",
    nin=1,
    numpy=special("polygamma", 1),
    signature=row.floating_real,
    c={"f": "st_tri_gamma_{d}({0})"},
    helpers={"f": _TRI_GAMMA},
    libm=("sin",),
    derivative=_of_tri_gamma,
    cost=60,
    domain=_POSITIVE,
    aliases=("trigamma",),
    doc="The trigamma function, the derivative of psi.",
)


# -- the zeta function and the derivatives of psi ------------------------------------------------

# Euler and Maclaurin's sum (Digital Library of Mathematical Functions, 25.11.28), with
# B(2j) / (2j)! for j from 1. Left of 0 the sum over all integers, which has the period 1, less
# the part that does not belong to it.
_ZETA = """\
static double st_zeta_right_{d}(double s, double q) {
    if (s > 1e15) return pow(q, -s);
    static const double factor[12] = {
        0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05,
        -8.267195767195767e-07, 2.08767569878681e-08, -5.284190138687493e-10,
        1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
        -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19};
    double total = 0;
    for (int n = 0; n < 10 || q < 10; n++, q += 1) {
        const double term = pow(q, -s);
        total += term;
        if (term < 1e-17 * total) return total;
    }
    double power = pow(q, -s), rising = s / q * power;
    total += pow(q, 1 - s) / (s - 1) + 0.5 * power;
    for (int j = 0; j < 12; j++) {
        const double term = factor[j] * rising;
        total += term;
        if (__builtin_fabs(term) <= 1e-17 * total) break;
        rising *= (s + 2 * j + 1) / q * ((s + 2 * j + 2) / q);
    }
    return total;
}
static double st_zeta_{d}(double s, double q) {
    if (!(s > 1) || q != q) return s == 1 && q == q ? __builtin_inf() : __builtin_nan("");
    if (q > 0) return __builtin_isinf(q) ? 0 : st_zeta_right_{d}(s, q);
    const double part = q - __builtin_floor(q);
    if (!(part > 0)) return __builtin_inf();
    if (s != __builtin_floor(s) || s > 1e15) return __builtin_nan("");
    const double other = st_zeta_right_{d}(s, 1 - part) - st_zeta_right_{d}(s, 1 - q);
    const int even = 2 * __builtin_floor(s / 2) == s;
    return st_zeta_right_{d}(s, part) + (even ? other : -other);
}
"""


_POLYGAMMA = (
    _ZETA
    + """\
static double st_polygamma_{d}(double n, double x, double (*psi)(double, int)) {
    if (n == 0) return psi(x, 0);
    if (!(n > 0) || n != __builtin_floor(n)) return __builtin_nan("");
    const double value = tgamma(n + 1) * st_zeta_{d}(n + 1, x);
    return 2 * __builtin_floor(n / 2) == n ? -value : value;
}
"""
)


def _zeta(s: Any, q: Any) -> Any:
    """Return Hurwitz' zeta function; SciPy's adds up term by term left of 0."""
    series = import_module("scipy.special").zeta

    def right(s: Any, q: Any) -> Any:
        return np.where(s > 1e15, np.power(q, -s), series(s, q))

    part = q - np.floor(q)
    sign = np.where(np.floor(s / 2) * 2 == s, 1, -1)
    left = right(s, part) + sign * (right(s, 1 - part) - right(s, 1 - q))
    left = np.where(part > 0, np.where((s == np.floor(s)) & (s <= 1e15), left, np.nan), np.inf)
    inside = np.where(q > 0, right(s, np.where(q > 0, q, 1)), left)
    inside = np.where(s > 1, inside, np.where(s == 1, np.inf, np.nan))
    return np.where(np.isnan(s) | np.isnan(q), np.nan, inside)


def _of_zeta(g: Any, y: Any, s: Any, q: Any) -> tuple[Any, Any]:
    why = "zeta: the derivative with respect to the exponent is not implemented"
    return undefined(why), -g * s * zeta(s + 1, q)


zeta: ScalarOp = ScalarOp(
    name="zeta",
    nin=2,
    numpy=in_double(_zeta),
    signature=row.floating_real,
    c={"f": "st_zeta_{d}({0}, {1})"},
    helpers={"f": _POLYGAMMA},
    libm=("pow",),
    pullback=_of_zeta,
    cost=500,
    domain=((1.5, 6.0), _POSITIVE),
    doc="Hurwitz' zeta function, the sum of (q + n)**-s over n from 0; nan for s below 1.",
)


def _polygamma(n: Any, x: Any) -> Any:
    functions = import_module("scipy.special")
    value = functions.gamma(n + 1) * _zeta(n + 1, x)
    value = np.where(np.floor(n / 2) * 2 == n, -value, value)
    valid = (n > 0) & (n == np.floor(n))
    return np.where(n == 0, functions.psi(x), np.where(valid, value, np.nan))


def _of_polygamma(g: Any, y: Any, n: Any, x: Any) -> tuple[Any, Any]:
    return undefined("polygamma: no derivative by the order, which is an integer"), g * polygamma(
        n + 1, x
    )


polygamma: ScalarOp = ScalarOp(
    name="polygamma",
    nin=2,
    numpy=in_double(_polygamma),
    signature=row.floating_real,
    c={"f": "st_polygamma_{d}({0}, {1}, {x})"},
    helpers={"f": _POLYGAMMA},
    libm=("pow", "tgamma"),
    external="psi",
    external_nin=1,
    pullback=_of_polygamma,
    cost=500,
    domain=((1.0, 1.0), _POSITIVE),
    doc="The derivative of order n of psi(x); nan where n is negative or not an integer.",
)

# -- the beta function -------------------------------------------------------------------------


def _of_two(name: str, pullback: Pullback, doc: str) -> ScalarOp:
    """Return a row for a function of two real operands which SciPy calls by the same name."""
    return ScalarOp(
        name=name,
        nin=2,
        numpy=special(name),
        signature=row.floating_real,
        c={"f": "{x}({0}, {1}, 0)"},
        external=name,
        pullback=pullback,
        cost=100,
        domain=_POSITIVE,
        doc=doc,
    )


def _of_betaln(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    both = psi(a + b)
    return g * (psi(a) - both), g * (psi(b) - both)


def _of_beta(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return _of_betaln(g * y, y, a, b)


def _of_binom(g: Any, y: Any, n: Any, k: Any) -> tuple[Any, Any]:
    rest = psi(n - k + 1)
    return g * y * (psi(n + 1) - rest), g * y * (rest - psi(k + 1))


betaln = _of_two("betaln", _of_betaln, "The logarithm of the absolute value of beta(a, b).")
beta = _of_two("beta", _of_beta, "The beta function, gamma(a) * gamma(b) / gamma(a + b).")
binom = _of_two("binom", _of_binom, "The binomial coefficient n over k, of real n and k.")

ROWS = (
    erf, erfc, erfcx, erfinv, erfcinv, gamma, gammaln, psi, tri_gamma, zeta, polygamma, betaln,
    beta, binom,
)  # fmt: skip

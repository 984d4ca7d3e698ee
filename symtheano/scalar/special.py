"""Special functions: the error function, the gamma function and their families.

Functions that the C library does not have are called in SciPy's compiled code, in double precision.
"""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import row
from symtheano.scalar.calculus import number, undefined
from symtheano.scalar.evaluation import in_double, special
from symtheano.scalar.exponential import exp, log
from symtheano.scalar.row import Derivative, ScalarOp

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
    return number(x, 1 / _HALF_SQRT_PI) * exp(-x * x)


erf = _function("erf", "erf{f}({0})", lambda x, y: _bell(x), "The error function.", libm="erf")
erfc = _function(
    "erfc", "erfc{f}({0})", lambda x, y: -_bell(x), "1 - erf(x), accurate for large x.", libm="erfc"
)
erfcx = _function(
    "erfcx",
    "{x}({0}, 0)",
    lambda x, y: 2 * x * y - number(x, 1 / _HALF_SQRT_PI),
    "exp(x*x) * erfc(x), computed without overflow.",
    external="__pyx_fuse_1erfcx",
)
erfinv = _function(
    "erfinv",
    "{x}({0}, 0)",
    lambda x, y: number(x, _HALF_SQRT_PI) * exp(y * y),
    "The inverse of erf.",
    external="__pyx_fuse_0erfinv",
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
psi: ScalarOp = _function(
    "psi",
    "{x}({0}, 0)",
    lambda x, y: tri_gamma(x),
    "The digamma function, the derivative of gammaln.",
    external="__pyx_fuse_1psi",
    domain=_POSITIVE,
    aliases=("digamma",),
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


def _of_tri_gamma(g: Any, y: Any, x: Any) -> tuple[Any]:
    return (undefined("tri_gamma: the derivative of the trigamma function is not implemented"),)


tri_gamma: ScalarOp = ScalarOp(
    name="tri_gamma",
    nin=1,
    numpy=special("polygamma", 1),
    signature=row.floating_real,
    c={"f": "st_tri_gamma_{d}({0})"},
    helpers={"f": _TRI_GAMMA},
    libm=("sin",),
    pullback=_of_tri_gamma,
    cost=60,
    domain=_POSITIVE,
    aliases=("trigamma",),
    doc="The trigamma function, the derivative of psi.",
)


def _incomplete(
    name: str, expression: str, function: Any, external: str, sign: int, scaled: bool, doc: str
) -> ScalarOp:
    """Return a row with order and operand; the density has the given sign, and scale 1 or gamma."""

    def pullback(g: Any, y: Any, k: Any, x: Any) -> tuple[Any, Any]:
        exponent = (k - 1) * log(x) - x
        density = exp(exponent if scaled else exponent - gammaln(k))
        return (
            undefined(f"{name}: the derivative with respect to the order is not implemented"),
            g * density if sign > 0 else -g * density,
        )

    return ScalarOp(
        name=name,
        nin=2,
        numpy=in_double(function),
        signature=row.floating_real,
        c={"f": expression},
        libm=("tgamma",) if scaled else (),
        external=external,
        pullback=pullback,
        cost=150,
        domain=(_POSITIVE, _POSITIVE),
        doc=doc,
    )


_lower, _upper, _whole = special("gammainc"), special("gammaincc"), special("gamma")

gammainc = _incomplete(
    "gammainc",
    "{x}({0}, {1}, 0)",
    _lower,
    "gammainc",
    1,
    False,
    "The regularized lower incomplete gamma function of order and operand.",
)
gammaincc = _incomplete(
    "gammaincc",
    "{x}({0}, {1}, 0)",
    _upper,
    "gammaincc",
    -1,
    False,
    "The regularized upper incomplete gamma function of order and operand.",
)
gammal = _incomplete(
    "gammal",
    "{x}({0}, {1}, 0) * tgamma({0})",
    lambda k, x: _lower(k, x) * _whole(k),
    "gammainc",
    1,
    True,
    "The lower incomplete gamma function of order and operand.",
)
gammau = _incomplete(
    "gammau",
    "{x}({0}, {1}, 0) * tgamma({0})",
    lambda k, x: _upper(k, x) * _whole(k),
    "gammaincc",
    -1,
    True,
    "The upper incomplete gamma function of order and operand.",
)


def _of_chi2sf(g: Any, y: Any, x: Any, k: Any) -> tuple[Any, Any]:
    half = number(x, 0.5)
    u, n = x * half, k * half
    density = half * exp((n - 1) * log(u) - u - gammaln(n))
    return -g * density, undefined(
        "chi2sf: the derivative with respect to the degrees of freedom is not implemented"
    )


chi2sf = ScalarOp(
    name="chi2sf",
    nin=2,
    numpy=in_double(lambda x, k: _upper(k / 2, x / 2)),
    signature=row.floating_real,
    c={"f": "{x}({1} * 0.5, {0} * 0.5, 0)"},
    external="gammaincc",
    pullback=_of_chi2sf,
    cost=150,
    domain=(_POSITIVE, _POSITIVE),
    doc="The probability that a chi-squared variable of k degrees of freedom exceeds x.",
)

ROWS = (
    erf, erfc, erfcx, erfinv, erfcinv, gamma, gammaln, psi, tri_gamma, gammainc, gammaincc, gammal,
    gammau, chi2sf,
)  # fmt: skip

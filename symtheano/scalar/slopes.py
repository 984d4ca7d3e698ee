"""Rows that only derivatives use: special functions differentiated by their parameters.

None of these has a closed form. A series or a continued fraction is differentiated term by term,
as Boik and Robison-Cox do for the incomplete beta function (Journal of Statistical Software 3(1),
1998); an integral that decays doubly exponentially is summed by the trapezoidal rule. SciPy has
no such functions: ``numpy`` is the algorithm of the C routine in Python, one element at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from symtheano.graph.variable import Variable
from symtheano.scalar import row
from symtheano.scalar.calculus import number, undefined
from symtheano.scalar.evaluation import silently
from symtheano.scalar.exponential import exp, log
from symtheano.scalar.logarithms import xlog1py, xlogy
from symtheano.scalar.row import Pullback, ScalarOp
from symtheano.scalar.special import betaln, gammaln, psi

_TERMS = 1_000_000  # after this number of terms, the result is nan


def _each(function: Callable[..., float]) -> Any:
    """Return ``function`` of floats as a function of arrays; where it fails, the result is nan."""

    def guarded(*operands: float) -> float:
        try:
            return function(*operands)
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan

    def numpy(*operands: Any) -> Any:
        wide = np.broadcast_arrays(*(np.asarray(item, np.float64) for item in operands))
        points = zip(*map(np.ravel, wide), strict=True)
        values = [guarded(*map(float, point)) for point in points]
        return np.array(values, np.float64).reshape(wide[0].shape).astype(operands[0].dtype)

    return silently(numpy)


def _row(
    name: str,
    numpy: Callable[..., float],
    c: str,
    helper: str,
    libm: str,
    pullback: Pullback,
    doc: str,
) -> ScalarOp:
    nin = c.count(", ") + 1 - c.count("{x}")
    return ScalarOp(
        name=name,
        nin=nin,
        numpy=_each(numpy),
        signature=row.floating_real,
        c={"f": c},
        helpers={"f": helper},
        libm=tuple(libm.split()),
        external="psi" if "{x}" in c else None,
        external_nin=1,
        pullback=pullback,
        cost=1000,
        doc=doc,
    )


def _second(name: str) -> Variable:
    return undefined(f"{name}: second derivatives by parameters are not implemented")


def _psi(x: float) -> float:
    return float(import_module("scipy.special").psi(x))


def _fraction(first: float, slope: float, terms: Iterator[tuple[float, ...]]) -> float:
    """Return the derivative of the logarithm of ``first + a1/(b1 + a2/(b2 + ...))``.

    This is Lentz's algorithm together with its derivative. ``slope`` is the derivative of
    ``first``; ``terms`` yields a, b and the derivatives of both.
    """
    c, dc, d, dd = first, slope, 0.0, 0.0
    total = slope / first
    for a, b, da, db in terms:
        below = b + a * d or 1e-300
        dd = -(db + da * d + a * dd) / (below * below)
        d = 1 / below
        dc = db + da / c - a * dc / (c * c)
        c = b + a / c or 1e-300
        step = dc / c + dd / d
        total += step
        if abs(c * d - 1) < 4e-16 and abs(step) <= 1e-15 * max(abs(total), abs(dc / c)):
            return total
    return math.nan


# The loop of _fraction, after the lines that compute a, b, da and db.
_FRACTION = """\
        double below = b + a * d;
        if (below == 0) below = 1e-300;
        dd = -(db + da * d + a * dd) / (below * below);
        d = 1 / below;
        dc = db + da / c - a * dc / (c * c);
        c = b + a / c;
        if (c == 0) c = 1e-300;
        const double step = dc / c + dd / d, ratio = dc / c;
        total += step;
        if (__builtin_fabs(c * d - 1) < 4e-16
            && (__builtin_fabs(step) <= 1e-15 * __builtin_fabs(total)
                || __builtin_fabs(step) <= 1e-15 * __builtin_fabs(ratio))) return total;
"""


def gamma_density(k: Any, x: Any) -> Any:
    """Return the derivative of gammainc(k, x) by x."""
    return exp(xlogy(k - 1, x) - x - gammaln(k))


def beta_density(a: Any, b: Any, x: Any) -> Any:
    """Return the derivative of betainc(a, b, x) by x."""
    return exp(xlogy(a - 1, x) + xlog1py(b - 1, -x) - betaln(a, b))


# -- the incomplete gamma functions by their order ----------------------------------------------


def _gamma(k: float, x: float, lower: float, upper: float) -> float:
    """Return the derivative of ``lower``, by the power series or by Legendre's fraction."""
    if not (k > 0 and x >= 0) or math.isinf(k):
        return math.nan
    if x == 0 or math.isinf(x):
        return 0.0
    if x >= k + 1:
        terms = ((-n * (n - k), x + 2 * n + 1 - k, float(n), -1.0) for n in range(1, _TERMS))
        slope = _fraction(x + 1 - k, -1.0, terms)
        return -upper * (math.log(x) - _psi(k) - slope)
    term, harmonic, total, slope = 1.0, 0.0, 1.0, 0.0
    for n in range(1, _TERMS):
        term *= x / (k + n)
        harmonic += 1 / (k + n)
        total += term
        slope -= term * harmonic
        if term * harmonic <= 1e-16 * abs(slope):
            return lower * (math.log(x) - _psi(k + 1) + slope / total)
    return math.nan


# The power series is 8.7.1 of the Digital Library of Mathematical Functions, Legendre's continued
# fraction is 8.9.2 contracted.
_GAMMA = (
    """\
static double st_gamma_fraction_{d}(double k, double x) {
    double c = x + 1 - k, dc = -1, d = 0, dd = 0, total = dc / c;
    for (double n = 1; n < 1e6; n += 1) {
        const double a = -n * (n - k), b = x + 2 * n + 1 - k, da = n, db = -1;
"""
    + _FRACTION
    + """\
    }
    return __builtin_nan("");
}
static double st_gamma_slope_{d}(double k, double x, double lower, double upper,
                                 double (*psi)(double, int)) {
    if (!(k > 0 && x >= 0) || __builtin_isinf(k)) return __builtin_nan("");
    if (x == 0 || __builtin_isinf(x)) return 0;
    if (x >= k + 1) return -upper * (log(x) - psi(k, 0) - st_gamma_fraction_{d}(k, x));
    double term = 1, harmonic = 0, total = 1, slope = 0;
    for (double n = 1; n < 1e6; n += 1) {
        term *= x / (k + n);
        harmonic += 1 / (k + n);
        total += term;
        slope -= term * harmonic;
        if (term * harmonic <= 1e-16 * -slope)
            return lower * (log(x) - psi(k + 1, 0) + slope / total);
    }
    return __builtin_nan("");
}
"""
)


def _of_gamma(g: Any, y: Any, k: Any, x: Any, lower: Any, upper: Any) -> list[Any]:
    """Pull back to x, what ``lower`` and ``upper`` depend on included."""
    return [_second("gammainc"), g * gamma_density(k, x) * (log(x) - psi(k)), None, None]


gamma_slope = _row(
    "gamma_slope",
    _gamma,
    "st_gamma_slope_{d}({0}, {1}, {2}, {3}, {x})",
    _GAMMA,
    "log",
    _of_gamma,
    "The derivative of gammainc(k, x) by k, from k, x, gammainc(k, x) and gammaincc(k, x).",
)

# -- the incomplete beta function by its first parameter ----------------------------------------


def _beta_terms(p: float, q: float, x: float, by_first: bool) -> Iterator[tuple[float, ...]]:
    """Yield the terms of the continued fraction 8.17.22 of the same library."""
    for m in range(_TERMS):
        u, v, w, z = p + m, p + q + m, p + 2 * m, p + 2 * m + 1
        odd = -u * v * x / (w * z)
        yield odd, 1.0, odd * (1 / u + 1 / v - 1 / w - 1 / z if by_first else 1 / v), 0.0
        n = m + 1
        u, v = p + 2 * n - 1, p + 2 * n
        step = n * x / (u * v)
        even = step * (q - n)
        yield even, 1.0, -even * (1 / u + 1 / v) if by_first else step, 0.0


def _beta(a: float, b: float, x: float, y: float, lower: float, upper: float) -> float:
    """Return the derivative of ``lower`` by a; ``y`` is 1 - x."""
    if not (a > 0 and b > 0 and 0 <= x <= 1) or math.isinf(a) or math.isinf(b):
        return math.nan
    if x == 0 or y == 0:
        return 0.0
    bracket = math.log(x) + (_psi(a + b) - _psi(a))
    if x * (a + b + 2) < a + 1:
        return lower * (bracket - 1 / a - _fraction(1.0, 0.0, _beta_terms(a, b, x, True)))
    return -upper * (bracket - _fraction(1.0, 0.0, _beta_terms(b, a, y, False)))


_BETA = (
    """\
static double st_beta_fraction_{d}(double p, double q, double x, int by_first) {
    double c = 1, dc = 0, d = 0, dd = 0, total = 0;
    for (double m = 0; m < 1e6; m += 0.5) {
        const int odd = m == __builtin_floor(m);
        const double n = odd ? m : m + 0.5, u = odd ? p + n : p + 2 * n - 1;
        const double v = odd ? p + q + n : p + 2 * n, w = p + 2 * n, z = w + 1;
        const double unit = odd ? -u * v * x / (w * z) : n * x / (u * v);
        const double a = odd ? unit : unit * (q - n), b = 1, db = 0;
        const double da = odd
            ? a * (by_first ? 1 / u + 1 / v - 1 / w - 1 / z : 1 / v)
            : (by_first ? -a * (1 / u + 1 / v) : unit);
"""
    + _FRACTION
    + """\
    }
    return __builtin_nan("");
}
static double st_beta_slope_{d}(double a, double b, double x, double y, double lower, double upper,
                                double (*psi)(double, int)) {
    if (!(a > 0 && b > 0 && 0 <= x && x <= 1) || __builtin_isinf(a) || __builtin_isinf(b))
        return __builtin_nan("");
    if (x == 0 || y == 0) return 0;
    const double bracket = log(x) + (psi(a + b, 0) - psi(a, 0));
    if (x * (a + b + 2) < a + 1)
        return lower * (bracket - 1 / a - st_beta_fraction_{d}(a, b, x, 1));
    return -upper * (bracket - st_beta_fraction_{d}(b, a, y, 0));
}
"""
)


def _of_beta(g: Any, s: Any, a: Any, b: Any, x: Any, y: Any, *others: Any) -> list[Any]:
    """Pull back to x, what everything after it depends on included."""
    slope = beta_density(a, b, x) * (log(x) + (psi(a + b) - psi(a)))
    return [_second("betainc"), _second("betainc"), g * slope, None, None, None]


beta_slope = _row(
    "beta_slope",
    _beta,
    "st_beta_slope_{d}({0}, {1}, {2}, {3}, {4}, {5}, {x})",
    _BETA,
    "log",
    _of_beta,
    "The derivative of betainc(a, b, x) by a, from a, b, x, 1 - x, betainc and betaincc.",
)

# -- the modified Bessel function of the second kind by its order -------------------------------

_POINTS = 160


def _bessel(v: float, x: float) -> float:
    """Return the derivative of kve by v: the integral of exp(x (1 - cosh t)) t sinh(v t)."""
    if not x > 0 or math.isnan(v) or math.isinf(v):
        return math.nan
    if v == 0 or math.isinf(x):
        return 0.0
    order, end = abs(v), 1.0
    while end < 2000 and 2 * x * math.sinh(min(end, 1400) / 2) ** 2 - order * end < 50:
        end *= 1.25
    total, step = 0.0, end / _POINTS
    for n in range(1, _POINTS):
        t = n * step
        fall = -2 * x * math.sinh(t / 2) ** 2
        if order * t < 1:
            total += 2 * t * math.exp(fall) * math.sinh(order * t)
        else:
            total += t * (math.exp(fall + order * t) - math.exp(fall - order * t))
    return math.copysign(total * step / 2, v)


_BESSEL = f"""\
static double st_kve_slope_{{d}}(double v, double x) {{
    if (!(x > 0) || __builtin_isnan(v) || __builtin_isinf(v)) return __builtin_nan("");
    if (v == 0 || __builtin_isinf(x)) return 0;
    const double order = __builtin_fabs(v);
    double end = 1, total = 0;
    for (; end < 2000; end *= 1.25) {{
        const double s = sinh((end < 1400 ? end : 1400) / 2);
        if (!(2 * x * s * s - order * end < 50)) break;
    }}
    const double step = end / {_POINTS};
    for (int n = 1; n < {_POINTS}; n++) {{
        const double t = n * step, s = sinh(t / 2), fall = -2 * x * s * s;
        total += order * t < 1 ? 2 * t * exp(fall) * sinh(order * t)
                               : t * (exp(fall + order * t) - exp(fall - order * t));
    }}
    return __builtin_copysign(total * step / 2, v);
}}
"""


def _of_kve(g: Any, y: Any, v: Any, x: Any) -> list[Any]:
    around = kve_slope(v - 1, x) + kve_slope(v + 1, x)
    return [_second("kve"), g * (y - number(x, 0.5) * around)]


kve_slope: ScalarOp = _row(
    "kve_slope",
    _bessel,
    "st_kve_slope_{d}({0}, {1})",
    _BESSEL,
    "exp sinh",
    _of_kve,
    "The derivative of kve(v, x) by v.",
)

# -- the hypergeometric function by its parameters ----------------------------------------------


def _series(a: float, b: float, c: float, z: float) -> tuple[float, float, float, float]:
    """Return Gauss' series and its derivatives by a, b and c."""
    term, total = [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]
    for n in range(_TERMS):
        u, v, w = a + n, b + n, c + n
        f = z / (w * (n + 1))
        term = [
            term[0] * u * v * f,
            (term[1] * u + term[0]) * v * f,
            (term[2] * v + term[0]) * u * f,
            (term[3] - term[0] / w) * u * v * f,
        ]
        total = [whole + part for whole, part in zip(total, term, strict=True)]
        pairs = zip(term, total, strict=True)
        if n > 3 and all(abs(part) <= 1e-17 * abs(whole) for part, whole in pairs):
            return total[0], total[1], total[2], total[3]
    return (math.nan,) * 4


def _gauss(a: float, b: float, c: float, z: float, which: float) -> float:
    """Return a derivative: Pfaff's transformation takes negative z into the series' interval."""
    if z >= 1 or math.isinf(z):
        return math.nan
    if z >= 0:
        return _series(a, b, c, z)[int(which) + 1]
    value, first, second, third = _series(a, c - b, c, z / (z - 1))
    scale = (1 - z) ** -a
    inner = (first - math.log1p(-z) * value, -second, second + third)
    return float(scale * inner[int(which)])


_GAUSS = """\
static double st_hyp2f1_slope_{d}(double a, double b, double c, double z, int which) {
    if (!(z < 1) || __builtin_isinf(z)) return __builtin_nan("");
    const int turned = z < 0;
    const double second = turned ? c - b : b, point = turned ? z / (z - 1) : z;
    double t0 = 1, t1 = 0, t2 = 0, t3 = 0, s0 = 1, s1 = 0, s2 = 0, s3 = 0;
    int n = 0;
    for (; n < 1000000; n++) {
        const double u = a + n, v = second + n, w = c + n, f = point / (w * (n + 1.0));
        t3 = (t3 - t0 / w) * u * v * f;
        t2 = (t2 * v + t0) * u * f;
        t1 = (t1 * u + t0) * v * f;
        t0 = t0 * u * v * f;
        s0 += t0, s1 += t1, s2 += t2, s3 += t3;
        if (n > 3 && __builtin_fabs(t0) <= 1e-17 * __builtin_fabs(s0)
            && __builtin_fabs(t1) <= 1e-17 * __builtin_fabs(s1)
            && __builtin_fabs(t2) <= 1e-17 * __builtin_fabs(s2)
            && __builtin_fabs(t3) <= 1e-17 * __builtin_fabs(s3)) break;
    }
    if (n == 1000000) return __builtin_nan("");
    if (!turned) return which == 0 ? s1 : which == 1 ? s2 : s3;
    return pow(1 - z, -a) * (which == 0 ? s1 - log1p(-z) * s0 : which == 1 ? -s2 : s2 + s3);
}
"""

hyp2f1_slope = _row(
    "hyp2f1_slope",
    _gauss,
    "st_hyp2f1_slope_{d}({0}, {1}, {2}, {3}, (int){4})",
    _GAUSS,
    "log1p pow",
    lambda *_: [_second("hyp2f1")] * 5,
    "The derivative of hyp2f1(a, b, c, z) by parameter 0, 1 or 2, for z below 1.",
)

ROWS = (gamma_slope, beta_slope, kve_slope, hyp2f1_slope)

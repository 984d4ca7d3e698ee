"""The incomplete gamma and beta functions, and their inverses.

An inverse has its derivatives from the function: those of the density and, by the theorem on
implicit functions, of the function by its parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import row
from symtheano.scalar.arithmetic import neg
from symtheano.scalar.calculus import number
from symtheano.scalar.evaluation import Function, in_double, special
from symtheano.scalar.row import Pullback, ScalarOp
from symtheano.scalar.slopes import beta_density, beta_slope, gamma_density, gamma_slope
from symtheano.scalar.special import gamma, psi

_POSITIVE = (0.1, 10.0)
_INSIDE = (0.1, 0.9)


def _function(
    name: str,
    numpy: Function,
    expression: str,
    external: str,
    pullback: Pullback,
    domain: Sequence[tuple[float, float]],
    doc: str,
) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=len(domain),
        numpy=numpy,
        signature=row.floating_real,
        c={"f": expression},
        libm=("tgamma",) if "tgamma" in expression else (),
        external=external,
        pullback=pullback,
        cost=150 if len(domain) == 2 else 300,
        domain=tuple(domain),
        doc=doc,
    )


# -- gamma -------------------------------------------------------------------------------------


def _by_order(k: Any, x: Any) -> Any:
    return gamma_slope(k, x, gammainc(k, x), gammaincc(k, x))


def _of_lower(g: Any, y: Any, k: Any, x: Any) -> tuple[Any, Any]:
    return g * _by_order(k, x), g * gamma_density(k, x)


def _of_upper(g: Any, y: Any, k: Any, x: Any) -> tuple[Any, Any]:
    return neg(g * _by_order(k, x)), neg(g * gamma_density(k, x))


def _of_lower_inverse(g: Any, x: Any, k: Any, p: Any) -> tuple[Any, Any]:
    density = gamma_density(k, x)
    return neg(g * _by_order(k, x) / density), g / density


def _of_upper_inverse(g: Any, x: Any, k: Any, q: Any) -> tuple[Any, Any]:
    density = gamma_density(k, x)
    return neg(g * _by_order(k, x) / density), neg(g / density)


def _scaled(sign: int) -> Pullback:
    def pullback(g: Any, y: Any, k: Any, x: Any) -> tuple[Any, Any]:
        whole = gamma(k)
        by_order, density = whole * _by_order(k, x), whole * gamma_density(k, x)
        if sign < 0:
            by_order, density = neg(by_order), neg(density)
        return g * (by_order + y * psi(k)), g * density

    return pullback


_lower, _upper, _whole = special("gammainc"), special("gammaincc"), special("gamma")
_BOTH = (_POSITIVE, _POSITIVE)

gammainc = _function(
    "gammainc", _lower, "{x}({0}, {1}, 0)", "gammainc", _of_lower, _BOTH,
    "The regularized lower incomplete gamma function of order and operand.",
)  # fmt: skip
gammaincc = _function(
    "gammaincc", _upper, "{x}({0}, {1}, 0)", "gammaincc", _of_upper, _BOTH,
    "The regularized upper incomplete gamma function of order and operand.",
)  # fmt: skip
gammal = _function(
    "gammal", in_double(lambda k, x: _lower(k, x) * _whole(k)), "{x}({0}, {1}, 0) * tgamma({0})",
    "gammainc", _scaled(1), _BOTH, "The lower incomplete gamma function of order and operand.",
)  # fmt: skip
gammau = _function(
    "gammau", in_double(lambda k, x: _upper(k, x) * _whole(k)), "{x}({0}, {1}, 0) * tgamma({0})",
    "gammaincc", _scaled(-1), _BOTH, "The upper incomplete gamma function of order and operand.",
)  # fmt: skip
gammaincinv = _function(
    "gammaincinv", special("gammaincinv"), "{x}({0}, {1}, 0)", "gammaincinv", _of_lower_inverse,
    (_POSITIVE, _INSIDE), "The operand at which gammainc of the order has the given value.",
)  # fmt: skip
gammainccinv = _function(
    "gammainccinv", special("gammainccinv"), "{x}({0}, {1}, 0)", "gammainccinv", _of_upper_inverse,
    (_POSITIVE, _INSIDE), "The operand at which gammaincc of the order has the given value.",
)  # fmt: skip


def _of_chi2sf(g: Any, y: Any, x: Any, k: Any) -> tuple[Any, Any]:
    half = number(x, 0.5)
    u, n = x * half, k * half
    return neg(g * half * gamma_density(n, u)), neg(g * half * _by_order(n, u))


chi2sf = _function(
    "chi2sf", in_double(lambda x, k: _upper(k / 2, x / 2)), "{x}({1} * 0.5, {0} * 0.5, 0)",
    "gammaincc", _of_chi2sf, _BOTH,
    "The probability that a chi-squared variable of k degrees of freedom exceeds x.",
)  # fmt: skip

# -- beta --------------------------------------------------------------------------------------


def _by_parameters(a: Any, b: Any, x: Any) -> tuple[Any, Any]:
    """Return the derivatives of betainc by a and by b, which is the other's mirror image."""
    lower, upper, y = betainc(a, b, x), betaincc(a, b, x), 1 - x
    return beta_slope(a, b, x, y, lower, upper), neg(beta_slope(b, a, y, x, upper, lower))


def _of_beta(g: Any, y: Any, a: Any, b: Any, x: Any) -> tuple[Any, Any, Any]:
    by_a, by_b = _by_parameters(a, b, x)
    return g * by_a, g * by_b, g * beta_density(a, b, x)


def _of_beta_complement(g: Any, y: Any, a: Any, b: Any, x: Any) -> tuple[Any, Any, Any]:
    by_a, by_b, by_x = _of_beta(g, y, a, b, x)
    return neg(by_a), neg(by_b), neg(by_x)


def _of_beta_inverse(g: Any, x: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any, Any]:
    by_a, by_b = _by_parameters(a, b, x)
    step = g / beta_density(a, b, x)
    return neg(step * by_a), neg(step * by_b), step


_TRIPLE = (_POSITIVE, _POSITIVE, _INSIDE)

betainc = _function(
    "betainc", special("betainc"), "{x}({0}, {1}, {2}, 0)", "betainc", _of_beta, _TRIPLE,
    "The regularized incomplete beta function of a, b and x.",
)  # fmt: skip
betaincc = _function(
    "betaincc", special("betaincc"), "{x}({0}, {1}, {2}, 0)", "betaincc", _of_beta_complement,
    _TRIPLE, "1 - betainc(a, b, x), accurate where it is small.",
)  # fmt: skip
betaincinv = _function(
    "betaincinv", special("betaincinv"), "{x}({0}, {1}, {2}, 0)", "betaincinv", _of_beta_inverse,
    _TRIPLE, "The x at which betainc(a, b, x) has the given value.",
)  # fmt: skip

ROWS = (
    gammainc, gammaincc, gammal, gammau, gammaincinv, gammainccinv, chi2sf, betainc, betaincc,
    betaincinv,
)  # fmt: skip

"""Distribution functions: chi-squared, Poisson, binomial, F, and Student's t."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.operands import float_operand


def chdtr(v: Any, x: Any) -> Tensor:
    """Return the distribution function of chi-squared with ``v`` degrees of freedom at ``x``.

    Examples
    --------
    >>> f"{chdtr(2.0, 2.0).eval():.4f}"
    '0.6321'
    """
    return scalar.gammainc(float_operand(v) / 2, float_operand(x) / 2)


def chdtrc(v: Any, x: Any) -> Tensor:
    """Return ``1 - chdtr(v, x)`` without cancellation.

    Examples
    --------
    >>> f"{chdtrc(2.0, 2.0).eval():.4f}"
    '0.3679'
    """
    return scalar.gammaincc(float_operand(v) / 2, float_operand(x) / 2)


def pdtr(k: Any, m: Any) -> Tensor:
    """Return the probability of at most ``k`` events of a Poisson distribution of mean ``m``.

    Examples
    --------
    >>> f"{pdtr(1.0, 2.0).eval():.4f}"
    '0.4060'
    """
    return scalar.gammaincc(_events(k), float_operand(m))


def pdtrc(k: Any, m: Any) -> Tensor:
    """Return the probability of more than ``k`` events of a Poisson distribution of mean ``m``.

    Examples
    --------
    >>> f"{pdtrc(1.0, 2.0).eval():.4f}"
    '0.5940'
    """
    return scalar.gammainc(_events(k), float_operand(m))


def _events(k: Any) -> Tensor:
    """Return one more than a number of events; NaN for negative ones."""
    k = scalar.floor(float_operand(k))
    return scalar.switch(scalar.lt(k, 0), k.constant_like(math.nan), k + 1)


def bdtr(k: Any, n: Any, p: Any) -> Tensor:
    """Return the probability of at most ``k`` successes in ``n`` trials of probability ``p``.

    Numbers of successes and trials are rounded down. The result is NaN for negative ``k``, and for
    ``k`` above ``n``.

    Examples
    --------
    >>> f"{bdtr(1.0, 4, 0.5).eval():.4f}"
    '0.3125'
    """
    return _binomial(scalar.betaincc, 1, k, n, float_operand(p))


def bdtrc(k: Any, n: Any, p: Any) -> Tensor:
    """Return the probability of more than ``k`` successes in ``n`` trials of probability ``p``.

    Numbers of successes and trials are rounded down. The result is 1 for negative ``k``, and NaN
    for ``k`` above ``n``.

    Examples
    --------
    >>> f"{bdtrc(1.0, 4, 0.5).eval():.4f}"
    '0.6875'
    """
    k, n, p = float_operand(k), float_operand(n), float_operand(p)
    surely = scalar.and_(scalar.lt(k, 0), scalar.and_(scalar.eq(n, n), _is_probability(p)))
    value = _binomial(scalar.betainc, 0, k, n, p)
    return scalar.switch(surely, value.constant_like(1), value)


def _binomial(beta: Any, of_all: int, k: Any, n: Any, p: Any) -> Tensor:
    """Return a function of ``k``, which is ``of_all`` if that is ``n``; NaN where none is."""
    successes = _events(k)
    failures = scalar.floor(float_operand(n)) + 1 - successes
    none = scalar.eq(failures, 0)
    value = beta(successes, scalar.switch(none, failures.constant_like(1), failures), p)
    whole = scalar.and_(none, _is_probability(p))
    return scalar.switch(whole, value.constant_like(of_all), value)


def _is_probability(p: Any) -> Tensor:
    return scalar.and_(scalar.ge(p, 0), scalar.le(p, 1))


def fdtr(dfn: Any, dfd: Any, x: Any) -> Tensor:
    """Return the distribution function of F with ``dfn`` and ``dfd`` degrees of freedom.

    It is NaN for negative ``x``, and unless the degrees of freedom are positive and finite.

    Examples
    --------
    >>> f"{fdtr(2.0, 2.0, 3.0).eval():.4f}"
    '0.7500'
    """
    return _ratio_of_variances(dfn, dfd, x, scalar.betainc, scalar.betaincc)


def fdtrc(dfn: Any, dfd: Any, x: Any) -> Tensor:
    """Return ``1 - fdtr(dfn, dfd, x)`` without cancellation.

    Examples
    --------
    >>> f"{fdtrc(2.0, 2.0, 3.0).eval():.4f}"
    '0.2500'
    """
    return _ratio_of_variances(dfn, dfd, x, scalar.betaincc, scalar.betainc)


def _ratio_of_variances(dfn: Any, dfd: Any, x: Any, lower: Any, upper: Any) -> Tensor:
    """Return ``lower`` of the variance of ``dfn`` degrees as a part of both, ``upper`` of the rest.

    Of the two, the one whose argument is below 1/2 is used.
    """
    dfn, dfd, x = _freedom(dfn), _freedom(dfd), float_operand(x)
    product = dfn * scalar.switch(scalar.lt(x, 0), x.constant_like(math.nan), x)
    small, total = scalar.lt(product, dfd), product + dfd
    half = total.constant_like(0.5)
    first = lower(dfn / 2, dfd / 2, scalar.switch(small, product / total, half))
    second = upper(dfd / 2, dfn / 2, scalar.switch(small, half, dfd / total))
    return scalar.switch(small, first, second)


def _freedom(degrees: Any) -> Tensor:
    """Return degrees of freedom; NaN unless they are positive and finite."""
    degrees = float_operand(degrees)
    valid = scalar.and_(scalar.gt(degrees, 0), scalar.lt(degrees, math.inf))
    return scalar.switch(valid, degrees, degrees.constant_like(math.nan))


def stdtr(df: Any, t: Any) -> Tensor:
    """Return the distribution function of Student's t with ``df`` degrees of freedom.

    Examples
    --------
    >>> stdtr(1.0, [0.0, 1.0]).eval().round(9).tolist()
    [0.5, 0.75]
    """
    df, t = float_operand(df), float_operand(t)
    normal = scalar.gt(df, 1e20)  # the difference is less than rounding errors
    outside = fdtrc(1.0, scalar.switch(normal, df.constant_like(1), df), scalar.sqr(t)) / 2
    value = scalar.switch(scalar.lt(t, 0), outside, 1 - outside)
    return scalar.switch(normal, scalar.ndtr(t), value)

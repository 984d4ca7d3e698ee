"""The gamma function and its relatives: factorials, numbers of choices, the zeta function."""

from __future__ import annotations

import math
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand

_LARGE = 30
"""Products of fewer factors are written out; Stirling's series are exact above."""


def factorial(n: Any) -> Tensor:
    """Return ``gamma(n + 1)``, also between integers; 0 for negative numbers.

    Examples
    --------
    >>> factorial(np.array([0.0, 3.0, 5.0])).eval().tolist()
    [1.0, 6.0, 120.0]
    """
    n = float_operand(n)
    return scalar.switch(scalar.lt(n, 0), n.constant_like(0), scalar.gamma(n + 1))


def poch(z: Any, m: Any) -> Tensor:
    """Return Pochhammer's symbol ``gamma(z + m) / gamma(z)``.

    For an ``int`` m from 0 to 30, it is computed as a product. Where both gamma functions are
    infinite, it is the limit for integers m.

    Examples
    --------
    >>> poch(np.array([2.0]), 3).eval().round(9).tolist()
    [24.0]
    """
    z = float_operand(z)
    if isinstance(m, int) and 0 <= m <= _LARGE:
        product = scalar.second(z, z.constant_like(1))
        for k in range(m):
            product = product * (z + k)
        return product
    m = float_operand(m)
    top, one = z + m, z.constant_like(1)
    pole, top_pole = _is_pole(z), _is_pole(top)
    both = scalar.and_(scalar.and_(pole, top_pole), scalar.eq(m, scalar.floor(m)))
    # Where both are infinite, the quotient is (-1)**m gamma(1 - z) / gamma(1 - top).
    low, high = scalar.switch(both, 1 - top, z), scalar.switch(both, 1 - z, top)
    parity = scalar.switch(scalar.neq(scalar.mod(m, 2), 0), -one, one)
    sign = scalar.switch(both, parity, gammasgn(high) * gammasgn(low))
    value = sign * scalar.exp(_log_of_quotient(high, low, m))
    infinite = scalar.switch(top_pole, one * math.inf, value)
    value = scalar.switch(both, value, scalar.switch(pole, top * 0, infinite))
    return scalar.switch(scalar.eq(m, 0), one, value)


def _log_of_quotient(high: Tensor, low: Tensor, m: Tensor) -> Tensor:
    """Return the logarithm of abs(gamma(high) / gamma(low)), where m is their difference."""
    large = scalar.and_(scalar.gt(low, _LARGE), scalar.gt(high, _LARGE))
    # Differences of gammaln would lose digits; see Abramowitz and Stegun, 6.1.41.
    one = low.constant_like(1)
    v, w = scalar.switch(large, high, one), scalar.switch(large, low, one)
    m = scalar.switch(large, m, one)
    log = m * scalar.log(w) + ((v - 0.5) * scalar.log1p(m / w) - m)
    for k, factor in ((1, 1 / 12), (3, -1 / 360), (5, 1 / 1260)):
        log = log + low.constant_like(factor) * (v**-k - w**-k)
    log = scalar.switch(scalar.isinf(v), v * m, log)
    return scalar.switch(large, log, scalar.gammaln(high) - scalar.gammaln(low))


def _is_pole(z: Tensor) -> Tensor:
    """Return whether numbers are 0 or negative integers, where the gamma function is infinite."""
    return scalar.and_(scalar.le(z, 0), scalar.eq(z, scalar.floor(z)))


def multigammaln(a: Any, d: int) -> Tensor:
    """Return the logarithm of the multivariate gamma function of dimension ``d``.

    Parameters
    ----------
    a
        Array of numbers above ``(d - 1) / 2``.
    d
        Dimension, a positive integer.

    Examples
    --------
    >>> multigammaln(np.array([3.0]), 1).eval().round(4).tolist()
    [0.6931]
    """
    if isinstance(d, bool) or not hasattr(d, "__index__") or d < 1:
        raise ValueError(f"multigammaln: the dimension d must be a positive integer, got {d!r}")
    a = float_operand(a)
    total = scalar.gammaln(a)
    for step in range(1, int(d)):
        total = total + scalar.gammaln(a - a.constant_like(step / 2))
    return scalar.add(total, a.constant_like(d * (d - 1) / 4 * math.log(math.pi)))


def loggamma(z: Any) -> Tensor:
    """Return the logarithm of the gamma function of real numbers; NaN for negative ones.

    Raises
    ------
    TypeError
        If ``z`` is complex.

    Examples
    --------
    >>> f"{loggamma(5.0).eval():.4f}"
    '3.1781'
    """
    z = float_operand(z)
    if dtypes.is_complex(z.dtype):
        raise TypeError(build_message("loggamma takes real numbers", z))
    return scalar.switch(scalar.lt(z, 0), z.constant_like(math.nan), scalar.gammaln(z))


def gammasgn(x: Any) -> Tensor:
    """Return the sign of the gamma function; NaN at negative integers and for NaN.

    Examples
    --------
    >>> f"{gammasgn(-0.5).eval():.4f}"
    '-1.0000'
    """
    x = float_operand(x)
    floor = scalar.floor(x)
    odd = scalar.neq(scalar.mod(floor, 2), 0)
    signs = scalar.switch(odd, x.constant_like(-1), x.constant_like(1))
    signs = scalar.switch(scalar.gt(x, floor), signs, x.constant_like(math.nan))
    zero = scalar.switch(scalar.signbit(x), x.constant_like(-1), x.constant_like(1))
    return scalar.switch(
        scalar.gt(x, 0), x.constant_like(1), scalar.switch(scalar.eq(x, 0), zero, signs)
    )


def rgamma(z: Any) -> Tensor:
    """Return ``1 / gamma(z)``, which is 0 for 0 and negative integers.

    Examples
    --------
    >>> f"{rgamma(3.0).eval():.4f}"
    '0.5000'
    """
    z = float_operand(z)
    pole = _is_pole(z)
    inner = scalar.reciprocal(scalar.gamma(scalar.switch(pole, z.constant_like(1), z)))
    return scalar.switch(pole, z.constant_like(0), inner)


def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Tensor:
    """Return the number of ways to choose ``k`` of ``N`` things.

    Parameters
    ----------
    N, k
        Arrays. The result is 0 for negative numbers, and for ``k`` above ``N`` unless things can be
        chosen more than once.
    exact
        Must be False: results are floats.
    repetition
        Whether things can be chosen more than once.

    Examples
    --------
    >>> comb(5, [2, 6]).eval().round(9).tolist()
    [10.0, 0.0]
    """
    _inexact("comb", exact)
    n, k = float_operand(N), float_operand(k)
    if repetition:
        inside = scalar.and_(scalar.ge(n, 0), scalar.ge(k, 0))
        value = scalar.binom(n + k - 1, k)
        value = scalar.switch(scalar.eq(k, 0), value.constant_like(1), value)
    else:
        inside, value = _between(n, k), scalar.binom(n, k)
    return scalar.switch(inside, value, value.constant_like(0))


def perm(N: Any, k: Any, exact: bool = False) -> Tensor:
    """Return the number of sequences of ``k`` of ``N`` things; see :func:`comb`.

    Examples
    --------
    >>> perm(5, [2, 6]).eval().round(9).tolist()
    [20.0, 0.0]
    """
    _inexact("perm", exact)
    n, k = float_operand(N), float_operand(k)
    inside = _between(n, k)
    value = scalar.binom(n, k) * scalar.gamma(k + 1)
    return scalar.switch(inside, value, value.constant_like(0))


def _between(n: Any, k: Any) -> Tensor:
    return scalar.and_(scalar.le(k, n), scalar.and_(scalar.ge(n, 0), scalar.ge(k, 0)))


def _inexact(name: str, exact: bool) -> None:
    if exact:
        what = f"{name}: exact=True computes Python integers"
        raise NotImplementedError(build_message(what, hint=f"leave it out, or use math.{name}"))


def zeta(x: Any, q: Any = None) -> Tensor:
    """Return Hurwitz' zeta function ``sum((k + q) ** -x)`` over k = 0, 1, ...

    Without ``q``, it is Riemann's zeta function. It is NaN for ``x`` below 1, where the sum does
    not converge.

    Examples
    --------
    >>> float(zeta(np.float64(2)).eval())
    1.644934066848...
    """
    return scalar.zeta(float_operand(x), 1.0 if q is None else q)

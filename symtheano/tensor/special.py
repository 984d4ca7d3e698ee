"""Special functions: those of ``scipy.special`` that exist here, with SciPy's arguments.

Most of them are rows of the scalar table; the functions that are defined here are expressions of
others. ``symtheano.tensor.nnet.softmax`` works along the last axis, and :func:`softmax` here over
all elements by default, as SciPy's does.
"""

# mypy: implicit-reexport

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from symtheano import dtypes
from symtheano.names import late
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.softmax import (
    logsoftmax as _logsoftmax,
    logsumexp as _logsumexp,
    softmax as _softmax,
)
from symtheano.tensor.numerical import sinc as sinc

if TYPE_CHECKING:
    from symtheano.tensor.special_lazy import *  # noqa: F403 (written from the table below)
else:
    __getattr__, __dir__, __all__ = late(
        __name__,
        {
            "tensor": "beta betainc betaincc betaincinv betaln binom cbrt digamma entr erf erfc "
            "erfcinv erfcx erfinv exp2 expit expm1 gamma gammainc gammaincc gammainccinv "
            "gammaincinv gammaln hyp2f1 i0 i0e i1 i1e iv ive j0 j1 jv kl_div kv kve log1p "
            "log_ndtr logit ndtr ndtri owens_t polygamma psi rel_entr round=round_half_to_even "
            "softplus xlog1py xlogy",
        },
        """bdtr bdtrc boxcox boxcox1p chdtr chdtrc comb cosdg cosm1 eval_chebyt eval_chebyu
        eval_hermite eval_hermitenorm eval_laguerre eval_legendre exp10 exprel factorial fdtr fdtrc
        gammasgn huber inv_boxcox inv_boxcox1p jn k0 k0e k1 k1e kn log_expit log_softmax
        logdiffexp loggamma logsumexp multigammaln pdtr pdtrc perm poch powm1 pseudo_huber rgamma
        sinc sindg softmax stdtr tandg zeta""".split(),
    )


_LARGE = 30
"""Below, the gamma function does not overflow, in single precision either."""


def _floating(x: Any) -> Any:
    """Return ``x`` as a variable of the dtype in which functions of it are computed."""
    x = as_tensor_variable(x)
    return x.astype(scalar.exp.signature((x.dtype,)).result)


def factorial(n: Any) -> Tensor:
    """Return ``gamma(n + 1)``, also between integers; 0 for negative numbers.

    Examples
    --------
    >>> factorial(np.array([0.0, 3.0, 5.0])).eval().tolist()
    [1.0, 6.0, 120.0]
    """
    n = _floating(n)
    return scalar.switch(scalar.lt(n, 0), n.constant_like(0), scalar.gamma(n + 1))


def poch(z: Any, m: Any) -> Tensor:
    """Return Pochhammer's symbol ``gamma(z + m) / gamma(z)``.

    For an ``int`` m from 0 to 30, it is computed as a product. Otherwise it is NaN for z = 0, -1,
    -2, ...

    Examples
    --------
    >>> poch(np.array([2.0]), 3).eval().round(9).tolist()
    [24.0]
    """
    z = _floating(z)
    if isinstance(m, int) and 0 <= m <= _LARGE:
        product = scalar.second(z, z.constant_like(1))
        for k in range(m):
            product = product * (z + k)
        return product
    m = as_tensor_variable(m)
    # The gamma function overflows where the quotient of two of its values does not.
    large = scalar.and_(scalar.gt(z, _LARGE), scalar.gt(z + m, 0))
    large = scalar.or_(large, scalar.and_(scalar.gt(z + m, _LARGE), scalar.gt(z, 0)))
    one, none = z.constant_like(1), z.constant_like(0)
    low, add = scalar.switch(large, one, z), scalar.switch(large, none, m)
    high, more = scalar.switch(large, z, one), scalar.switch(large, m, none)
    quotient = scalar.gamma(low + add) / scalar.gamma(low)
    return scalar.switch(
        large, scalar.exp(scalar.gammaln(high + more) - scalar.gammaln(high)), quotient
    )


def log_expit(x: Any) -> Tensor:
    """Return the logarithm of ``expit(x)``, the sigmoid.

    Examples
    --------
    >>> log_expit(np.array([-1000.0])).eval().tolist()
    [-1000.0]
    """
    return -scalar.softplus(-_floating(x))


def softmax(x: Any, axis: Any = None) -> Tensor:
    """Return ``exp(x) / sum(exp(x))``, by default over all elements.

    Parameters
    ----------
    x
        Array.
    axis
        An axis, several in a tuple, or None for all.

    Examples
    --------
    >>> softmax([[0.0, 0.0], [0.0, 0.0]]).eval().tolist()
    [[0.25, 0.25], [0.25, 0.25]]
    """
    return _softmax(x, axis)


def log_softmax(x: Any, axis: Any = None) -> Tensor:
    """Return ``log(softmax(x, axis))`` without overflow; arguments as for :func:`softmax`.

    Examples
    --------
    >>> log_softmax(np.array([1000.0, 0.0])).eval().tolist()
    [0.0, -1000.0]
    """
    return _logsoftmax(x, axis)


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False) -> Tensor:
    """Return ``log(sum(b * exp(a)))`` without overflow.

    Parameters
    ----------
    a
        Array.
    axis
        An axis, several in a tuple, or None for all.
    b
        Factors, which are broadcast; None for 1. The result is NaN where the sum is negative.
    keepdims
        Whether reduced axes are kept with length 1.

    Examples
    --------
    >>> float(logsumexp(np.array([1000.0, 1000.0]), b=np.array([0.5, 0.5])).eval())
    1000.0
    """
    if b is None:
        return _logsumexp(a, axis, keepdims)
    a, b = _floating(a), as_tensor_variable(b)
    a = scalar.switch(scalar.eq(b, 0), a.constant_like(-math.inf), a)  # 0 * inf is no NaN here
    top = a.max(axis=axis, keepdims=True)
    top = scalar.switch(scalar.isinf(top), top.constant_like(0), top)
    found = scalar.log((b * scalar.exp(a - top)).sum(axis=axis, keepdims=True)) + top
    return found if keepdims else found.sum(axis=axis)


def zeta(x: Any, q: Any = None) -> Tensor:
    """Return Hurwitz' zeta function ``sum((k + q) ** -x)`` over k = 0, 1, ...

    Without ``q``, it is Riemann's zeta function. It is NaN for ``x`` below 1, where the sum does
    not converge.

    Examples
    --------
    >>> float(zeta(np.float64(2)).eval())
    1.644934066848...
    """
    return scalar.zeta(_floating(x), 1.0 if q is None else q)


def logdiffexp(a: Any, b: Any) -> Tensor:
    """Return ``log(exp(a) - exp(b))`` for ``a`` not below ``b``, without overflow.

    Examples
    --------
    >>> logdiffexp(np.array([1000.0]), 999).eval().round(4).tolist()
    [999.5413]
    """
    a = _floating(a)
    made: Tensor = a + scalar.log1mexp(b - a)
    return made


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
    a = _floating(a)
    total = scalar.gammaln(a)
    for step in range(1, int(d)):
        total = total + scalar.gammaln(a - a.constant_like(step / 2))
    made: Tensor = total + a.constant_like(d * (d - 1) / 4 * math.log(math.pi))
    return made


# -- short forms -----------------------------------------------------------------------------------


def exp10(x: Any) -> Tensor:
    """Return ``10 ** x``.

    Examples
    --------
    >>> f"{exp10(2.0).eval():.4f}"
    '100.0000'
    """
    x = _floating(x)
    return scalar.pow(x.constant_like(10), x)


def exprel(x: Any) -> Tensor:
    """Return ``(exp(x) - 1) / x``, which is 1 for 0.

    Examples
    --------
    >>> import numpy as np
    >>> exprel(np.array([0.0, 1.0])).eval().round(4).tolist()
    [1.0, 1.7183]
    """
    x = _floating(x)
    # Near 0, where derivatives of the quotient are not exact, the series is.
    small = scalar.lt(scalar.abs(x), x.constant_like(0.1 if x.dtype == "float32" else 0.005))
    other = scalar.switch(small, x.constant_like(1), x)
    series = 1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)))
    quotient = scalar.switch(scalar.isinf(x), scalar.expm1(x), scalar.expm1(other) / other)
    quotient = scalar.switch(scalar.eq(x, -math.inf), x.constant_like(0), quotient)
    return scalar.switch(small, series.astype(x.dtype), quotient)


def cosm1(x: Any) -> Tensor:
    """Return ``cos(x) - 1`` without cancellation near 0.

    Examples
    --------
    >>> float(cosm1(1e-4).eval()) < 0
    True
    """
    return -2 * scalar.sqr(scalar.sin(_floating(x) / 2))


def powm1(x: Any, y: Any) -> Tensor:
    """Return ``x ** y - 1`` without cancellation near 1; NaN for negative ``x``.

    Examples
    --------
    >>> f"{powm1(1.5, 2.0).eval():.4f}"
    '1.2500'
    """
    return scalar.expm1(scalar.xlogy(as_tensor_variable(y), _floating(x)))


def _degrees(x: Any) -> Any:
    """Return the sine and the cosine of an angle in degrees, exact at multiples of 90."""
    x = scalar.mod(_floating(x), 360.0)
    quarters = scalar.round_half_to_even(x / 90)
    rest = scalar.deg2rad(x - 90 * quarters)
    sine, cosine = scalar.sin(rest), scalar.cos(rest)
    odd = scalar.eq(scalar.mod(quarters, 2), 1)
    first = scalar.switch(odd, cosine, sine)
    second = scalar.switch(odd, sine, cosine)
    quarters = scalar.mod(quarters, 4)
    below = scalar.ge(quarters, 2)
    left = scalar.or_(scalar.eq(quarters, 1), scalar.eq(quarters, 2))
    return scalar.switch(below, -first, first), scalar.switch(left, -second, second)


def sindg(x: Any) -> Tensor:
    """Return the sine of angles in degrees.

    Examples
    --------
    >>> f"{sindg(30.0).eval():.4f}"
    '0.5000'
    """
    made: Tensor = _degrees(x)[0]
    return made


def cosdg(x: Any) -> Tensor:
    """Return the cosine of angles in degrees.

    Examples
    --------
    >>> f"{cosdg(60.0).eval():.4f}"
    '0.5000'
    """
    made: Tensor = _degrees(x)[1]
    return made


def tandg(x: Any) -> Tensor:
    """Return the tangent of angles in degrees.

    Examples
    --------
    >>> f"{tandg(45.0).eval():.4f}"
    '1.0000'
    """
    sine, cosine = _degrees(x)
    made: Tensor = sine / cosine
    return made


def boxcox(x: Any, lmbda: Any) -> Tensor:
    """Return the Box-Cox transform ``(x ** lmbda - 1) / lmbda``, which is ``log(x)`` for 0.

    Examples
    --------
    >>> boxcox([1.0, 4.0], 0.5).eval().tolist()
    [0.0, 2.0]
    """
    return _boxcox(scalar.log(_floating(x)), lmbda)


def boxcox1p(x: Any, lmbda: Any) -> Tensor:
    """Return :func:`boxcox` of ``1 + x``.

    Examples
    --------
    >>> f"{boxcox1p(3.0, 0.5).eval():.4f}"
    '2.0000'
    """
    return _boxcox(scalar.log1p(_floating(x)), lmbda)


def _boxcox(log: Tensor, lmbda: Any) -> Tensor:
    lmbda = as_tensor_variable(lmbda)
    infinite, zero = scalar.isinf(log), scalar.eq(lmbda, 0)
    other = scalar.switch(scalar.and_(infinite, ~zero), lmbda, lmbda.constant_like(1))
    limit = scalar.switch(zero, log, scalar.expm1(other * log) / other)
    finite = scalar.switch(infinite, log.constant_like(0), log)
    return scalar.switch(infinite, limit, finite * exprel(lmbda * finite))


def inv_boxcox(y: Any, lmbda: Any) -> Tensor:
    """Return the inverse of :func:`boxcox`.

    Examples
    --------
    >>> f"{inv_boxcox(2.0, 0.5).eval():.4f}"
    '4.0000'
    """
    return scalar.exp(_inv_boxcox(y, lmbda))


def inv_boxcox1p(y: Any, lmbda: Any) -> Tensor:
    """Return the inverse of :func:`boxcox1p`.

    Examples
    --------
    >>> f"{inv_boxcox1p(2.0, 0.5).eval():.4f}"
    '3.0000'
    """
    return scalar.expm1(_inv_boxcox(y, lmbda))


def _inv_boxcox(y: Any, lmbda: Any) -> Any:
    y, lmbda = _floating(y), as_tensor_variable(lmbda)
    zero = scalar.eq(lmbda, 0)
    other = scalar.switch(zero, lmbda.constant_like(1), lmbda)
    return scalar.switch(zero, y, scalar.log1p(other * y) / other)


def huber(delta: Any, r: Any) -> Tensor:
    """Return ``r**2 / 2`` up to ``delta``, and ``delta * (abs(r) - delta / 2)`` beyond.

    It is infinite for negative ``delta``.

    Examples
    --------
    >>> huber(1.0, [0.5, 3.0]).eval().tolist()
    [0.125, 2.5]
    """
    delta, r = _floating(delta), _floating(r)
    size = scalar.abs(r)
    beyond = delta * (size - delta / 2)
    made = scalar.switch(scalar.le(size, delta), scalar.sqr(r) / 2, beyond)
    return scalar.switch(scalar.lt(delta, 0), made.constant_like(math.inf), made)


def pseudo_huber(delta: Any, r: Any) -> Tensor:
    """Return ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``, a smooth :func:`huber`.

    Examples
    --------
    >>> pseudo_huber(1.0, [0.0]).eval().tolist()
    [0.0]
    """
    delta, r = _floating(delta), _floating(r)
    none = scalar.eq(delta, 0)
    square = scalar.sqr(r / scalar.switch(none, delta.constant_like(1), delta))
    # sqrt(1 + q) - 1 without cancellation
    made = scalar.sqr(delta) * scalar.expm1(scalar.log1p(square) / 2)
    made = scalar.switch(none, made.constant_like(0), made)
    return scalar.switch(scalar.lt(delta, 0), made.constant_like(math.inf), made)


# -- gamma and Bessel functions --------------------------------------------------------------------


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
    z = _floating(z)
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
    x = _floating(x)
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
    z = _floating(z)
    pole = scalar.and_(scalar.le(z, 0), scalar.eq(z, scalar.floor(z)))
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
    n, k = _floating(N), _floating(k)
    if repetition:
        inside = scalar.and_(scalar.ge(n, 0), scalar.ge(k, 0))
        made = scalar.binom(n + k - 1, k)
        made = scalar.switch(scalar.eq(k, 0), made.constant_like(1), made)
    else:
        inside, made = _between(n, k), scalar.binom(n, k)
    return scalar.switch(inside, made, made.constant_like(0))


def perm(N: Any, k: Any, exact: bool = False) -> Tensor:
    """Return the number of sequences of ``k`` of ``N`` things; see :func:`comb`.

    Examples
    --------
    >>> perm(5, [2, 6]).eval().round(9).tolist()
    [20.0, 0.0]
    """
    _inexact("perm", exact)
    n, k = _floating(N), _floating(k)
    inside = _between(n, k)
    made = poch(scalar.switch(inside, n - k + 1, n.constant_like(1)), k)
    return scalar.switch(inside, made, made.constant_like(0))


def _between(n: Any, k: Any) -> Any:
    return scalar.and_(scalar.le(k, n), scalar.and_(scalar.ge(n, 0), scalar.ge(k, 0)))


def _inexact(name: str, exact: bool) -> None:
    if exact:
        what = f"{name}: exact=True computes Python integers"
        raise NotImplementedError(build_message(what, hint=f"leave it out, or use math.{name}"))


def jn(n: Any, x: Any) -> Tensor:
    """Return the Bessel function of the first kind, ``jv(n, x)``.

    Examples
    --------
    >>> f"{jn(2, 1.0).eval():.4f}"
    '0.1149'
    """
    return scalar.jv(n, _floating(x))


def kn(n: Any, x: Any) -> Tensor:
    """Return the modified Bessel function of the second kind, ``kv(n, x)``.

    Examples
    --------
    >>> f"{kn(2, 1.0).eval():.4f}"
    '1.6248'
    """
    return scalar.kv(n, _floating(x))


def k0(x: Any) -> Tensor:
    """Return the modified Bessel function of the second kind of order 0.

    Examples
    --------
    >>> f"{k0(1.0).eval():.4f}"
    '0.4210'
    """
    return scalar.kv(0, _floating(x))


def k0e(x: Any) -> Tensor:
    """Return ``k0(x) * exp(x)``.

    Examples
    --------
    >>> f"{k0e(1.0).eval():.4f}"
    '1.1445'
    """
    return _scaled_k(0, x)


def k1(x: Any) -> Tensor:
    """Return the modified Bessel function of the second kind of order 1.

    Examples
    --------
    >>> f"{k1(1.0).eval():.4f}"
    '0.6019'
    """
    return scalar.kv(1, _floating(x))


def k1e(x: Any) -> Tensor:
    """Return ``k1(x) * exp(x)``.

    Examples
    --------
    >>> f"{k1e(1.0).eval():.4f}"
    '1.6362'
    """
    return _scaled_k(1, x)


def _scaled_k(n: int, x: Any) -> Tensor:
    """Return ``kve(n, x)``, which is NaN for infinity, with its limit there."""
    x = _floating(x)
    return scalar.switch(scalar.eq(x, math.inf), x.constant_like(0), scalar.kve(n, x))


# -- distributions ---------------------------------------------------------------------------------


def chdtr(v: Any, x: Any) -> Tensor:
    """Return the distribution function of chi-squared with ``v`` degrees of freedom at ``x``.

    Examples
    --------
    >>> f"{chdtr(2.0, 2.0).eval():.4f}"
    '0.6321'
    """
    return scalar.gammainc(_floating(v) / 2, _floating(x) / 2)


def chdtrc(v: Any, x: Any) -> Tensor:
    """Return ``1 - chdtr(v, x)`` without cancellation.

    Examples
    --------
    >>> f"{chdtrc(2.0, 2.0).eval():.4f}"
    '0.3679'
    """
    return scalar.gammaincc(_floating(v) / 2, _floating(x) / 2)


def pdtr(k: Any, m: Any) -> Tensor:
    """Return the probability of at most ``k`` events of a Poisson distribution of mean ``m``.

    Examples
    --------
    >>> f"{pdtr(1.0, 2.0).eval():.4f}"
    '0.4060'
    """
    return scalar.gammaincc(_events(k), _floating(m))


def pdtrc(k: Any, m: Any) -> Tensor:
    """Return the probability of more than ``k`` events of a Poisson distribution of mean ``m``.

    Examples
    --------
    >>> f"{pdtrc(1.0, 2.0).eval():.4f}"
    '0.5940'
    """
    return scalar.gammainc(_events(k), _floating(m))


def _events(k: Any) -> Any:
    """Return one more than a number of events; NaN for negative ones."""
    k = scalar.floor(_floating(k))
    return scalar.switch(scalar.lt(k, 0), k.constant_like(math.nan), k + 1)


def bdtr(k: Any, n: Any, p: Any) -> Tensor:
    """Return the probability of at most ``k`` successes in ``n`` trials of probability ``p``.

    Examples
    --------
    >>> f"{bdtr(1.0, 4, 0.5).eval():.4f}"
    '0.3125'
    """
    return _binomial(scalar.betaincc, 1, k, n, p)


def bdtrc(k: Any, n: Any, p: Any) -> Tensor:
    """Return the probability of more than ``k`` successes in ``n`` trials of probability ``p``.

    Examples
    --------
    >>> f"{bdtrc(1.0, 4, 0.5).eval():.4f}"
    '0.6875'
    """
    return _binomial(scalar.betainc, 0, k, n, p)


def _binomial(beta: Any, of_all: int, k: Any, n: Any, p: Any) -> Tensor:
    """Return a function of ``k``, which is ``of_all`` if that is ``n``; NaN where none is."""
    successes, n, p = _events(k), as_tensor_variable(n), _floating(p)
    left = n + 1 - successes
    made = beta(successes, scalar.switch(scalar.eq(left, 0), left.constant_like(1), left), p)
    whole = scalar.and_(scalar.eq(left, 0), scalar.and_(scalar.ge(p, 0), scalar.le(p, 1)))
    return scalar.switch(whole, made.constant_like(of_all), made)


def fdtr(dfn: Any, dfd: Any, x: Any) -> Tensor:
    """Return the distribution function of F with ``dfn`` and ``dfd`` degrees of freedom.

    Examples
    --------
    >>> f"{fdtr(2.0, 2.0, 3.0).eval():.4f}"
    '0.7500'
    """
    dfn, dfd, x = _freedom(dfn), _freedom(dfd), _floating(x)
    return scalar.betainc(dfn / 2, dfd / 2, scalar.reciprocal(1 + dfd / (dfn * x)))


def fdtrc(dfn: Any, dfd: Any, x: Any) -> Tensor:
    """Return ``1 - fdtr(dfn, dfd, x)`` without cancellation.

    Examples
    --------
    >>> f"{fdtrc(2.0, 2.0, 3.0).eval():.4f}"
    '0.2500'
    """
    dfn, dfd, x = _freedom(dfn), _freedom(dfd), _floating(x)
    return scalar.betainc(dfd / 2, dfn / 2, scalar.reciprocal(1 + dfn * x / dfd))


def _freedom(degrees: Any) -> Any:
    """Return degrees of freedom; NaN unless they are positive and finite."""
    degrees = _floating(degrees)
    valid = scalar.and_(scalar.gt(degrees, 0), scalar.lt(degrees, math.inf))
    return scalar.switch(valid, degrees, degrees.constant_like(math.nan))


def stdtr(df: Any, t: Any) -> Tensor:
    """Return the distribution function of Student's t with ``df`` degrees of freedom.

    Examples
    --------
    >>> stdtr(1.0, [0.0, 1.0]).eval().round(9).tolist()
    [0.5, 0.75]
    """
    df, t = _floating(df), _floating(t)
    normal, square = scalar.eq(df, math.inf), scalar.sqr(t)
    df = _freedom(scalar.switch(normal, df.constant_like(1), df))
    # The probability beyond abs(t), twice; of the two forms, the one whose argument is below 1/2.
    near = scalar.betaincc(0.5, df / 2, scalar.reciprocal(1 + df / square))
    tail = scalar.betainc(df / 2, 0.5, scalar.reciprocal(1 + square / df))
    outside = scalar.switch(scalar.lt(square, df), near, tail) / 2
    made = scalar.switch(scalar.lt(t, 0), outside, 1 - outside)
    return scalar.switch(normal, scalar.ndtr(t), made)


# -- orthogonal polynomials ------------------------------------------------------------------------


def _recurrence(name: str, n: Any, x: Any, first: Any, following: Any) -> Any:
    """Return polynomial n of a recurrence, from the first two and the next one of two.

    ``first`` is a function of x that returns polynomial 1; ``following`` is one of k, x, and
    polynomials k and k - 1, which returns polynomial k + 1.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        what = f"{name}: the degree must be an integer that is known, and not negative: {n!r}"
        raise TypeError(build_message(what))
    x = _floating(x)
    before, made = scalar.second(x, x.constant_like(1)), first(x)
    if n == 0:
        return before
    for k in range(1, n):
        before, made = made, following(k, x, made, before)
    return made


def eval_legendre(n: int, x: Any) -> Tensor:
    """Return Legendre's polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> eval_legendre(2, [0.0, 1.0]).eval().tolist()
    [-0.5, 1.0]
    """
    made: Tensor = _recurrence(
        "eval_legendre", n, x, lambda x: x,
        lambda k, x, p, q: (x * p * (2 * k + 1) - q * k) / (k + 1),
    )  # fmt: skip
    return made


def eval_chebyt(n: int, x: Any) -> Tensor:
    """Return Chebyshev's polynomial of the first kind of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_chebyt(3, 0.5).eval():.4f}"
    '-1.0000'
    """
    made: Tensor = _recurrence(
        "eval_chebyt", n, x, lambda x: x, lambda k, x, p, q: 2 * x * p - q
    )  # fmt: skip
    return made


def eval_chebyu(n: int, x: Any) -> Tensor:
    """Return Chebyshev's polynomial of the second kind of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_chebyu(3, 0.5).eval():.4f}"
    '-1.0000'
    """
    made: Tensor = _recurrence(
        "eval_chebyu", n, x, lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - q
    )  # fmt: skip
    return made


def eval_hermite(n: int, x: Any) -> Tensor:
    """Return the physicists' Hermite polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_hermite(2, 1.5).eval():.4f}"
    '7.0000'
    """
    made: Tensor = _recurrence(
        "eval_hermite", n, x, lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - q * (2 * k)
    )  # fmt: skip
    return made


def eval_hermitenorm(n: int, x: Any) -> Tensor:
    """Return the probabilists' Hermite polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_hermitenorm(2, 1.5).eval():.4f}"
    '1.2500'
    """
    made: Tensor = _recurrence(
        "eval_hermitenorm", n, x, lambda x: x, lambda k, x, p, q: x * p - q * k
    )  # fmt: skip
    return made


def eval_laguerre(n: int, x: Any) -> Tensor:
    """Return Laguerre's polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_laguerre(2, 1.0).eval():.4f}"
    '-0.5000'
    """
    made: Tensor = _recurrence(
        "eval_laguerre", n, x, lambda x: 1 - x,
        lambda k, x, p, q: ((2 * k + 1 - x) * p - q * k) / (k + 1),
    )  # fmt: skip
    return made

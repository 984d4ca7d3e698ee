"""Special functions: those of ``scipy.special`` that exist here, with SciPy's arguments.

Most of them are rows of the scalar table; the functions that are defined here are expressions of
others. ``symtheano.tensor.nnet.softmax`` works along the last axis, and :func:`softmax` here over
all elements by default, as SciPy's does.
"""

# mypy: implicit-reexport

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from symtheano.names import late
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.nnet.softmax import (
    logsoftmax as _logsoftmax,
    logsumexp as _logsumexp,
    softmax as _softmax,
)

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
        """factorial log_expit log_softmax logdiffexp logsumexp multigammaln poch softmax
        zeta""".split(),
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
    >>> import numpy as np
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
    >>> import numpy as np
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
    >>> import numpy as np
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
    >>> import numpy as np
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
    >>> import numpy as np
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
    >>> import numpy as np
    >>> float(zeta(np.float64(2)).eval())
    1.644934066848...
    """
    return scalar.zeta(_floating(x), 1.0 if q is None else q)


def logdiffexp(a: Any, b: Any) -> Tensor:
    """Return ``log(exp(a) - exp(b))`` for ``a`` not below ``b``, without overflow.

    Examples
    --------
    >>> import numpy as np
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
    >>> import numpy as np
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

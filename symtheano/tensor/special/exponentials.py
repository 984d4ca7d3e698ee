"""Exponentials and logarithms without overflow or cancellation, softmax, Box-Cox transforms."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.nnet.operands import float_operand
from symtheano.tensor.nnet.softmax import (
    logsoftmax as _logsoftmax,
    logsumexp as _logsumexp,
    softmax as _softmax,
)


def log_expit(x: Any) -> Tensor:
    """Return the logarithm of ``expit(x)``, the sigmoid.

    Examples
    --------
    >>> log_expit(np.array([-1000.0])).eval().tolist()
    [-1000.0]
    """
    return -scalar.softplus(-float_operand(x))


def logdiffexp(a: Any, b: Any) -> Tensor:
    """Return ``log(exp(a) - exp(b))`` for ``a`` not below ``b``, without overflow.

    Examples
    --------
    >>> logdiffexp(np.array([1000.0]), 999).eval().round(4).tolist()
    [999.5413]
    """
    a = float_operand(a)
    return scalar.add(a, scalar.log1mexp(b - a))


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
    a, b = float_operand(a), as_tensor_variable(b)
    a = scalar.switch(scalar.eq(b, 0), a.constant_like(-math.inf), a)  # 0 * inf is no NaN here
    top = a.max(axis=axis, keepdims=True)
    top = scalar.switch(scalar.isinf(top), top.constant_like(0), top)
    total = scalar.log((b * scalar.exp(a - top)).sum(axis=axis, keepdims=True)) + top
    return total if keepdims else total.sum(axis=axis)


def exp10(x: Any) -> Tensor:
    """Return ``10 ** x``.

    Examples
    --------
    >>> f"{exp10(2.0).eval():.4f}"
    '100.0000'
    """
    x = float_operand(x)
    return scalar.pow(x.constant_like(10), x)


def exprel(x: Any) -> Tensor:
    """Return ``(exp(x) - 1) / x``, which is 1 for 0.

    Examples
    --------
    >>> exprel(np.array([0.0, 1.0])).eval().round(4).tolist()
    [1.0, 1.7183]
    """
    x = float_operand(x)
    # Near 0, where derivatives of the quotient are not exact, the series is.
    small = scalar.lt(scalar.abs(x), x.constant_like(0.1 if x.dtype == "float32" else 0.005))
    other = scalar.switch(small, x.constant_like(1), x)
    series = 1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)))
    quotient = scalar.switch(scalar.isinf(x), scalar.expm1(x), scalar.expm1(other) / other)
    quotient = scalar.switch(scalar.eq(x, -math.inf), x.constant_like(0), quotient)
    return scalar.switch(small, series.astype(x.dtype), quotient)


def powm1(x: Any, y: Any) -> Tensor:
    """Return ``x ** y - 1`` without cancellation near 1.

    Examples
    --------
    >>> f"{powm1(1.5, 2.0).eval():.4f}"
    '1.2500'
    """
    x, y = float_operand(x), float_operand(y)
    power, size = scalar.pow(x, y), scalar.abs(x)
    near = scalar.lt(scalar.abs(power - 1), 0.5)
    near = scalar.and_(near, scalar.and_(scalar.neq(size, 1), scalar.neq(y, 0)))
    log = scalar.log(scalar.switch(near, size, size.constant_like(1)))
    return scalar.switch(near, scalar.expm1(y * log), power - 1)


def boxcox(x: Any, lmbda: Any) -> Tensor:
    """Return the Box-Cox transform ``(x ** lmbda - 1) / lmbda``, which is ``log(x)`` for 0.

    Examples
    --------
    >>> boxcox([1.0, 4.0], 0.5).eval().tolist()
    [0.0, 2.0]
    """
    return _boxcox(scalar.log(float_operand(x)), lmbda)


def boxcox1p(x: Any, lmbda: Any) -> Tensor:
    """Return :func:`boxcox` of ``1 + x``.

    Examples
    --------
    >>> f"{boxcox1p(3.0, 0.5).eval():.4f}"
    '2.0000'
    """
    return _boxcox(scalar.log1p(float_operand(x)), lmbda)


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


def _inv_boxcox(y: Any, lmbda: Any) -> Tensor:
    y, lmbda = float_operand(y), float_operand(lmbda)
    zero = scalar.eq(lmbda, 0)
    other = scalar.switch(zero, lmbda.constant_like(1), lmbda)
    product = other * y
    overflow = scalar.eq(product, math.inf)
    of_both = scalar.log(scalar.abs(other)) + scalar.log(scalar.abs(y))
    return scalar.switch(zero, y, scalar.switch(overflow, of_both, scalar.log1p(product)) / other)

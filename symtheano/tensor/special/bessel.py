"""Modified Bessel functions of the second kind of orders 0 and 1."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.operands import float_operand


def k0(x: Any) -> Tensor:
    """Return the modified Bessel function of the second kind of order 0.

    Examples
    --------
    >>> f"{k0(1.0).eval():.4f}"
    '0.4210'
    """
    return scalar.kv(0, float_operand(x))


def k0e(x: Any) -> Tensor:
    """Return ``k0(x) * exp(x)``.

    Examples
    --------
    >>> f"{k0e(1.0).eval():.4f}"
    '1.1445'
    """
    return _scaled(0, x)


def k1(x: Any) -> Tensor:
    """Return the modified Bessel function of the second kind of order 1.

    Examples
    --------
    >>> f"{k1(1.0).eval():.4f}"
    '0.6019'
    """
    return scalar.kv(1, float_operand(x))


def k1e(x: Any) -> Tensor:
    """Return ``k1(x) * exp(x)``.

    Examples
    --------
    >>> f"{k1e(1.0).eval():.4f}"
    '1.6362'
    """
    return _scaled(1, x)


def _scaled(n: int, x: Any) -> Tensor:
    """Return ``kve(n, x)``, which is NaN for large x, with its limit there.

    See Abramowitz and Stegun, 9.7.2.
    """
    x = float_operand(x)
    far, one = scalar.gt(x, 1e8), x.constant_like(1)
    limit = scalar.sqrt(x.constant_like(math.pi / 2) / x) * (1 + (4 * n * n - 1) / (8 * x))
    return scalar.switch(far, limit, scalar.kve(n, scalar.switch(far, one, x)))

"""Orthogonal polynomials, by their recurrences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand

_First = Callable[[Tensor], Tensor]
_Following = Callable[[int, Tensor, Tensor, Tensor], Tensor]


def eval_legendre(n: int, x: Any) -> Tensor:
    """Return Legendre's polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> eval_legendre(2, [0.0, 1.0]).eval().tolist()
    [-0.5, 1.0]
    """
    return _recurrence(
        "eval_legendre", n, x, lambda x: x,
        lambda k, x, p, q: (x * p * (2 * k + 1) - q * k) / (k + 1),
    )  # fmt: skip


def eval_chebyt(n: int, x: Any) -> Tensor:
    """Return Chebyshev's polynomial of the first kind of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_chebyt(3, 0.5).eval():.4f}"
    '-1.0000'
    """
    return _recurrence(
        "eval_chebyt", n, x, lambda x: x, lambda k, x, p, q: 2 * x * p - q
    )  # fmt: skip


def eval_chebyu(n: int, x: Any) -> Tensor:
    """Return Chebyshev's polynomial of the second kind of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_chebyu(3, 0.5).eval():.4f}"
    '-1.0000'
    """
    return _recurrence(
        "eval_chebyu", n, x, lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - q
    )  # fmt: skip


def eval_hermite(n: int, x: Any) -> Tensor:
    """Return the physicists' Hermite polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_hermite(2, 1.5).eval():.4f}"
    '7.0000'
    """
    return _recurrence(
        "eval_hermite", n, x, lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - q * (2 * k)
    )  # fmt: skip


def eval_hermitenorm(n: int, x: Any) -> Tensor:
    """Return the probabilists' Hermite polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_hermitenorm(2, 1.5).eval():.4f}"
    '1.2500'
    """
    return _recurrence(
        "eval_hermitenorm", n, x, lambda x: x, lambda k, x, p, q: x * p - q * k
    )  # fmt: skip


def eval_laguerre(n: int, x: Any) -> Tensor:
    """Return Laguerre's polynomial of degree ``n``, an ``int``.

    Examples
    --------
    >>> f"{eval_laguerre(2, 1.0).eval():.4f}"
    '-0.5000'
    """
    return _recurrence(
        "eval_laguerre", n, x, lambda x: 1 - x,
        lambda k, x, p, q: ((2 * k + 1 - x) * p - q * k) / (k + 1),
    )  # fmt: skip


def _recurrence(name: str, n: Any, x: Any, first: _First, following: _Following) -> Tensor:
    """Return polynomial n of a recurrence, from the first two and the next one of two.

    ``first`` is a function of x that returns polynomial 1; ``following`` is one of k, x, and
    polynomials k and k - 1, which returns polynomial k + 1.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        what = f"{name}: the degree must be an integer that is known, and not negative: {n!r}"
        raise TypeError(build_message(what))
    x = float_operand(x)
    one = x.constant_like(1)
    if n == 0:
        return scalar.switch(scalar.isnan(x), x, one)
    before, value = scalar.second(x, one), first(x)
    for k in range(1, n):
        before, value = value, following(k, x, value, before)
    if n < 3:
        return value
    # Far from the zeros, where differences of infinite terms are NaN: the sign of the first term.
    limit = value.constant_like(math.inf) * (scalar.sgn(first(x)) if n % 2 else 1)
    overflow = scalar.and_(scalar.isnan(value), scalar.gt(scalar.abs(x), 4 * n + 2))
    return scalar.switch(overflow, limit, value)

"""Elementwise functions by the names that they have in TensorFlow.

They take symbolic arrays, numbers, placeholders of any shape, and outputs of layers. With what is
known in a run only, a call is recorded.
"""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.session.deferred import recorded


@recorded
def abs(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the absolute value of each element."""
    return T.abs(x, name=name)


@recorded
def add(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the sum of arrays, element by element."""
    return T.add(x, *more, name=name)


@recorded
def ceil(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the smallest integer that is not below each element, in the array's dtype."""
    return T.ceil(x, name=name)


@recorded
def clip_by_value(
    x: Any, clip_value_min: Any, clip_value_max: Any, *, name: str | None = None
) -> T.TensorVariable:
    """Return each element, or the nearer limit if it is not between the two."""
    return T.clip(x, clip_value_min, clip_value_max, name=name)


@recorded
def cos(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the cosine of each element."""
    return T.cos(x, name=name)


@recorded
def divide(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the quotients of elements as floats, also for integers."""
    return T.true_div(x, y, name=name)


@recorded
def equal(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements are equal."""
    return T.eq(x, y, name=name)


@recorded
def exp(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return e to the power of each element."""
    return T.exp(x, name=name)


@recorded
def floor(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the largest integer that is not above each element, in the array's dtype."""
    return T.floor(x, name=name)


@recorded
def greater(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements of ``x`` are greater than those of ``y``."""
    return T.gt(x, y, name=name)


@recorded
def greater_equal(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements of ``x`` are greater than those of ``y``, or equal."""
    return T.ge(x, y, name=name)


@recorded
def less(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements of ``x`` are less than those of ``y``."""
    return T.lt(x, y, name=name)


@recorded
def less_equal(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements of ``x`` are less than those of ``y``, or equal."""
    return T.le(x, y, name=name)


@recorded
def log(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the natural logarithm of each element."""
    return T.log(x, name=name)


@recorded
def logical_and(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the logical and of elements; for integers, the bitwise and."""
    return T.and_(x, *more, name=name)


@recorded
def logical_not(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the logical negation of elements; for integers, the bitwise one."""
    return T.invert(x, name=name)


@recorded
def logical_or(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the logical or of elements; for integers, the bitwise or."""
    return T.or_(x, *more, name=name)


@recorded
def maximum(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the largest of the elements at each position."""
    return T.maximum(x, *more, name=name)


@recorded
def minimum(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the smallest of the elements at each position."""
    return T.minimum(x, *more, name=name)


@recorded
def mod(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the remainders of divisions, with the sign of the divisor."""
    return T.mod(x, y, name=name)


@recorded
def multiply(x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable:
    """Return the product of arrays, element by element."""
    return T.mul(x, *more, name=name)


@recorded
def not_equal(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return whether elements differ."""
    return T.neq(x, y, name=name)


@recorded
def pow(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return elements of ``x`` to the power of those of ``y``."""
    return T.pow(x, y, name=name)


@recorded
def relu(x: Any, alpha: Any = 0) -> T.TensorVariable:
    """Return positive elements unchanged, and other elements times ``alpha``."""
    return T.nnet.relu(x, alpha)


@recorded
def round(x: Any, mode: str | None = None) -> T.TensorVariable:
    """Return elements rounded to integers, halves to even ones, in the array's dtype."""
    return T.round(x, mode)


@recorded
def rsqrt(x: Any) -> T.TensorVariable:
    """Return 1 divided by the square root of each element."""
    return T.inv(T.sqrt(x))


@recorded
def sigmoid(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return ``1 / (1 + exp(-x))`` of each element."""
    return T.nnet.sigmoid(x, name=name)


@recorded
def sign(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return -1, 0 or 1 by the sign of each element."""
    return T.sgn(x, name=name)


@recorded
def sin(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the sine of each element."""
    return T.sin(x, name=name)


@recorded
def softplus(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return ``log(1 + exp(x))`` of each element, without overflow."""
    return T.nnet.softplus(x, name=name)


@recorded
def sqrt(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the square root of each element."""
    return T.sqrt(x, name=name)


@recorded
def square(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the square of each element."""
    return T.sqr(x, name=name)


@recorded
def subtract(x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the differences of elements."""
    return T.sub(x, y, name=name)


@recorded
def tanh(x: Any, *, name: str | None = None) -> T.TensorVariable:
    """Return the hyperbolic tangent of each element."""
    return T.tanh(x, name=name)

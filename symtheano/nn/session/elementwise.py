"""Elementwise functions by the names that they have in TensorFlow.

They take symbolic arrays, numbers, placeholders of any shape, and outputs of layers. With what is
known in a run only, a call is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import symtheano.tensor as T
from symtheano.nn.session.deferred import recorded


class _Unary(Protocol):
    def __call__(self, x: Any, *, name: str | None = None) -> T.TensorVariable: ...


class _Binary(Protocol):
    def __call__(self, x: Any, y: Any, *, name: str | None = None) -> T.TensorVariable: ...


class _Several(Protocol):
    def __call__(self, x: Any, /, *more: Any, name: str | None = None) -> T.TensorVariable: ...


_F = TypeVar("_F", bound=Callable[..., Any])


def _named(call: _F, name: str, what: str) -> _F:
    """Return a function of this name, which returns ``what``, that also takes deferred arrays."""
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return {what}."
    return recorded(call)


def _unary(name: str, function: Any, what: str) -> _Unary:
    def call(x: Any, *, name: str | None = None) -> Any:
        return function(x, name=name)

    return _named(call, name, what)


def _binary(name: str, function: Any, what: str) -> _Binary:
    def call(x: Any, y: Any, *, name: str | None = None) -> Any:
        return function(x, y, name=name)

    return _named(call, name, what)


def _several(name: str, function: Any, what: str) -> _Several:
    def call(x: Any, /, *more: Any, name: str | None = None) -> Any:
        return function(x, *more, name=name)

    return _named(call, name, what)


# fmt: off
abs = _unary("abs", T.abs, "the absolute value of each element")
add = _several("add", T.add, "the sum of arrays, element by element")
ceil = _unary(
    "ceil", T.ceil, "the smallest integer that is not below each element, in the array's dtype")
cos = _unary("cos", T.cos, "the cosine of each element")
divide = _binary("divide", T.true_div, "the quotients of elements as floats, also for integers")
equal = _binary("equal", T.eq, "whether elements are equal")
exp = _unary("exp", T.exp, "e to the power of each element")
floor = _unary(
    "floor", T.floor, "the largest integer that is not above each element, in the array's dtype")
greater = _binary("greater", T.gt, "whether elements of ``x`` are greater than those of ``y``")
greater_equal = _binary(
    "greater_equal", T.ge, "whether elements of ``x`` are greater than those of ``y``, or equal")
less = _binary("less", T.lt, "whether elements of ``x`` are less than those of ``y``")
less_equal = _binary(
    "less_equal", T.le, "whether elements of ``x`` are less than those of ``y``, or equal")
log = _unary("log", T.log, "the natural logarithm of each element")
logical_and = _several(
    "logical_and", T.and_, "the logical and of elements; for integers, the bitwise and")
logical_not = _unary(
    "logical_not", T.invert, "the logical negation of elements; for integers, the bitwise one")
logical_or = _several(
    "logical_or", T.or_, "the logical or of elements; for integers, the bitwise or")
maximum = _several("maximum", T.maximum, "the largest of the elements at each position")
minimum = _several("minimum", T.minimum, "the smallest of the elements at each position")
mod = _binary("mod", T.mod, "the remainders of divisions, with the sign of the divisor")
multiply = _several("multiply", T.mul, "the product of arrays, element by element")
not_equal = _binary("not_equal", T.neq, "whether elements differ")
pow = _binary("pow", T.pow, "elements of ``x`` to the power of those of ``y``")
sigmoid = _unary("sigmoid", T.nnet.sigmoid, "``1 / (1 + exp(-x))`` of each element")
sign = _unary("sign", T.sgn, "-1, 0 or 1 by the sign of each element")
sin = _unary("sin", T.sin, "the sine of each element")
softplus = _unary(
    "softplus", T.nnet.softplus, "``log(1 + exp(x))`` of each element, without overflow")
sqrt = _unary("sqrt", T.sqrt, "the square root of each element")
square = _unary("square", T.sqr, "the square of each element")
subtract = _binary("subtract", T.sub, "the differences of elements")
tanh = _unary("tanh", T.tanh, "the hyperbolic tangent of each element")
# fmt: on


@recorded
def clip_by_value(
    x: Any, clip_value_min: Any, clip_value_max: Any, *, name: str | None = None
) -> T.TensorVariable:
    """Return each element, or the nearer limit if it is not between the two."""
    return T.clip(x, clip_value_min, clip_value_max, name=name)


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

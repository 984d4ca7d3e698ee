"""The forms in many digits: values and gradients by mpmath, at the very floats that are given."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from tests.stability.form import EPS
from tests.stability.forms import Form

_AGREED, _NOTHING = mpmath.mpf(10) ** -25, mpmath.mpf(10) ** -330


def _each(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return np.frompyfunc(function, 1, 1)


class Digits:
    """NumPy's names for functions of arrays of mpmath's numbers."""

    exp, log, sqrt = _each(mpmath.exp), _each(mpmath.log), _each(mpmath.sqrt)
    tanh, cosh, sinh = _each(mpmath.tanh), _each(mpmath.cosh), _each(mpmath.sinh)
    cos, sin = _each(mpmath.cos), _each(mpmath.sin)
    erf, erfc = _each(mpmath.erf), _each(mpmath.erfc)
    gamma, gammaln = _each(mpmath.gamma), _each(mpmath.loggamma)
    sigmoid = _each(lambda x: 1 / (1 + mpmath.exp(-x)))
    expm1, log1p = _each(lambda x: mpmath.exp(x) - 1), _each(lambda x: mpmath.log(1 + x))
    maximum, where, clip = np.maximum, np.where, np.clip
    two, eps, pi = mpmath.mpf(2), mpmath.mpf(EPS), mpmath.pi

    @staticmethod
    def isinf(x: Any) -> Any:
        """No number of mpmath here is infinite."""
        return np.zeros(np.shape(x), bool)

    @staticmethod
    def array(numbers: Any) -> Any:
        """Return the exact values of floats."""
        return np.array([mpmath.mpf(number) for number in numbers], object)

    @staticmethod
    def softmax(x: Any) -> Any:
        """Return the softmax of rows."""
        e = Digits.exp(x)
        return e / e.sum(axis=1, keepdims=True)


def _value(form: Form, operands: list[Any]) -> Any:
    arrays = [np.array([item], object) for item in operands]
    return form.make(Digits, *arrays)[0]


def _settled(point: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
    """Compute with more and more digits, until two results agree.

    The first precision holds sums of one and the exponential of a point's numbers or, of small
    ones, of their squares.
    """
    before = None
    first = 60 + max(_digits(float(number)) for item in point for number in np.ravel(item))
    for digits in (first, 2 * first, 4 * first, 8 * first, 16 * first):
        with mpmath.workdps(digits):
            try:
                found = compute()
            except (ZeroDivisionError, ValueError):
                found = None  # too few digits to tell something from zero
            if found is not None and before is not None:
                difference = abs(found - before)
                if difference <= _AGREED * abs(found) or abs(found) < _NOTHING:
                    return found
            before = found
    raise ArithmeticError(f"{16 * first} digits are not enough at {point}")


def _digits(number: float) -> int:
    if number == 0:
        return 0
    size = abs(number)
    exponents = size * size if size < 50 else size if size < 2000 else 0
    return int(2 * abs(math.log10(size)) + exponents)


def exact(numbers: Any) -> Any:
    """Return an operand of one point: a number, or a list of numbers for a row."""
    if np.ndim(numbers):
        return [mpmath.mpf(float(number)) for number in numbers]
    return mpmath.mpf(float(numbers))


def value(form: Form, point: tuple[Any, ...]) -> Any:
    """Return a form's value at a point."""
    return _settled(point, lambda: _value(form, [exact(item) for item in point]))


def gradient(form: Form, point: tuple[Any, ...], operand: int) -> list[Any]:
    """Return the derivatives by an operand, one for a number and a list's for a row."""
    count = np.size(point[operand])
    return [
        _settled(point, lambda k=k: _slope(form, point, operand, k))  # type: ignore[misc]
        for k in range(count)
    ]


def _slope(form: Form, point: tuple[Any, ...], operand: int, k: int) -> Any:
    """Central difference; its error is a third of the digits away from the last one."""
    step = mpmath.mpf(10) ** -(mpmath.mp.dps // 3)
    ends = []
    for sign in (1, -1):
        operands = [exact(item) for item in point]
        given = operands[operand]
        number = given[k] if isinstance(given, list) else given
        moved = number + sign * step * (abs(number) or 1)
        if isinstance(given, list):
            given[k] = moved
        else:
            operands[operand] = moved
        ends.append(_value(form, operands))
        width = step * (abs(number) or 1)
    return (ends[0] - ends[1]) / (2 * width)

"""Arrays compared: equality up to rounding, the smallest of several; rounded quotients."""

from __future__ import annotations

from functools import reduce
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.reduce import all as all_


def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Return where two arrays are equal up to a tolerance: ``|a - b| <= atol + rtol * |b|``.

    Parameters
    ----------
    a, b
        Arrays; infinities of one sign are equal.
    rtol, atol
        Relative and absolute tolerance.
    equal_nan
        Whether two NaN are equal.

    Examples
    --------
    >>> isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).eval().tolist()
    [True, False]
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    common = dtypes.upcast(a.dtype, b.dtype)
    if dtypes.is_discrete(common):
        a, b = cast(a, "float64"), cast(b, "float64")
    near = scalar.abs(a - b) <= atol + rtol * scalar.abs(b)
    finite = scalar.and_(_isfinite(a), _isfinite(b))
    same = scalar.switch(finite, near, scalar.eq(a, b))
    if not equal_nan:
        return same
    return scalar.or_(same, scalar.and_(scalar.isnan(a), scalar.isnan(b)))


def _isfinite(x: Any) -> Any:
    return scalar.invert(scalar.or_(scalar.isnan(x), scalar.isinf(x)))


def allclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Return whether all elements of two arrays are equal up to a tolerance; see :func:`isclose`.

    Examples
    --------
    >>> bool(allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]).eval())
    True
    """
    return all_(isclose(a, b, rtol, atol, equal_nan))


def smallest(*args: Any) -> Any:
    """Return the smallest of several arrays, element by element; NaN where one is.

    Examples
    --------
    >>> smallest([1, 5], [2, 4], 3).eval().tolist()
    [1, 3]
    """
    if not args:
        raise ValueError(build_message("smallest: there is nothing to compare"))
    return reduce(scalar.minimum, map(as_tensor_variable, args))


def largest(*args: Any) -> Any:
    """Return the largest of several arrays, element by element; NaN where one is.

    Examples
    --------
    >>> largest([1, 5], [2, 4], 3).eval().tolist()
    [3, 5]
    """
    if not args:
        raise ValueError(build_message("largest: there is nothing to compare"))
    return reduce(scalar.maximum, map(as_tensor_variable, args))


def divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the quotient, rounded down, and what is left of ``x``.

    Examples
    --------
    >>> [int(item.eval()) for item in divmod(7, 2)]
    [3, 1]
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    return scalar.int_div(x, y), scalar.mod(x, y)


def ceil_intdiv(a: Any, b: Any) -> Any:
    """Return the quotient of integers, rounded up.

    Examples
    --------
    >>> int(ceil_intdiv(7, 2).eval())
    4
    """
    down, rest = divmod(a, b)
    return down + cast(scalar.neq(rest, 0), down.dtype)

"""Comparison of arrays: equality and closeness, smallest and largest of several; quotients."""

from __future__ import annotations

from functools import reduce
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.shape import as_dim, shape_of


def isclose(
    a: TensorLike, b: TensorLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Return where two arrays are equal within a tolerance: ``|a - b| <= atol + rtol * |b|``.

    Parameters
    ----------
    a, b
        Arrays; infinities of the same sign are equal.
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
) -> Tensor:
    """Return whether two arrays are elementwise equal within a tolerance; see :func:`isclose`.

    Examples
    --------
    >>> bool(allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]).eval())
    True
    """
    return all_(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: TensorLike, a2: TensorLike, equal_nan: bool = False) -> Tensor:
    """Return whether two arrays have the same shape and the same elements; a 0-d bool.

    Parameters
    ----------
    a1, a2
        Arrays, whose lengths may differ.
    equal_nan
        Whether two NaN are equal.

    Examples
    --------
    >>> bool(array_equal([1, 2], [1, 2]).eval()), bool(array_equal([1, 2], [1, 2, 3]).eval())
    (True, False)
    """
    a1, a2 = as_tensor_variable(a1), as_tensor_variable(a2)
    pairs = list(zip(shape_of(a1), shape_of(a2), strict=False))
    is_static = [isinstance(mine, int) and isinstance(its, int) for mine, its in pairs]
    different = any(mine != its for (mine, its), both in zip(pairs, is_static, strict=True) if both)
    if a1.ndim != a2.ndim or different:
        return constant(False)
    open_pairs = [pair for pair, both in zip(pairs, is_static, strict=True) if not both]
    if open_pairs:
        # Different lengths would be an error, so only the common part is compared.
        common = tuple(slice(None, scalar.minimum(*map(as_dim, pair))) for pair in pairs)
        a1, a2 = a1[common], a2[common]
    same = scalar.eq(a1, a2)
    if equal_nan:
        same = scalar.or_(same, scalar.and_(scalar.neq(a1, a1), scalar.neq(a2, a2)))
    equal = all_(same)
    for mine, its in open_pairs:
        equal = scalar.and_(equal, scalar.eq(as_dim(mine), as_dim(its)))
    return equal


def isin(
    element: TensorLike,
    test_elements: TensorLike,
    assume_unique: bool = False,
    invert: bool = False,
) -> Tensor:
    """Return for each element whether it is contained in an array.

    Parameters
    ----------
    element
        Array of a real dtype.
    test_elements
        Array to search; NaN is never found.
    assume_unique
        Accepted for compatibility with NumPy.
    invert
        Whether to return the opposite: true for elements that are not contained.

    Examples
    --------
    >>> isin([1, 2, 3], [3, 1]).eval().tolist()
    [True, False, True]
    """
    from symtheano.tensor.sorting.counting import searchsorted
    from symtheano.tensor.sorting.sort import sort

    element, others = as_tensor_variable(element), as_tensor_variable(test_elements)
    common = dtypes.upcast(element.dtype, others.dtype)
    if dtypes.is_complex(common):
        raise TypeError(build_message("isin: complex numbers have no order", element, others))
    element, others = cast(element, common), sort(cast(others.flatten(), common))
    contained = searchsorted(others, element, "left") < searchsorted(others, element, "right")
    if dtypes.is_float(common):
        contained = scalar.and_(contained, scalar.eq(element, element))
    return scalar.invert(contained) if invert else contained


def smallest(*args: Any) -> Tensor:
    """Return the elementwise minimum of several arrays; NaN if one is NaN.

    Examples
    --------
    >>> smallest([1, 5], [2, 4], 3).eval().tolist()
    [1, 3]
    """
    if not args:
        raise ValueError(build_message("smallest: there is nothing to compare"))
    return reduce(scalar.minimum, map(as_tensor_variable, args))


def largest(*args: Any) -> Tensor:
    """Return the elementwise maximum of several arrays; NaN if one is NaN.

    Examples
    --------
    >>> largest([1, 5], [2, 4], 3).eval().tolist()
    [3, 5]
    """
    if not args:
        raise ValueError(build_message("largest: there is nothing to compare"))
    return reduce(scalar.maximum, map(as_tensor_variable, args))


def divmod(x: TensorLike, y: TensorLike) -> tuple[Tensor, Tensor]:
    """Return the quotient, rounded down, and the remainder of a division.

    Examples
    --------
    >>> [int(item.eval()) for item in divmod(7, 2)]
    [3, 1]
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    return scalar.int_div(x, y), scalar.mod(x, y)


def ceil_intdiv(a: Any, b: Any) -> Tensor:
    """Return the quotient of integers, rounded up.

    Examples
    --------
    >>> int(ceil_intdiv(7, 2).eval())
    4
    """
    down, rest = divmod(a, b)
    return down + cast(scalar.neq(rest, 0), down.dtype)

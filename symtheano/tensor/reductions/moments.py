"""Reductions computed from others: mean, var, std, ptp, norm."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.accumulators import ACCUMULATE
from symtheano.tensor.reductions.reduce import ROUNDED_LAST, max, min, sum
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import count_as, shape_of


def _count(x: Any, axis: Any, dtype: str) -> Any:
    dims = shape_of(x)
    return count_as([dims[a] for a in normalize_axis(axis, x.ndim)], dtype)


@explained(OF_REDUCTIONS)
def mean(input: TensorLike, axis: Any = None, dtype: Any = None, op: bool = False,
         keepdims: bool = False, acc_dtype: Any = None) -> Tensor:  # fmt: skip
    """Return the arithmetic mean over ``axis``; NaN for an empty axis.

    The mean of integers is float64 unless ``dtype`` is given.

    Examples
    --------
    >>> float(mean([1, 2, 6]).eval())
    3.0
    """
    x = as_tensor_variable(input)
    result = dtypes.canonical(dtype) if dtype is not None else x.dtype
    if dtypes.is_discrete(result):
        if dtype is not None:
            raise TypeError(
                build_message(
                    f"mean: dtype {result} can't hold a mean", x, hint="use a float dtype"
                )
            )
        result = "float64"
    inner = acc_dtype or ACCUMULATE.get(result, result)
    wide = inner if result in ROUNDED_LAST and acc_dtype is None else result
    total = sum(x, axis, dtype=wide, keepdims=keepdims, acc_dtype=inner)
    return cast(total / _count(x, axis, dtypes.real_of(wide)), result)


@explained(OF_REDUCTIONS)
def var(input: TensorLike, axis: Any = None, ddof: int = 0, keepdims: bool = False,
        corrected: bool = False) -> Tensor:  # fmt: skip
    """Return the variance over ``axis``, with the divisor ``max(n - ddof, 0)``.

    Examples
    --------
    >>> float(var([1.0, 5.0]).eval())
    4.0
    """
    x = as_tensor_variable(input)
    if x.dtype == "float16":
        return cast(var(cast(x, "float32"), axis, ddof, keepdims), x.dtype)
    difference = x - mean(x, axis, keepdims=True)
    if dtypes.is_complex(x.dtype):
        square = scalar.real(difference * scalar.conj(difference))
    else:
        square = scalar.sqr(difference)
    total = sum(square, axis, keepdims=keepdims)
    count = _count(x, axis, total.dtype)
    return total / (scalar.maximum(count - ddof, count.constant_like(0)) if ddof else count)


@explained(OF_REDUCTIONS)
def std(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False,
        corrected: bool = False) -> Tensor:  # fmt: skip
    """Return the standard deviation over ``axis``: the square root of :func:`var`.

    Examples
    --------
    >>> float(std([1.0, 3.0]).eval())
    1.0
    """
    return scalar.sqrt(var(input, axis, ddof, keepdims))


@explained(OF_REDUCTIONS)
def ptp(a: Any, axis: Any = None) -> Tensor:
    """Return the range (maximum minus minimum) over ``axis``.

    Examples
    --------
    >>> int(ptp([2, 9, 4]).eval())
    7
    """
    return max(a, axis) - min(a, axis)


@explained(OF_REDUCTIONS)
def norm(x: TensorLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the norm of order ``ord`` over ``axis``.

    Order 0 counts nonzero elements, 2 is the Euclidean norm, inf is the largest absolute value. As
    in Theano, the default is all axes. Norms of order 0, 1, inf and -inf have the dtypes of
    :func:`sum` and :func:`max`; others are floats.

    Examples
    --------
    >>> float(norm([3.0, 4.0]).eval())
    5.0
    """
    x = as_tensor_variable(x)
    ord = 2 if ord is None else order_of_norm(ord)
    if ord == 0:
        return sum(scalar.neq(x, 0), axis, keepdims=keepdims)
    if ord in (float("inf"), float("-inf")):
        return (max if ord > 0 else min)(scalar.abs(x), axis, keepdims)
    if ord == 1:
        return sum(scalar.abs(x), axis, keepdims=keepdims)
    x = cast(x, dtypes.upgrade_to_float(x.dtype))
    if ord == 2 and not dtypes.is_complex(x.dtype):
        return scalar.sqrt(sum(scalar.sqr(x), axis, keepdims=keepdims))
    lengths = scalar.abs(x)
    powered = sum(lengths ** lengths.constant_like(ord), axis, keepdims=keepdims)
    return powered ** powered.constant_like(1.0 / ord)


def order_of_norm(ord: Any) -> Any:
    """Return the order of a norm of vectors as a number; the infinities have names too."""
    if not isinstance(ord, str):
        return ord
    if ord in ("inf", "-inf"):
        return float(ord)
    raise ValueError(
        build_message(
            f"norm: ord={ord!r} is not a number",
            hint="norms of matrices are in tensor.nlinalg.norm",
        )
    )

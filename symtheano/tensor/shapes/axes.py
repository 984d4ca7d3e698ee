"""Views with axes reordered, added or removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.axis_numbers import axis_number, normalize_axis


def transpose(x: TensorLike, axes: Sequence[int] | None = None) -> Tensor:
    """Return ``x`` with its axes in the order ``axes``; reversed by default.

    Examples
    --------
    >>> transpose([[1, 2], [3, 4]]).eval().tolist()
    [[1, 3], [2, 4]]
    """
    x = as_tensor_variable(x)
    order = tuple(range(x.ndim))[::-1] if axes is None else tuple(map(axis_number, axes))
    if sorted(axis % x.ndim for axis in order) != list(range(x.ndim)):
        raise ValueError(
            build_message(f"transpose: {order} is not a permutation of {x.ndim} axes", x)
        )
    return x.dimshuffle(*order) if x.ndim else x


permute_dims = transpose


def swapaxes(x: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Return ``x`` with two axes exchanged.

    Examples
    --------
    >>> swapaxes([[1, 2], [3, 4]], 0, 1).eval().tolist()
    [[1, 3], [2, 4]]
    """
    x = as_tensor_variable(x)
    (first,), (second,) = normalize_axis(axis1, x.ndim), normalize_axis(axis2, x.ndim)
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return x.dimshuffle(*order)


def squeeze(x: TensorLike, axis: Any = None) -> Tensor:
    """Return ``x`` without its axes of static length 1, or without the given axes.

    Examples
    --------
    >>> squeeze(T.drow("x")).type
    TensorType(float64, vector)
    """
    x = as_tensor_variable(x)
    dropped: Sequence[int] = [a for a in range(x.ndim) if x.type.shape[a] == 1]
    if axis is not None:
        dropped = normalize_axis(axis, x.ndim)
    return x.dimshuffle(*[a for a in range(x.ndim) if a not in dropped])


def expand_dims(x: TensorLike, axis: Any) -> Tensor:
    """Return ``x`` with new axes of length one.

    Parameters
    ----------
    x
        Array.
    axis
        Position of the new axis in the result, or a sequence of positions.

    Raises
    ------
    ValueError
        If the result has no such axis.

    Examples
    --------
    >>> expand_dims([1, 2], 0).eval().tolist(), expand_dims([1, 2], (0, -1)).eval().tolist()
    ([[1, 2]], [[[1], [2]]])
    """
    x = as_tensor_variable(x)
    ndim = x.ndim + np.size(axis)
    new, old = normalize_axis(axis, ndim), iter(range(x.ndim))
    return x.dimshuffle(*["x" if a in new else next(old) for a in range(ndim)])


def shape_padleft(x: TensorLike, n_ones: int = 1) -> Tensor:
    """Return ``x`` with ``n_ones`` new axes in front.

    Examples
    --------
    >>> shape_padleft(T.dvector("x")).type
    TensorType(float64, row)
    """
    x = as_tensor_variable(x)
    return x.dimshuffle(*["x"] * axis_number(n_ones), *range(x.ndim))


def shape_padright(x: TensorLike, n_ones: int = 1) -> Tensor:
    """Return ``x`` with ``n_ones`` new axes at the end.

    Examples
    --------
    >>> shape_padright(T.dvector("x")).type
    TensorType(float64, col)
    """
    x = as_tensor_variable(x)
    return x.dimshuffle(*range(x.ndim), *["x"] * axis_number(n_ones))


def shape_padaxis(x: Any, axis: int) -> Tensor:
    """Return ``x`` with a new axis at ``axis``.

    Examples
    --------
    >>> shape_padaxis(T.dmatrix("x"), 1).broadcastable
    (False, True, False)
    """
    return expand_dims(x, axis)

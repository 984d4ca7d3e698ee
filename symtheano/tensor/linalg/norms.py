"""Norms of vectors and matrices, condition numbers, ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.linalg.inverse import matrix_inverse
from symtheano.tensor.linalg.matrices import lapack_dtype
from symtheano.tensor.linalg.svd import svd
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions import reduce
from symtheano.tensor.shapes.axis_numbers import axis_number


def norm(x: TensorLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the norm of vectors or matrices.

    Parameters
    ----------
    x
        Array; integers are computed in float64.
    ord
        For vectors: None or 2, any other number, ``inf``, ``-inf``, or 0 (number of nonzero
        elements). For matrices: None or ``"fro"``, ``"nuc"``, 1, -1, 2, -2, ``inf`` or ``-inf``.
        Infinities may be strings.
    axis
        One axis for vectors, two axes for matrices. By default all axes: if ``ord`` is None, the
        array is flattened; otherwise it must be a vector or a matrix.
    keepdims
        Whether reduced axes are kept with length 1.

    Raises
    ------
    ValueError
        If ``ord`` is unknown, or the array is neither a vector nor a matrix. In a call, if the norm
        is the largest or the smallest sum of an empty array.

    Notes
    -----
    The gradient is NaN where the norm is zero, since the norm is not differentiable there.

    Examples
    --------
    >>> norm(T.vector("x", dtype="float64")).eval({"x": [3.0, 4.0]})
    array(5.)
    """
    x = as_tensor_variable(x)
    x = x if dtypes.is_continuous(x.dtype) else cast(x, "float64")
    ord = float(ord) if ord in ("inf", "-inf") else ord
    if axis is None:
        if ord is None or (x.ndim == 2 and ord in ("f", "fro")) or (x.ndim == 1 and ord == 2):
            return scalar.sqrt(_squares(x, tuple(range(x.ndim)), keepdims))
        axes = tuple(range(x.ndim))
    else:
        numbers = [axis_number(k) for k in (axis if isinstance(axis, tuple | list) else (axis,))]
        axes = tuple(item % x.ndim if -x.ndim <= item < x.ndim else _no_axis(x, item)
                     for item in numbers)  # fmt: skip
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2 and axes[0] != axes[1]:
        return _matrix_norm(x, ord, axes, keepdims)
    raise ValueError(build_message("norm takes one axis (vectors) or two axes (matrices)", x))


def _no_axis(x: Any, axis: int) -> int:
    raise ValueError(build_message(f"norm: no axis {axis}", x))


def _squares(x: Any, axes: Any, keepdims: bool) -> Any:
    if dtypes.is_complex(x.dtype):
        squares = scalar.real(x) ** 2 + scalar.imag(x) ** 2
    else:
        squares = x * x
    return reduce.sum(squares, axis=axes, keepdims=keepdims) if x.ndim else squares


def _vector_norm(x: Any, ord: Any, axis: int, keepdims: bool) -> Tensor:
    if ord is None or ord == 2:
        return scalar.sqrt(_squares(x, axis, keepdims))
    if isinstance(ord, str):
        raise ValueError(build_message(f"norm: ord={ord!r} is not supported for vectors", x))
    sizes = abs(x)
    if ord == np.inf:
        return reduce.max(sizes, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return reduce.min(sizes, axis=axis, keepdims=keepdims)
    if ord == 0:
        return reduce.sum(cast(scalar.neq(x, 0), sizes.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return reduce.sum(sizes, axis=axis, keepdims=keepdims)
    order = cast(as_tensor_variable(ord), sizes.dtype)
    return reduce.sum(sizes**order, axis=axis, keepdims=keepdims) ** (1 / order)


def _matrix_norm(x: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    row, column = axes
    if ord in (None, "fro", "f"):
        return scalar.sqrt(_squares(x, axes, keepdims))
    if ord in (1, -1, np.inf, -np.inf):
        inner, outer = (row, column) if ord in (1, -1) else (column, row)
        sums = reduce.sum(abs(x), axis=inner, keepdims=True)
        result = (reduce.max if ord > 0 else reduce.min)(sums, axis=outer, keepdims=True)
    elif ord in (2, -2, "nuc"):
        others = [axis for axis in range(x.ndim) if axis not in axes]
        values = svd(x.dimshuffle(*others, row, column), compute_uv=False)
        how = reduce.sum if ord == "nuc" else reduce.max if ord == 2 else reduce.min
        small = how(values, axis=-1)
        place = {axis: position for position, axis in enumerate(others)}
        result = small.dimshuffle(*[place.get(axis, "x") for axis in range(x.ndim)])
    else:
        raise ValueError(build_message(f"norm: ord={ord!r} is not supported for matrices", x))
    if keepdims:
        return result
    return result.dimshuffle(*[axis for axis in range(x.ndim) if axis not in axes])


def cond(x: TensorLike, p: Any = None) -> Tensor:
    """Return the condition number of matrices, in the norm ``p``.

    Parameters
    ----------
    x
        Matrices; square ones, unless ``p`` is None, 2 or -2.
    p
        Order of the norm, as for :func:`norm`; None for 2.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a matrix is singular, unless ``p`` is None, 2 or -2: then the condition number
        is infinite, or 0 for -2. Also if a matrix contains NaN or infinities and singular values
        are needed.

    Examples
    --------
    >>> cond(T.matrix("x", dtype="float64")).eval({"x": [[2.0, 0.0], [0.0, 4.0]]})
    array(2.)
    """
    x = as_tensor_variable(x)
    if x.ndim < 2:
        raise TypeError(build_message("cond takes matrices, or batches of them", x))
    if p in (None, 2, -2):
        values = svd(x, compute_uv=False)
        largest, smallest = values[..., 0], values[..., -1]
        ratio = smallest / largest if p == -2 else largest / smallest
        return scalar.switch(scalar.eq(largest, 0), ratio.constant_like(np.inf), ratio)
    return norm(x, p, axis=(-2, -1)) * norm(matrix_inverse(x), p, axis=(-2, -1))


def matrix_rank(A: TensorLike, tol: Any = None) -> Tensor:
    """Return the number of singular values of matrices above ``tol``.

    Parameters
    ----------
    A
        Matrices.
    tol
        A number; by default the largest singular value times the larger dimension times the machine
        precision.

    Examples
    --------
    >>> matrix_rank(T.matrix("A", dtype="float64")).eval({"A": [[1.0, 2.0], [2.0, 4.0]]})
    array(1)
    """
    A = as_tensor_variable(A)
    if A.ndim < 2:
        return cast(reduce.any(scalar.neq(A, 0)), "int64")
    dtype = dtypes.real_of(lapack_dtype("matrix_rank", A))
    values = svd(A, compute_uv=False)
    if tol is None:
        side = cast(scalar.maximum(A.shape[-2], A.shape[-1]), dtype)
        # The first one is the largest, and a matrix without elements has none.
        tol = values[..., :1].sum(axis=-1, keepdims=True) * side * float(np.finfo(dtype).eps)
    return reduce.sum(cast(scalar.gt(values, tol), "int64"), axis=-1)

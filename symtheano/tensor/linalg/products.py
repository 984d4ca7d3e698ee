"""Products of matrices: matmul with batches, inner, vdot, kron, tensor and matrix powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc_op
from symtheano.tensor.elemwise import pad_left
from symtheano.tensor.linalg.dot import batched_dot_op, dot, tensordot
from symtheano.tensor.linalg.matrices import (
    broadcast_batches,
    checked_lengths,
    identity,
)
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import as_dims, dims_product, reshape_op, shape_of


def matmul(x: Any, y: Any) -> Any:
    """Return the matrix product, or the products of batches of matrices.

    Parameters
    ----------
    x, y
        Arrays of at least one dimension. The last two axes are matrices; other axes are batches,
        which are broadcast if their length is known to be 1. A vector is a row on the left and a
        column on the right; this axis is not part of the result.

    Raises
    ------
    ShapeError
        If inner lengths or batches differ.
    ValueError
        For scalars.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> matmul(T.tensor3("A"), T.matrix("B")).type
    TensorType(float64, (?, ?, ?))
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError(
            build_message("matmul: operands have at least one dim", x, y, hint="use * for scalars")
        )
    if x.ndim <= 2 and y.ndim <= 2:
        return dot(x, y)
    if y.ndim <= 2:
        return _rows_times(x, y)
    left = x if x.ndim > 1 else x.dimshuffle("x", 0)
    left, right = broadcast_batches("matmul", left, y, core=(2, 2))
    batch = shape_of(left)[:-2]
    if len(batch) == 1:
        result = batched_dot_op(left, right)
    else:
        joined = dims_product(batch)
        one, two = (
            reshape_op(item, *as_dims((joined, *shape_of(item)[-2:]))) for item in (left, right)
        )
        lengths = (*batch, shape_of(left)[-2], shape_of(right)[-1])
        result = reshape_op(batched_dot_op(one, two), *as_dims(lengths))
    kept = [axis for axis in range(result.ndim) if x.ndim > 1 or axis != result.ndim - 2]
    return result.dimshuffle(*kept)


def _rows_times(x: Any, y: Any) -> Any:
    """Multiply all rows of all matrices by one matrix (or vector) as one product."""
    lengths = shape_of(x)
    flat = reshape_op(x, *as_dims((dims_product(lengths[:-1]), lengths[-1])))
    return reshape_op(dot(flat, y), *as_dims((*lengths[:-1], *shape_of(y)[1:])))


def inner(a: Any, b: Any) -> Any:
    """Return the sums of products over the last axes of both, without conjugation.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> inner(T.matrix("A"), T.vector("b")).type
    TensorType(float64, vector)
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim <= 2 and b.ndim <= 2:
        return dot(a, b.T)
    return tensordot(a, b, [[a.ndim - 1], [b.ndim - 1]])


def vdot(a: Any, b: Any) -> Any:
    """Return the product of two flattened arrays, of which the first is conjugated.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> vdot(T.zmatrix("A"), T.zmatrix("B")).type
    TensorType(complex128, scalar)
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    return dot(scalar.conj(a).flatten(), b.flatten())


def kron(a: Any, b: Any) -> Any:
    """Return the Kronecker product: ``a`` with each element multiplied by ``b``.

    Parameters
    ----------
    a, b
        Arrays; axes of length 1 are added in front of the one with fewer dimensions.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> kron(T.eye(2), T.matrix("b", dtype="float64")).ndim
    2
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    ndim = max(a.ndim, b.ndim)
    a, b = pad_left(a, ndim), pad_left(b, ndim)
    blocks: list[Any] = []
    inside: list[Any] = []
    for axis in range(ndim):
        blocks += [axis, "x"]
        inside += ["x", axis]
    product = a.dimshuffle(*blocks) * b.dimshuffle(*inside)
    lengths = [dims_product(pair) for pair in zip(shape_of(a), shape_of(b), strict=True)]
    return reshape_op(product, *as_dims(lengths)) if ndim else product


def batched_tensordot(x: Any, y: Any, axes: Any = 2) -> Any:
    """Return the tensor products of the items along the first axis of both.

    Parameters
    ----------
    x, y
        Arrays whose first axes have the same length.
    axes
        How many of the last axes of ``x`` meet the first ones of ``y`` behind the batch, or two
        lists of axes, counted in the whole arrays.

    Raises
    ------
    ValueError
        If the lists have different lengths or contain the batch axis.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> batched_tensordot(T.tensor3("x"), T.tensor4("y"), axes=[[1], [2]]).ndim
    4
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    if isinstance(axes, int):
        mine, yours = list(range(x.ndim - axes, x.ndim)), list(range(1, axes + 1))
    else:
        mine, yours = ([item] if isinstance(item, int) else list(item) for item in axes)
        mine, yours = [axis % x.ndim for axis in mine], [axis % y.ndim for axis in yours]
    if len(mine) != len(yours):
        raise ValueError(
            build_message(f"batched_tensordot: {len(mine)} axes meet {len(yours)}", x, y)
        )
    if 0 in mine or 0 in yours:
        raise ValueError(
            build_message("batched_tensordot: the first axis is the batch and is kept", x, y)
        )
    kept_x = [axis for axis in range(1, x.ndim) if axis not in mine]
    kept_y = [axis for axis in range(1, y.ndim) if axis not in yours]
    dims_x, dims_y = shape_of(x), shape_of(y)
    pairs = [(b, dims_x[a]) for a, b in zip(mine, yours, strict=True)]
    y = checked_lengths("batched_tensordot", y, [(0, dims_x[0]), *pairs])
    shape = [[dims_x[0], *(dims_x[axis] for axis in kept_x)], [dims_y[axis] for axis in kept_y]]
    joined = dims_product([dims_x[axis] for axis in mine])
    left = (dims_x[0], dims_product(shape[0][1:]), joined)
    right = (dims_x[0], joined, dims_product(shape[1]))
    product = batched_dot_op(
        reshape_op(x.dimshuffle(0, *kept_x, *mine), *as_dims(left)),
        reshape_op(y.dimshuffle(0, *yours, *kept_y), *as_dims(right)),
    )
    return reshape_op(product, *as_dims(shape[0] + shape[1]))


def matrix_dot(*args: Any) -> Any:
    """Return the product of several matrices, from the left to the right.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> matrix_dot(T.matrix("A"), T.matrix("B"), T.vector("c")).ndim
    1
    """
    if not args:
        raise ValueError(build_message("matrix_dot: nothing to multiply"))
    result = as_tensor_variable(args[0])
    for factor in args[1:]:
        result = dot(result, factor)
    return result


def matrix_power(M: Any, n: int) -> Any:
    """Return the ``n``-th power of square matrices.

    Parameters
    ----------
    M
        Square matrices.
    n
        The exponent; the result is the identity for 0, and a power of the inverse if it is
        negative.

    Raises
    ------
    TypeError
        If ``n`` is not an integer.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> matrix_power(T.matrix("M"), 3).type
    TensorType(float64, matrix)
    """
    M = as_tensor_variable(M)
    if not isinstance(n, int | np.integer):
        raise TypeError(build_message(f"matrix_power: the power is an integer, not {n!r}", M))
    if M.ndim < 2:
        raise TypeError(build_message("matrix_power takes matrices, or batches of them", M))
    height, width = shape_of(M)[-2:]
    if height is not width:
        M = checked_lengths("matrix_power", M, [(M.ndim - 1, height)])
    if n == 0:
        return alloc_op(cast(identity(M), M.dtype), *as_dims(shape_of(M)))
    if n < 0:
        from symtheano.tensor.linalg.inverse import matrix_inverse

        M, n = matrix_inverse(M), -int(n)
    return _power(M, int(n))


def _power(M: Any, n: int) -> Any:
    """Square as often as there are binary digits: Knuth, TAOCP 2, section 4.6.3."""
    result = None
    square = M
    while n:
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
        if n:
            square = matmul(square, square)
    return result


def multi_dot(arrays: Sequence[Any]) -> Any:
    """Return the product of several matrices, computed in a cheap order.

    Parameters
    ----------
    arrays
        At least two; the first and the last may be vectors.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> multi_dot([T.matrix("A"), T.matrix("B"), T.vector("c")]).ndim
    1
    """
    from symtheano.tensor.linalg.einsum import einsum

    items = [as_tensor_variable(item) for item in arrays]
    if len(items) < 2:
        raise ValueError(build_message("multi_dot: two arrays or more are multiplied", *items))
    terms: list[Any] = []
    for position, item in enumerate(items):
        ends = position in (0, len(items) - 1)
        if item.ndim != 2 and not (ends and item.ndim == 1):
            raise TypeError(
                build_message("multi_dot takes matrices; vectors only at the ends", *items)
            )
        first = position if item.ndim == 2 or position else position + 1
        terms += [item, list(range(first, first + item.ndim))]
    shown = [0] if items[0].ndim == 2 else []
    shown += [len(items)] if items[-1].ndim == 2 else []
    return einsum(*terms, shown, optimize=True)


def trace(a: Any, offset: int = 0) -> Any:
    """Return the sum of a diagonal of matrices.

    Parameters
    ----------
    a
        Matrices; integers are summed in int64.
    offset
        Offset of the diagonal; positive above the main diagonal.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> trace(T.matrix("A")).type
    TensorType(float64, scalar)
    """
    from symtheano.tensor.linalg.matrices import diagonal_of

    a = as_tensor_variable(a)
    if a.ndim < 2:
        raise TypeError(build_message("trace takes matrices, or batches of them", a))
    return diagonal_of(a, offset).sum(axis=-1)

"""matmul: products of matrices and of batches of them."""

from __future__ import annotations

from typing import Any

from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.linalg.dot import batched_dot_op, dot
from symtheano.tensor.linalg.lengths import broadcast_batches
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def matmul(x: TensorLike, y: TensorLike) -> Tensor:
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


def _rows_times(x: Any, y: Any) -> Tensor:
    """Multiply all rows of all matrices by one matrix (or vector) as one product."""
    lengths = shape_of(x)
    flat = reshape_op(x, *as_dims((dims_product(lengths[:-1]), lengths[-1])))
    return reshape_op(dot(flat, y), *as_dims((*lengths[:-1], *shape_of(y)[1:])))

"""Products of the items of two batches."""

from __future__ import annotations

from typing import Any

from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.linalg.dot import batched_dot_op
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def batched_dot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the products of corresponding items along the first axes of two arrays.

    The sum is over the last axis of the first item and the second-to-last axis of the second item,
    or its only axis. An item without axes is a factor of the other item.

    Examples
    --------
    >>> batched_dot(T.dtensor3("A"), T.dmatrix("b")).type
    TensorType(float64, matrix)
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if min(a.ndim, b.ndim) == 0:
        raise TypeError(build_message("batched_dot: both factors need a batch axis", a, b))
    if a.ndim == 1 or b.ndim == 1:
        big, small = (a, b) if a.ndim >= b.ndim else (b, a)
        return big * small.dimshuffle(0, *["x"] * (big.ndim - 1))
    if a.ndim > 3 or b.ndim > 3:
        return batched_tensordot(a, b, [[a.ndim - 1], [max(1, b.ndim - 2)]])
    left = a if a.ndim == 3 else a.dimshuffle(0, "x", 1)
    right = b if b.ndim == 3 else b.dimshuffle(0, 1, "x")
    result = batched_dot_op(left, right)
    dropped = ({1} if a.ndim == 2 else set()) | ({2} if b.ndim == 2 else set())
    return result.dimshuffle(*[axis for axis in range(3) if axis not in dropped])


def batched_tensordot(x: Any, y: Any, axes: Any = 2) -> Tensor:
    """Return the tensor products of corresponding items along the first axes of two arrays.

    Parameters
    ----------
    x, y
        Arrays whose first axes have the same length.
    axes
        Number of last axes of ``x`` that are summed with the first axes of ``y`` after the batch
        axis; or two lists of axes of the whole arrays.

    Raises
    ------
    ValueError
        If the lists have different lengths or contain the batch axis.

    Examples
    --------
    >>> batched_tensordot(T.tensor3("x"), T.tensor4("y"), axes=[[1], [2]]).ndim
    4
    """
    from symtheano.tensor.linalg.lengths import checked_lengths

    x, y = as_tensor_variable(x), as_tensor_variable(y)
    if isinstance(axes, int):
        mine, yours = list(range(x.ndim - axes, x.ndim)), list(range(1, axes + 1))
    else:
        mine, yours = ([item] if isinstance(item, int) else list(item) for item in axes)
        mine, yours = [axis % x.ndim for axis in mine], [axis % y.ndim for axis in yours]
    if len(mine) != len(yours):
        raise ValueError(
            build_message(
                f"batched_tensordot: {len(mine)} axes of the first array, but {len(yours)} of the "
                "second",
                x,
                y,
            )
        )
    if 0 in mine or 0 in yours:
        raise ValueError(
            build_message(
                "batched_tensordot: the first axis is the batch and can't be summed", x, y
            )
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

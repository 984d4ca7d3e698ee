"""Unique elements and rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply, Op
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.creation.filled import alloc, ones, zeros
from symtheano.tensor.indexing.nonzeros import flatnonzero
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.cumulative import cumsum
from symtheano.tensor.reductions.reduce import any as any_
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import as_dim, dims_product, shape_of
from symtheano.tensor.sorting.sort import argsort
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class RowOrder(Op):
    """Positions that sort the rows of a matrix lexicographically; int64, stable."""

    __props__ = ()
    takes = "*2"
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """One position for each row."""
        return [TensorType("int64", inputs[0].type.shape[:1])]

    def positions_below(self, node: Apply, number: int) -> Any:
        """Positions of rows."""
        return shape_of(node.inputs[0])[0]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0][:1]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        order = np.lexsort(x.T[::-1]) if x.shape[1] else np.arange(len(x))
        output_storage[0][0] = order.astype("int64")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        x = batch.full(0)
        rows, width = shape_of(x)[-2:]
        # All rows are sorted together, by the number of their item first, which needs a wide dtype.
        wide = {"f": "float64", "c": "complex128", "u": "uint64"}.get(x.dtype[0], "int64")
        number = alloc(batch.items().dimshuffle(*batch.front(), "x"), *batch.shape, rows)
        count = as_dim(dims_product((*batch.shape, rows)))
        table = join(
            1, cast(number, wide).reshape((count, 1)), cast(x, wide).reshape((count, as_dim(width)))
        )
        return [self(table).reshape((*batch.dims, as_dim(rows))) - number * as_dim(rows)]

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Merge rows by comparing them."""
        (x,), (order,) = arrays.inputs, arrays.outputs
        b.call("roworder", *x.shape, x.address, order.address)


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
) -> Any:
    """Return the unique items in ascending order.

    Parameters
    ----------
    ar
        Array.
    return_index
        Whether to also return the position of the first occurrence of each unique item.
    return_inverse
        Whether to also return, for each item of ``ar``, its position in the result.
    return_counts
        Whether to also return the number of occurrences of each unique item.
    axis
        The axis along which the items are parts of ``ar``. If None, the items are the elements.
    equal_nan
        Whether all NaN are one item. Parts that contain NaN are never equal.

    Returns
    -------
    array, or list of arrays
        The unique items and the other requested arrays, in the order of the arguments. The number
        of unique items is only known in a call.

    Examples
    --------
    >>> unique([3, 1, 3]).eval().tolist()
    [1, 3]
    >>> [a.eval().tolist() for a in unique([3, 1, 3], True, True, True)]
    [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    ar = as_tensor_variable(ar)
    if axis is None:
        items = ar.flatten()
        order = argsort(items)
        ordered = items[order]
        new = _differs(ordered[1:], ordered[:-1], equal_nan)
        position = 0
    else:
        if ar.ndim == 0:
            raise ValueError(build_message("unique: a 0-d array has no axis", ar))
        (position,) = normalize_axis(axis, ar.ndim)
        items = ar.dimshuffle(position, *(a for a in range(ar.ndim) if a != position))
        width: Any = constant(1, dtype="int64")
        for other in range(1, items.ndim):
            width = width * items.shape[other]
        rows = items.reshape((items.shape[0], width))
        order = RowOrder()(rows)
        ordered = rows[order]
        new = any_(_differs(ordered[1:], ordered[:-1], False), axis=1)
    count = ordered.shape[0]
    # An empty array has no first item, which would always be new.
    new = join(0, ones((scalar.minimum(count, 1),), "bool"), new)
    starts = flatnonzero(new)
    chosen = order[starts]
    distinct = items[chosen]
    if axis is not None:
        place = [*range(1, position + 1), 0, *range(position + 1, ar.ndim)]
        distinct = distinct.dimshuffle(*place)
    result = [distinct]
    if return_index:
        result.append(chosen)
    if return_inverse:
        number = cumsum(new) - 1
        inverse = set_subtensor(zeros((count,), "int64")[order], number)
        result.append(inverse.reshape(ar.shape) if axis is None and ar.ndim != 1 else inverse)
    if return_counts:
        ends = join(0, starts[1:], cast(count, "int64").dimshuffle("x"))
        result.append(ends[: starts.shape[0]] - starts)
    return result[0] if len(result) == 1 else result


def _differs(x: Any, y: Any, equal_nan: bool) -> Any:
    if not equal_nan or dtypes.is_discrete(x.dtype):
        return scalar.neq(x, y)
    both = scalar.and_(scalar.isnan(x), scalar.isnan(y))
    return scalar.and_(scalar.neq(x, y), scalar.invert(both))


class Unique:
    """Theano's form of :func:`unique`: constructed with the options, called with the array."""

    def __init__(
        self,
        return_index: bool = False,
        return_inverse: bool = False,
        return_counts: bool = False,
        axis: int | None = None,
    ) -> None:
        self.return_index, self.return_inverse = return_index, return_inverse
        self.return_counts, self.axis = return_counts, axis

    def __call__(self, x: Any, return_list: bool = False) -> Any:
        """Return the unique items of ``x``, in a list if one is asked for."""
        items = unique(x, self.return_index, self.return_inverse, self.return_counts, self.axis)
        return [items] if return_list and not isinstance(items, list) else items

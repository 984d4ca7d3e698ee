"""Positions of nonzero elements, and of the elements that a mask selects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import BoundsError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class Nonzero(Op):
    """For each axis, the positions (int64) of the nonzero elements, in C order.

    The array may be followed by one int64 scalar per axis: its required length. It is used to
    compare the shape of a mask with the array from which it selects.
    """

    __props__ = ()
    takes = "*1+ l0..."
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """One vector for each axis, of unknown length."""
        return [TensorType("int64", (None,)) for _ in range(inputs[0].ndim)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Count the nonzero elements."""
        count = scalar.neq(node.inputs[0], 0).sum(dtype="int64")
        return [(count,)] * len(node.outputs)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """A mask has the shape of the array from which it selects."""
        from symtheano.tensor.shapes.shape import dim_value

        requirements: list[Requirement] = []
        for axis, length in enumerate(node.inputs[1:]):
            message = partial(_mask_message, node, axis)
            requirements += [
                Requirement(item.condition, item.values, item.message, "index", item.equal)
                for item in same_length(shapes[0][axis], dim_value(length), message)
            ]
        return requirements

    def positions_below(self, node: Apply, number: int) -> Any:
        """Positions along each axis, of the required length if it is given."""
        from symtheano.tensor.shapes.shape import dim_value, shape_of

        array, *lengths = node.inputs
        return dim_value(lengths[number]) if lengths else shape_of(array)[number]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        array, *lengths = inputs
        for axis, length in enumerate(lengths):
            if array.shape[axis] != length:
                raise BoundsError(_mask_message(node, axis, [array.shape[axis], int(length)]))
        for storage, positions in zip(output_storage, np.nonzero(array), strict=True):
            storage[0] = positions.astype("int64", copy=False)

    def vectorize(self, node: Apply, batch: Any) -> Any:
        return batch.refuse(node, "the values of each item decide how long its result is")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Store the position of each element after those of the nonzero ones before it.

        The next position overwrites it if the element is zero. A branch on the element could not be
        predicted; the one that keeps the last positions can.
        """
        array, count = arrays.inputs[0], b.operand(arrays.outputs[0].shape[0])
        zero = b.literal(0, array.dtype)
        next_place = b.declare("found", b.literal(0, "int64"))
        with b.nest(array.shape, simd=False) as index:
            keep = b.let("neq", "bool", [b.load(array, index), zero])
            with b.branch(b.let("lt", "bool", [next_place, count])):
                for output, position in zip(arrays.outputs, index, strict=True):
                    b.store(output, [next_place.index], b.operand(position))
            b.assign(next_place, b.let("add", "int64", [next_place, b.cast(keep, "int64")]))


def _mask_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"indexing: a mask of length {values[0]} along its axis {axis} does not fit an axis of "
        f"length {values[1]}",
        node,
        node.inputs[0],
    )


def positions(mask: Any, lengths: Sequence[Any] = ()) -> list[Any]:
    """Return the positions of a mask's true elements, an int64 vector for each axis.

    Parameters
    ----------
    mask
        An array of at least one dim.
    lengths
        Required lengths of the mask.
    """
    vectors = Nonzero()(mask, *(cast(as_tensor_variable(length), "int64") for length in lengths))
    return list(vectors) if isinstance(vectors, list) else [vectors]


def nonzero(a: Any, return_matrix: bool = False) -> Any:
    """Return the positions of the nonzero elements, in C order.

    Parameters
    ----------
    a
        An array of at least one dim.
    return_matrix
        Whether to return one int64 matrix with a row for each axis, instead of a tuple of vectors.

    Raises
    ------
    ValueError
        If ``a`` is 0-d.

    Examples
    --------
    >>> x = T.lmatrix("x")
    >>> T.nonzero(x, return_matrix=True).eval({x: [[0, 3], [4, 5]]})
    array([[0, 1, 1],
           [1, 0, 1]])
    """
    a = as_tensor_variable(a)
    if a.ndim == 0:
        raise ValueError(build_message("nonzero needs at least one dim, got a 0-d array", a))
    vectors = positions(a)
    if not return_matrix:
        return tuple(vectors)
    from symtheano.tensor.shapes.join import stack

    return stack(vectors)


def flatnonzero(a: TensorLike) -> Tensor:
    """Return the positions of the nonzero elements in the flattened array, an int64 vector.

    Examples
    --------
    >>> x = T.lmatrix("x")
    >>> T.flatnonzero(x).eval({x: [[0, 3], [4, 5]]})
    array([1, 2, 3])
    """
    a = as_tensor_variable(a)
    if a.ndim == 0:
        raise ValueError(build_message("flatnonzero needs at least one dim, got a 0-d array", a))
    vector: Tensor = positions(a.flatten())[0]
    return vector


def nonzero_values(a: TensorLike) -> Tensor:
    """Return a vector of the nonzero elements, in C order.

    Examples
    --------
    >>> x = T.lmatrix("x")
    >>> T.nonzero_values(x).eval({x: [[0, 3], [4, 5]]})
    array([3, 4, 5])
    """
    a = as_tensor_variable(a)
    return a.flatten()[flatnonzero(a)]

"""Index arrays of one key, broadcast to one shape by the lengths that a call brings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import TensorOp, as_scalar
from symtheano.tensor.index_facts import positions_below
from symtheano.tensor.messages import call_message, label
from symtheano.tensor.shape import as_dims, dim_value, join_dims, shape_of, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.nodes import Operand


class BroadcastIndex(TensorOp):
    """An index array, repeated along axes where it has length 1 in a call.

    Inputs are the array and the length of each axis of the result (0-d int64).
    """

    __props__ = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type with the lengths that are known."""
        return [TensorType(inputs[0].dtype, static_dims(inputs[1:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The given lengths."""
        return [join_dims(node.outputs[0], node.inputs[1:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every length is that of the result, or 1."""
        found = []
        for axis, (mine, wanted) in enumerate(zip(shapes[0], node.inputs[1:], strict=True)):
            lengths = (mine, dim_value(wanted))
            fits = scalar.or_(_eq(mine, 1), _eq(*lengths))
            found.append(Requirement(fits, lengths, partial(length_message, node, axis)))
        return found

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return for each axis 0 if it is repeated, else 1."""
        return [
            cast(scalar.or_(scalar.neq(as_scalar(mine), 1), _eq(mine, wanted)), "int64")
            for mine, wanted in zip(shapes[0], node.inputs[1:], strict=True)
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        array, shape = inputs[0], tuple(int(dim) for dim in inputs[1:])
        for axis, (mine, wanted) in enumerate(zip(array.shape, shape, strict=True)):
            if mine not in (1, wanted):
                raise ShapeError(length_message(node, axis, [mine, wanted]))
        output_storage[0][0] = np.broadcast_to(array, shape).copy()

    def positions_below(self, node: Apply, index: int) -> Any:
        """The elements are those of the array."""
        return positions_below(node.inputs[0])

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Indices have no gradient."""
        return [None] * len(inputs)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Indices have no gradient."""
        return [[False] for _ in node.inputs]

    def element(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Read the element, or the only one along a repeated axis."""
        return read(0, [place * once for place, once in zip(index, scalars, strict=True)])


broadcast_index = BroadcastIndex()


def broadcast_indices(arrays: Sequence[Any]) -> list[Any]:
    """Return index arrays of the same number of dimensions, repeated where a call requires it.

    Where static lengths decide, nothing is done. Beside ``arange(n)`` every array has length n or
    a static length of 1: the gather selects one item per row, and rules recognize it by that.
    """
    owners = {id(array.owner) if array.owner is not None else id(array) for array in arrays}
    if len(owners) == 1:  # such as the results of one nonzero
        return [*arrays]
    dims = [shape_of(array) for array in arrays]
    joint = []
    for axis in range(arrays[0].ndim):
        spread = [k for k, shape in enumerate(dims) if not _is(shape[axis], 1)]
        known = [dims[k][axis] for k in spread if isinstance(dims[k][axis], int)]
        rows = any(_counts(arrays[k]) for k in spread)
        joint.append(None if rows or len(spread) < 2 else _longest(dims, axis, spread, known))
    result = []
    for array, shape in zip(arrays, dims, strict=True):
        wanted = [
            mine if length is None or isinstance(mine, int) else length
            for mine, length in zip(shape, joint, strict=True)
        ]
        same = all(a is b for a, b in zip(shape, wanted, strict=True))
        result.append(array if same else broadcast_index(array, *as_dims(tuple(wanted))))
    return result


def written_index(array: Any) -> Any:
    """Return an index array as it was given, before it was broadcast with others."""
    owner = array.owner
    return owner.inputs[0] if owner is not None and isinstance(owner.op, BroadcastIndex) else array


def _longest(dims: list[Any], axis: int, spread: list[int], known: list[int]) -> Any:
    """Return the length to which arrays are repeated along an axis."""
    if known:
        return known[0]
    length = dims[spread[0]][axis]
    for k in spread[1:]:
        length = scalar.switch(scalar.eq(length, 1), dims[k][axis], length)
    return length


def _is(length: Any, number: int) -> bool:
    return isinstance(length, int) and length == number


def _counts(array: Any) -> bool:
    """Return whether an index array is a range, perhaps with axes added."""
    from symtheano.tensor.creation import ARange
    from symtheano.tensor.elemwise import DimShuffle, Elemwise

    while array.owner is not None and (
        isinstance(array.owner.op, DimShuffle)
        or (isinstance(array.owner.op, Elemwise) and len(array.owner.inputs) == 1)
    ):
        array = array.owner.inputs[0]
    return array.owner is not None and isinstance(array.owner.op, ARange)


def _eq(left: Any, right: Any) -> Any:
    return as_tensor_variable(scalar.eq(as_scalar(left), right))


def length_message(node: Apply, axis: int, lengths: Sequence[int]) -> str:
    """Return the message for an index array that does not fit the others."""
    array = node.inputs[0]
    return call_message(
        f"indexing: index arrays of different length along axis {axis}: {label(array)} has "
        f"{lengths[0]}, others have {lengths[1]}",
        node,
        array,
    )

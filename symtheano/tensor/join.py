"""Joining arrays along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import TensorOp, same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View


class Join(TensorOp):
    """Arrays of one number of dims, one after the other along an axis.

    Attributes
    ----------
    axis
        The axis, not negative.
    """

    __props__ = ("axis",)

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def make_node(self, *inputs: Any) -> Apply:
        """Promote to one dtype."""
        arrays = [self.as_variable(item) for item in inputs]
        if len({array.ndim for array in arrays}) != 1:
            raise TypeError(
                build_message(f"join: arrays of {[array.ndim for array in arrays]} dims", *arrays)
            )
        dtype = dtypes.upcast(*(array.dtype for array in arrays))
        arrays = [cast(array, dtype) for array in arrays]
        return Apply(self, arrays, self.infer(*arrays))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Add the lengths along the axis, merge the others."""
        shape: list[int | None] = []
        for axis in range(inputs[0].ndim):
            dims = [item.type.shape[axis] for item in inputs]
            if axis == self.axis:
                shape.append(None if None in dims else sum(dims))
                continue
            known = {dim for dim in dims if dim is not None}
            if len(known) > 1:
                raise ShapeError(
                    build_message(f"join: different lengths along axis {axis}", *inputs)
                )
            shape.append(known.pop() if known else None)
        return [TensorType(inputs[0].dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Add the lengths along the axis."""
        total: Any = 0
        for shape in shapes:
            first = isinstance(total, int) and total == 0
            total = shape[self.axis] if first else total + shape[self.axis]
        static = node.outputs[0].type.shape
        dims = [total if axis == self.axis else dim for axis, dim in enumerate(shapes[0])]
        return [
            tuple(dim if known is None else known for known, dim in zip(static, dims, strict=True))
        ]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Along every other axis the lengths are equal."""
        found: list[Requirement] = []
        for axis in range(node.outputs[0].ndim):
            for number, shape in enumerate(shapes[1:], 1):
                if axis != self.axis:
                    message = partial(_message, node, axis, number)
                    found += same_length(shapes[0][axis], shape[axis], message)
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        for number, array in enumerate(inputs[1:], 1):
            for axis in range(array.ndim):
                if axis != self.axis and array.shape[axis] != inputs[0].shape[axis]:
                    lengths = [inputs[0].shape[axis], array.shape[axis]]
                    raise ShapeError(_message(node, axis, number, lengths))
        output_storage[0][0] = np.concatenate(inputs, axis=self.axis)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Give each array its own part."""
        (g,) = output_grads
        grads, start = [], 0
        for array in inputs:
            stop = start + array.shape[self.axis]
            part = g[(*[slice(None)] * self.axis, slice(start, stop))]
            grads.append(part)
            start = stop
        return grads

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Join the directions."""
        points = [
            item.zeros_like() if point is None else point
            for item, point in zip(inputs, eval_points, strict=True)
        ]
        return [self(*points)]

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Copy one array after the other."""
        start: Index | int = 0
        for source in inputs:
            part = outputs[0].sliced(self.axis, start, source.shape[self.axis], 1)
            with b.nest(source.shape) as index:
                b.store(part, index, b.load(source, index))
            start = start + source.shape[self.axis]


def _message(node: Apply, axis: int, number: int, values: Sequence[int]) -> str:
    first, other = node.inputs[0], node.inputs[number]
    return call_message(
        f"join: length {values[0]} and {values[1]} along axis {axis}", node, first, other
    )


def join(axis: int, *tensors_list: Any) -> Any:
    """Return the arrays one after the other along ``axis``."""
    arrays = [as_tensor_variable(item) for item in tensors_list]
    if not arrays:
        raise ValueError(build_message("join: nothing to join"))
    if len(arrays) == 1:
        return arrays[0]
    if not -arrays[0].ndim <= axis < arrays[0].ndim:
        raise ValueError(
            build_message(f"join: axis {axis} is out of range for {arrays[0].ndim} dims", *arrays)
        )
    return Join(axis % arrays[0].ndim)(*arrays)


def concatenate(tensor_list: Sequence[Any], axis: int = 0) -> Any:
    """Return the arrays one after the other along ``axis``."""
    if not isinstance(tensor_list, list | tuple):
        raise TypeError(build_message("concatenate takes a list or tuple of arrays"))
    return join(axis, *tensor_list)


def stack(tensors: Any, axis: int = 0, *more: Any) -> Any:
    """Return the arrays along a new axis; all of one shape.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> T.stack([T.vector("a"), T.vector("b")]).type
    TensorType(float64, (2, ?))
    """
    from symtheano.tensor.shape import MakeVector, expand_dims

    arrays = [as_tensor_variable(item) for item in tensors]
    if not arrays:
        raise ValueError(build_message("stack: nothing to stack"))
    if all(array.ndim == 0 for array in arrays) and axis in (0, -1):
        return MakeVector(dtypes.upcast(*(array.dtype for array in arrays)))(*arrays)
    position = axis % (arrays[0].ndim + 1)
    return join(position, *(expand_dims(array, position) for array in arrays))

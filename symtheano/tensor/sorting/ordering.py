"""Ops for sorting: sorting the last axis, the sorting positions, the largest items."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.tensor.indexing.positions import put_along_axis, take_along_axis
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.shape import dim_value, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class Ordered(Op):
    """Common part of Sort and ArgSort: the last axis is sorted, stably, with NaN at the end."""

    __props__ = ()
    takes = "*1+"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        (x,) = inputs
        if x.ndim == 0:
            raise ValueError(build_message(f"{self}: a 0-d array has no axis to sort along", x))
        return [TensorType(self.result_dtype(x.dtype), x.type.shape)]

    def result_dtype(self, dtype: str) -> str:
        """Return the result's dtype."""
        return dtype

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Sort the last axis of each."""
        return [self(batch.inputs[0])]


class Sort(Ordered):
    """The last axis in ascending order."""

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.sort(inputs[0], axis=-1, kind="stable")

    @partial(Statements, accepts=contiguous, workspace=True, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Sort each row of the result, which already contains the operand."""
        (y,) = arrays.outputs
        n = y.shape[-1]
        b.call("sort", count_rows(y), n, y.address)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each item is that of its new position."""
        (x,) = inputs
        if not dtypes.is_continuous(x.dtype):
            return [None]
        return [put_along_axis(x.zeros_like(), ArgSort()(x), output_grads[0], -1)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Reorder the direction in the same way."""
        if eval_points[0] is None:
            return [None]
        return [take_along_axis(eval_points[0], ArgSort()(inputs[0]), -1)]


class ArgSort(Ordered):
    """For each position of the sorted last axis, the original position of its item; int64."""

    differentiable_inputs = 0

    def positions_below(self, node: Apply, number: int) -> Any:
        """Positions along the last axis."""
        return shape_of(node.inputs[0])[-1]

    def result_dtype(self, dtype: str) -> str:
        """Return int64."""
        return "int64"

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.argsort(inputs[0], axis=-1, kind="stable").astype("int64")

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Sort pairs of item and position."""
        (x,), (order,) = arrays.inputs, arrays.outputs
        n = x.shape[-1]
        arguments = (count_rows(x), n, x.address, order.address)
        b.call("argsort", *arguments)


class ArgTop(Op):
    """Positions of the largest items of the last axis, the largest first; int64.

    The second input, 0-d int64, is the number of items; ``-k`` selects the k smallest. The result
    is the last positions of a stable :class:`ArgSort` in reverse order, or the first ones.
    """

    __props__ = ()
    takes = "*1+ l0"
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The number of positions along the last axis."""
        x, number = inputs
        count = dim_value(number)
        last = abs(count) if isinstance(count, int) else None
        return [TensorType("int64", (*x.type.shape[:-1], last))]

    def positions_below(self, node: Apply, number: int) -> Any:
        """Positions along the last axis."""
        return shape_of(node.inputs[0])[-1]

    def count(self, node: Apply) -> Any:
        """Return the number of positions, as an int if it is known."""
        number = dim_value(node.inputs[1])
        return abs(number) if isinstance(number, int) else scalar.abs(number)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(*shapes[0][:-1], self.count(node))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The number is not zero and does not exceed the number of items."""
        number, length = dim_value(node.inputs[1]), shapes[0][-1]
        count = self.count(node)
        is_static = isinstance(count, int) and isinstance(length, int)
        there = count <= length if is_static else scalar.le(count, length)
        if not isinstance(number, int):
            # Not the number itself: the absolute value of -2**63 is negative.
            there = scalar.and_(there, scalar.gt(count, 0))
        message = partial(_too_many, node)
        return [Requirement(there, (number, length), message, "value", error=ValueError)]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number."""
        return [dim_value(node.inputs[1])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, number = inputs[0], int(inputs[1])
        if not 0 < abs(number) <= x.shape[-1]:
            raise ValueError(_too_many(node, [number, x.shape[-1]]))
        order = np.argsort(x, axis=-1, kind="stable")
        chosen = order[..., ::-1][..., :number] if number > 0 else order[..., :-number]
        output_storage[0][0] = np.ascontiguousarray(chosen, "int64")

    @partial(Statements, accepts=contiguous, scalars=scalars, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Select, or sort if the number is large."""
        x, (order,) = arrays.inputs[0], arrays.outputs
        n = x.shape[-1]
        arguments = (count_rows(x), n, arrays.scalars[0], x.address, order.address)
        b.call("argtop", *arguments)

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Search the last axis of each."""
        batch.needs_plain(node, 1)
        return [self(*batch.inputs)]


def _too_many(node: Apply, values: Sequence[int]) -> str:
    number, length = values
    return call_message(
        f"topk: kth is {number}; it must not be 0 or exceed the number of items, {length}",
        node,
        node.inputs[0],
    )

"""Matrices with ones on a diagonal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Element
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import (
    as_dims,
    dim_value,
    is_length,
    static_dims,
)
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


class Eye(Op):
    """Ones on a diagonal; inputs are 0-d rows, columns and the diagonal's number."""

    __call__: Callable[..., Tensor]
    takes = "l0 l0 l0"
    differentiable_inputs = 0

    def __init__(self, dtype: str) -> None:
        self.dtype = dtypes.canonical(dtype)

    __props__ = ("dtype",)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType(self.dtype, static_dims(inputs[:2]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(dim_value(item) for item in node.inputs[:2])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        n, m, k = (int(item) for item in inputs)
        for axis, length in enumerate((n, m)):
            if length < 0:
                raise ValueError(_negative_side(node, axis, [length]))
        output_storage[0][0] = np.eye(n, m, k, dtype=self.dtype)

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        if any(batch.batched[:2]):
            batch.refuse(node, "its lengths would differ from item to item")
        n, m, k = batch.inputs
        shift = arange(m) - arange(n).dimshuffle(0, "x")
        return [cast(scalar.eq(shift, k.dimshuffle(*batch.front(), "x", "x")), self.dtype)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Neither length is negative."""
        dims = (dim_value(item) for item in node.inputs[:2])
        return [
            Requirement(dim >= 0, (dim,), partial(_negative_side, node, axis), code="value")
            for axis, dim in enumerate(dims)
            if not isinstance(dim, int) and not is_length(dim)
        ]

    @Element
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Compare column and row."""
        row, k = b.operand(index[0]), b.cast(read(2, ()), "int64")
        diagonal = row if k == b.literal(0, "int64") else b.let("add", "int64", [row, k])
        on = b.let("eq", "bool", [b.operand(index[1]), diagonal])
        return b.cast(on, self.dtype)


def _negative_side(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(f"eye: axis {axis} can't have length {values[0]}", node, node.inputs[axis])


def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Tensor:
    """Return a matrix of ``n`` rows and ``m`` columns with ones on the ``k``-th diagonal.

    Examples
    --------
    >>> eye(2, dtype="int8").eval().tolist()
    [[1, 0], [0, 1]]
    """
    rows, columns = as_dims((n, n if m is None else m))
    for dim in static_dims((rows, columns)):
        if dim is not None and dim < 0:
            raise ValueError(build_message(f"eye: a length can't be {dim}"))
    return Eye(dtypes.canonical(dtype or config.floatX))(rows, columns, cast(k, "int64"))


def identity_like(x: TensorLike, dtype: Any = None) -> Tensor:
    """Return an identity matrix of the shape and dtype of the matrix ``x``.

    Examples
    --------
    >>> identity_like(T.as_tensor([[3, 4], [5, 6]])).eval().tolist()
    [[1, 0], [0, 1]]
    """
    x = as_tensor_variable(x)
    return eye(x.shape[0], x.shape[1], 0, dtype or x.dtype)

"""Products of several matrices with one right factor, which is brought into another layout first.

A product that copies its right factor to panels, as BLAS libraries do, takes a quarter longer than
one that finds them: if the left factor has 32 rows, each element of the right one is used 32 times.
A loop copies it once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op, Requirement, disconnected
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.dot import blas_layout, dot_op
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View

PACKED_DTYPES = ("float32", "float64")
MOST_ROWS, LEAST_ELEMENTS, MOST_BYTES = 128, 8192, 4 << 20
"""Maximum rows of a left factor, minimum elements and maximum bytes of a right one, that gain."""


class PackMatrix(Op):
    """A matrix in the layout in which our product routine reads right factors.

    Inputs are the matrix, the number of products with it, and the number of rows of their left
    factors: packing takes longer than it saves for few rows. The result is a vector for
    :class:`PackedDot`; what it holds depends on the processor.
    """

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "f2 l0 l0"
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of a vector."""
        y = inputs[0]
        if y.dtype not in PACKED_DTYPES:
            raise TypeError(f"PackMatrix takes float32 and float64, got {y.dtype}")
        is_static = None not in y.type.shape
        return [TensorType(y.dtype, (_size(*y.type.shape) if is_static else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the size for the widest panels."""
        return [(_size(*shapes[0]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Say that nothing was packed."""
        y = inputs[0]
        output_storage[0][0] = np.zeros(_size(*y.shape), y.dtype)

    def accepts(self, number: int, view: View) -> bool:
        """One stride of the matrix is 1."""
        return number > 0 or blas_layout(view) is not None

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of products, and of rows."""
        return list(node.inputs[1:])

    @partial(Statements, accepts=accepts, scalars=scalars)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        y = arrays.inputs[0]
        transposed, leading = _layout(y)
        b.call(
            "pack", transposed, *arrays.scalars, y.shape[1], y.shape[0], y.address, leading,
            arrays.outputs[0].address,
        )  # fmt: skip


class PackedDot(Op):
    """``dot(x, y)`` of matrices; inputs are x, y, and y as :class:`PackMatrix` made it."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "f2 f2 f1"
    differentiable_inputs = 2

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the product."""
        x, y, packed = inputs
        if y.dtype not in PACKED_DTYPES or not x.dtype == y.dtype == packed.dtype:
            raise TypeError(f"PackedDot takes one dtype, got {[item.dtype for item in inputs]}")
        return dot_op.infer(x, y)

    def make_checked(self, *inputs: Any) -> Apply:
        """Refuse a vector that no :class:`PackMatrix` has made of the factor.

        Raises
        ------
        ValueError
            Always: products read it without looking at it, so only rules may make one.
        """
        raise ValueError("PackedDot: only rules make packed factors")

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return dot_op.infer_shape(node, shapes)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The inner lengths are equal."""
        return dot_op.requirements(node, shapes)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        dot_op.perform(node, inputs[:2], output_storage)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Differentiate the product of the factors."""
        return [*dot_op.pullback(inputs[:2], outputs, output_grads), disconnected()]

    def accepts(self, number: int, view: View) -> bool:
        """BLAS requires that one stride of a factor is 1."""
        return view.is_contiguous() if number == 2 else blas_layout(view) is not None

    @partial(Statements, accepts=accepts)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        x, y, packed = arrays.inputs
        left, right = _layout(x), _layout(y)
        b.call(
            "packed_gemm", left[0], right[0], x.shape[0], y.shape[1], x.shape[1], x.address,
            left[1], y.address, right[1], packed.address, arrays.outputs[0].address,
            arrays.outputs[0].strides[0],
        )  # fmt: skip

    def __str__(self) -> str:
        return "dot{packed}"


pack_matrix = PackMatrix()
packed_dot = PackedDot()


def _size(rows: Any, columns: Any) -> Any:
    return (columns + 15) * rows + 16


def _layout(view: View) -> tuple[bool, Index]:
    layout = blas_layout(view)
    assert layout is not None
    return layout

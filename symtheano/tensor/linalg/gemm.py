"""Products in the forms of BLAS: scaled, and accumulated into an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.dot import (
    BLAS_DTYPES,
    Dot,
    blas_layout,
    dot_op,
    inner_message,
    product_call,
    same_inner,
)
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View


class Gemm(Op):
    """``beta * z + alpha * dot(x, y)``, the form in which BLAS accumulates into an array.

    Inputs are z, alpha, x, y and beta, all of one dtype; x and y are vectors or matrices.
    """

    __props__ = ()
    takes = "f1+ f0 f1+ f1+ f0"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        z = inputs[0]
        product = Dot().infer(inputs[2], inputs[3])[0]
        pairs = zip(z.type.shape, product.shape, strict=True)
        shape = [mine if mine is not None else its for mine, its in pairs]
        if z.dtype not in BLAS_DTYPES or {item.dtype for item in inputs} != {z.dtype}:
            raise TypeError(f"Gemm takes one BLAS dtype, got {[item.dtype for item in inputs]}")
        return [TensorType(z.dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """All lengths match."""
        z, _, x, y, _ = shapes
        requirements = same_inner(node, 2, x[-1], y[0])
        for mine, product in zip(z, (*x[:-1], *y[1:]), strict=True):
            requirements += same_inner(node, 2, mine, product)
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy; if beta is zero, z is not read, as in BLAS."""
        z, alpha, x, y, beta = inputs
        with np.errstate(all="ignore"):
            product = np.asarray(alpha * np.dot(x, y))
            if product.shape != z.shape:
                raise ShapeError(inner_message(node, 2, [x.shape[-1], y.shape[0]]))
            output_storage[0][0] = product if beta == 0 else beta * z + product

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Differentiate ``beta * z + alpha * dot(x, y)``."""
        (z, alpha, x, y, beta), (g,) = inputs, output_grads
        product = dot_op(x, y)
        dx, dy = dot_op.pullback([x, y], [product], [scalar.conj(alpha) * g])
        total = (g * scalar.conj(product)).sum(dtype=g.dtype)
        return [
            scalar.conj(beta) * g, total, dx, dy, (g * scalar.conj(z)).sum(dtype=g.dtype)
        ]  # fmt: skip

    def accepts(self, number: int, view: View) -> bool:
        """BLAS requires that one stride of a factor is 1."""
        return number not in (2, 3) or blas_layout(view) is not None

    @partial(Statements, accepts=accepts, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call BLAS; the output already contains z."""
        _, alpha, x, y, beta = arrays.inputs
        product_call(b, b.load(alpha, []), x, y, b.load(beta, []), arrays.outputs[0])

    def __str__(self) -> str:
        return "Gemm{no_inplace}"


gemm = Gemm()


class Dot22Scalar(Op):
    """``alpha * dot(x, y)``; inputs are x, y and alpha, of one dtype."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "f1+ f1+ f0"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the product."""
        if inputs[0].dtype not in BLAS_DTYPES or len({item.dtype for item in inputs}) > 1:
            raise TypeError(f"{self} takes one BLAS dtype, got {[item.dtype for item in inputs]}")
        return Dot().infer(*inputs[:2])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return Dot().infer_shape(node, shapes)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The inner lengths are equal."""
        return same_inner(node, 0, shapes[0][-1], shapes[1][0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, y, alpha = inputs
        dot_op.perform(node, [x, y], output_storage)
        with np.errstate(all="ignore"):
            output_storage[0][0] = np.asarray(alpha * output_storage[0][0])

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Differentiate ``alpha * dot(x, y)``."""
        (x, y, alpha), (g,) = inputs, output_grads
        product = dot_op(x, y)
        factors = dot_op.pullback([x, y], [product], [scalar.conj(alpha) * g])
        return [*factors, (g * scalar.conj(product)).sum(dtype=g.dtype)]

    def accepts(self, number: int, view: View) -> bool:
        """BLAS requires that one stride of a factor is 1."""
        return number == 2 or blas_layout(view) is not None

    @partial(Statements, accepts=accepts)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        x, y, alpha = arrays.inputs
        product_call(b, b.load(alpha, []), x, y, 0.0, arrays.outputs[0])


dot22scalar = Dot22Scalar()

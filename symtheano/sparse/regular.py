"""Ops on sparse matrices with a regular gradient, which is that of the dense function.

The gradient with respect to a sparse matrix has elements that the matrix does not store, so the
operands of these ops are whole matrices. They are replaced by their ``expand`` before a graph is
compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.graph.eager import quiet
from symtheano.graph.op import Op
from symtheano.scalar import table as scalar
from symtheano.sparse.convert import SparseFromDense, dense_from_sparse
from symtheano.sparse.csm import open_sparse
from symtheano.sparse.indexing import diagonal, with_diagonal
from symtheano.sparse.product import dense_product, sparse_product
from symtheano.sparse.reduce import sums
from symtheano.sparse.type import SparseType
from symtheano.sparse.variable import is_sparse
from symtheano.tensor.checks import one_axis
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.elemwise import cast_like
from symtheano.tensor.type import TensorType


class Regular(Op):
    """Base class of the ops that are expanded."""

    __props__: tuple[str, ...] = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of what the op is expanded to, which also checks the operands."""
        with quiet():
            return [self.expand(*inputs).type]

    def expand(self, *inputs: Any) -> Any:
        """Return the result in terms of the components of the sparse inputs."""
        raise NotImplementedError

    def inlined(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the replacement of the op."""
        return [self.expand(*inputs)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in each input: the sum over the inputs of the results for their directions."""
        total = None
        for position, point in enumerate(eval_points):
            if point is not None:
                term = self(*inputs[:position], point, *inputs[position + 1 :])
                total = term if total is None else total + term
        return [total]


class ToDense(Regular):
    """A sparse matrix as a dense one."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of matrices."""
        return [TensorType(inputs[0].dtype, (None, None))]

    def expand(self, *inputs: Any) -> Any:
        """Scatter the stored elements."""
        return dense_from_sparse(*inputs)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient itself, as a sparse matrix."""
        return [SparseFromDense(inputs[0].format)(output_grads[0])]


class Sum(Regular):
    """The sum over an axis, or of all elements."""

    __props__ = ("axis",)

    def __init__(self, axis: int | None) -> None:
        self.axis = None if axis is None else one_axis("axis", axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the remaining axes."""
        return [TensorType(sums(inputs[0], None).dtype, () if self.axis is None else (None,))]

    def expand(self, *inputs: Any) -> Any:
        """Sum the stored elements."""
        return sums(inputs[0], self.axis)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient for every element, stored or not."""
        (x,), (g,) = inputs, output_grads
        spread = g.dimshuffle(0, "x") if self.axis == 1 else g
        full = alloc(cast_like(spread, x), x.shape[0], x.shape[1])
        return [SparseFromDense(x.format)(full)]


class Diag(Regular):
    """The diagonal, as a vector."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of vectors."""
        return [TensorType(inputs[0].dtype, (None,))]

    def expand(self, *inputs: Any) -> Any:
        """Select the stored elements whose row is their column."""
        return diagonal(*inputs)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient on the diagonal."""
        return [with_diagonal(output_grads[0], *open_sparse(inputs[0]).shape)]


class Dot(Regular):
    """The product of two factors, dense."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Drop the inner lengths."""
        x, y = inputs
        shape = (*(None,) * (x.ndim - 1), *(None,) * (y.ndim - 1))
        return [TensorType(dtypes.upcast(x.dtype, y.dtype), shape)]

    def expand(self, *inputs: Any) -> Any:
        """Multiply stored elements."""
        return dense_product(*inputs)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Multiply by the other factor, transposed."""
        (x, y), (g,) = inputs, output_grads
        return [_left_gradient(x, y, g), _right_gradient(x, y, g)]


class TrueDot(Regular):
    """The product of two matrices, sparse."""

    __props__ = ("grad_preserves_dense",)

    def __init__(self, grad_preserves_dense: bool = True) -> None:
        self.grad_preserves_dense = grad_preserves_dense

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the format of the first sparse factor."""
        format = next(item.format for item in inputs if is_sparse(item))
        return [SparseType(format, dtypes.upcast(*(item.dtype for item in inputs)))]

    def expand(self, *inputs: Any) -> Any:
        """Multiply stored elements."""
        return sparse_product(*inputs)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Multiply by the other factor, transposed."""
        (x, y), (g,) = inputs, output_grads
        grads = [sparse_product(g, conjugate(y).T), sparse_product(conjugate(x).T, g)]
        return [
            dense_from_sparse(grad) if self.grad_preserves_dense and not is_sparse(item) else grad
            for item, grad in zip(inputs, grads, strict=True)
        ]


def conjugate(x: Any) -> Any:
    """Return the complex conjugate of a matrix, sparse or dense; itself if it is real."""
    if not dtypes.is_complex(x.dtype):
        return x
    return x.conj() if is_sparse(x) else scalar.conj(x)


def _left_gradient(x: Any, y: Any, g: Any) -> Any:
    """Return the gradient of ``dot(x, y)`` with respect to ``x``, dense."""
    other = conjugate(y)
    if y.ndim == 1:
        return g.dimshuffle(0, "x") * other.dimshuffle("x", 0)
    return dense_product(g, other.T)


def _right_gradient(x: Any, y: Any, g: Any) -> Any:
    """Return the gradient of ``dot(x, y)`` with respect to ``y``, dense."""
    other = conjugate(x)
    if x.ndim == 1:
        return other.dimshuffle(0, "x") * g.dimshuffle("x", 0)
    return dense_product(other.T, g)

"""Ops on sparse matrices with the gradient of the dense function: sums, diagonals, products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.sparse.components import scattered
from symtheano.sparse.csm import as_sparse_variable, open_sparse
from symtheano.sparse.diagonals import diagonal, with_diagonal
from symtheano.sparse.linear import FromDense
from symtheano.sparse.operands import both_sparse
from symtheano.sparse.places import add_at
from symtheano.sparse.product import as_factor, dense_product, sparse_product
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import SparseType, is_sparse
from symtheano.tensor.basic import cast
from symtheano.tensor.checks import one_axis
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.elemwise import cast_like
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType


class ToDense(Regular):
    """A sparse matrix as a dense one."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType(inputs[0].dtype, (None, None))]

    def expand(self, *inputs: Any) -> Any:
        """Scatter the stored elements."""
        return scattered(*inputs)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient itself, as a sparse matrix."""
        return [FromDense(inputs[0].format)(output_grads[0])]


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

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient for every element, stored or not."""
        (x,), (g,) = inputs, output_grads
        spread = g.dimshuffle(0, "x") if self.axis == 1 else g
        full = alloc(cast_like(spread, x), x.shape[0], x.shape[1])
        return [FromDense(x.format)(full)]


class Diag(Regular):
    """The diagonal, as a vector."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType(inputs[0].dtype, (None,))]

    def expand(self, *inputs: Any) -> Any:
        """Select the stored elements whose row is their column."""
        return diagonal(*inputs)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
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

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
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

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply by the other factor, transposed."""
        (x, y), (g,) = inputs, output_grads
        grads = [sparse_product(g, conjugate(y).T), sparse_product(conjugate(x).T, g)]
        return [
            scattered(grad) if self.grad_preserves_dense and not is_sparse(item) else grad
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


def dense_from_sparse(x: Any, structured: bool = True) -> Any:
    """Return a sparse matrix as a dense one.

    Parameters
    ----------
    x
        Sparse matrix.
    structured
        Whether the gradient is structured, that is, only for stored elements, or regular.

    Examples
    --------
    >>> dense_from_sparse(symtheano.sparse.csr_matrix("x")).type
    TensorType(float64, matrix)
    """
    x = as_sparse_variable(x)
    return scattered(x) if structured else ToDense()(x)


def sp_sum(x: Any, axis: int | None = None, sparse_grad: bool = False) -> Any:
    """Return the sum of a sparse matrix over an axis, dense.

    Parameters
    ----------
    x
        Sparse matrix.
    axis
        0 for the sums of columns, 1 for the sums of rows, None for the sum of all elements.
    sparse_grad
        Whether the gradient is structured instead of regular.

    Examples
    --------
    >>> sp_sum(symtheano.sparse.csr_matrix("x"), axis=0).type
    TensorType(float64, vector)
    """
    x = as_sparse_variable(x)
    if axis not in (None, 0, 1, -1, -2):
        raise ValueError(build_message(f"sp_sum: a matrix has no axis {axis}", x))
    axis = None if axis is None else axis % 2
    if not sparse_grad:
        return Sum(axis)(x)
    return sums(x, axis)


def sums(x: Any, axis: int | None) -> Any:
    """Return the sum over an axis, in the dtype of sums of dense arrays."""
    parts = open_sparse(x)
    total = parts.data.sum()
    if axis is None:
        return total
    data = cast(parts.data, total.dtype)
    return add_at(parts.coordinates[1 - axis], data, parts.shape[1 - axis])


def diag(x: Any) -> Any:
    """Return the diagonal of a sparse matrix, a dense vector; its gradient is regular.

    Examples
    --------
    >>> diag(symtheano.sparse.csc_matrix("x")).type
    TensorType(float64, vector)
    """
    return Diag()(as_sparse_variable(x))


def dot(x: Any, y: Any) -> Any:
    """Return the product of two matrices, at least one of them sparse, as a dense one.

    The gradient is that of the dense product. With respect to a sparse factor, it is a dense
    matrix.

    Raises
    ------
    ShapeError
        In a call, if the inner lengths differ.

    Examples
    --------
    >>> dot(symtheano.sparse.csr_matrix("x"), T.matrix("y")).type
    TensorType(float64, matrix)
    """
    both_sparse("dot", x, y)
    return Dot()(*(as_factor(item) for item in (x, y)))


def true_dot(x: Any, y: Any, grad_preserves_dense: bool = True) -> Any:
    """Return the product of two matrices, at least one of them sparse, as a sparse one.

    The gradient is that of the dense product. The format is that of the first sparse factor.

    Parameters
    ----------
    x, y
        Matrices.
    grad_preserves_dense
        Whether the gradient with respect to a dense factor is dense instead of sparse.

    Examples
    --------
    >>> true_dot(symtheano.sparse.csr_matrix("x"), symtheano.sparse.csr_matrix("y")).type
    SparseType(float64, csr)
    """
    both_sparse("true_dot", x, y)
    factors = [as_factor(item) for item in (x, y)]
    for factor in factors:
        if factor.ndim != 2:
            raise TypeError(build_message("true_dot takes matrices", factor))
    return TrueDot(bool(grad_preserves_dense))(*factors)

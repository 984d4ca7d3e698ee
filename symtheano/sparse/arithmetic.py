"""Elementwise sums and products of sparse matrices with sparse and dense matrices and vectors."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.linear import Add
from symtheano.sparse.operands import aligned, along, both_sparse
from symtheano.sparse.places import scatter_add
from symtheano.sparse.scaled import Product, Scaled, mul_s_s
from symtheano.sparse.type import is_sparse
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message


def add(x: Any, y: Any) -> Any:
    """Return the sum of two matrices, at least one of them sparse.

    If both are sparse, the result is sparse, in the format of ``x``. Otherwise it is dense.

    Examples
    --------
    >>> from symtheano.sparse.basic import csr_matrix
    >>> add(csr_matrix("x"), csr_matrix("y")).type, add(T.matrix("d"), csr_matrix("x")).type
    (SparseType(float64, csr), TensorType(float64, matrix))
    """
    if both_sparse("add", x, y):
        return add_s_s(x, y)
    return add_s_d(x, y) if is_sparse(x) else add_s_d(y, x)


def sub(x: Any, y: Any) -> Any:
    """Return the difference of two matrices, at least one of them sparse.

    Examples
    --------
    >>> sub(symtheano.sparse.csr_matrix("x"), symtheano.sparse.csr_matrix("y")).type
    SparseType(float64, csr)
    """
    both_sparse("sub", x, y)
    return add(x, -(y if is_sparse(y) else as_tensor_variable(y)))


def mul(x: Any, y: Any) -> Any:
    """Return the sparse elementwise product of two operands, at least one of them sparse.

    The other operand may be sparse, a dense matrix, a vector (one factor for each column) or a
    number.

    Examples
    --------
    >>> mul(symtheano.sparse.csr_matrix("x"), 2.0).type
    SparseType(float64, csr)
    """
    if both_sparse("mul", x, y):
        return mul_s_s(x, y)
    return mul_s_d(x, y) if is_sparse(x) else mul_s_d(y, x)


def add_s_s(x: Any, y: Any) -> Any:
    """Return the sum of two sparse matrices, in the format of the first.

    Raises
    ------
    ShapeError
        In a call, if their shapes differ.

    Examples
    --------
    >>> add_s_s(symtheano.sparse.csc_matrix("x"), symtheano.sparse.csc_matrix("y")).type
    SparseType(float64, csc)
    """
    return Add()(as_sparse_variable(x), as_sparse_variable(y))


def add_s_s_data(x: Any, y: Any) -> Any:
    """Return the sum of two sparse matrices with the same structure.

    Only the number of elements is checked. The result has the structure of ``x``.

    Examples
    --------
    >>> add_s_s_data(symtheano.sparse.csr_matrix("x"), symtheano.sparse.csr_matrix("y")).type
    SparseType(float64, csr)
    """
    left, right = open_sparse(x), open_sparse(y)
    return pack(left.with_data(left.data + right.data))


def add_s_d(x: Any, y: Any) -> Any:
    """Return the sum of a sparse and a dense matrix, dense.

    Raises
    ------
    ShapeError
        In a call, if their shapes differ.

    Examples
    --------
    >>> add_s_d(symtheano.sparse.csr_matrix("x"), T.matrix("y")).type
    TensorType(float64, matrix)
    """
    y = as_tensor_variable(y)
    if y.ndim != 2:
        raise NotImplementedError(
            build_message(
                f"sparse.add of {y.ndim} dims is not supported: nearly all elements would change",
                y,
                hint="add a dense matrix, or to stored elements only by structured_add",
            )
        )
    parts = aligned("add", open_sparse(x), y)
    dtype = dtypes.upcast(parts.data.dtype, y.dtype)
    rows, columns = parts.coordinates
    return scatter_add(cast(y, dtype), cast(parts.data, dtype), rows, columns)


def mul_s_d(x: Any, y: Any) -> Any:
    """Return the sparse elementwise product of a sparse matrix and a dense operand.

    ``y`` is a matrix of the same shape, a vector (see :func:`mul_s_v`) or a number.

    Examples
    --------
    >>> mul_s_d(symtheano.sparse.csr_matrix("x"), T.matrix("y")).type
    SparseType(float64, csr)
    """
    x, y = as_sparse_variable(x), as_tensor_variable(y)
    if y.ndim == 0:
        return Scaled(None, "mul")(x, y)
    if y.ndim == 1:
        return mul_s_v(x, y)
    if y.ndim > 2:
        raise TypeError(build_message(f"sparse.mul takes at most 2 dims, not {y.ndim}", y))
    return Product()(x, y)


def mul_s_v(x: Any, y: Any) -> Any:
    """Return a sparse matrix with each column multiplied by an element of a vector.

    Examples
    --------
    >>> mul_s_v(symtheano.sparse.csr_matrix("x"), T.vector("y")).type
    SparseType(float64, csr)
    """
    return _scaled(x, y, 1, "mul_s_v")


def structured_add_s_v(x: Any, y: Any) -> Any:
    """Return a sparse matrix with ``y[j]`` added to the stored elements of column ``j``.

    Examples
    --------
    >>> structured_add_s_v(symtheano.sparse.csr_matrix("x"), T.vector("y")).type
    SparseType(float64, csr)
    """
    parts, terms = along(open_sparse(x), _vector(y, "structured_add_s_v"), 1, "structured_add_s_v")
    return pack(parts.with_data(parts.data + terms))


def col_scale(x: Any, s: Any) -> Any:
    """Return a sparse matrix with each column multiplied by an element of the vector ``s``.

    Examples
    --------
    >>> col_scale(symtheano.sparse.csc_matrix("x"), T.vector("s")).type
    SparseType(float64, csc)
    """
    return _scaled(x, s, 1, "col_scale")


def row_scale(x: Any, s: Any) -> Any:
    """Return a sparse matrix with each row multiplied by an element of the vector ``s``.

    Examples
    --------
    >>> row_scale(symtheano.sparse.csc_matrix("x"), T.vector("s")).type
    SparseType(float64, csc)
    """
    return _scaled(x, s, 0, "row_scale")


def _scaled(x: Any, vector: Any, axis: int, name: str) -> Any:
    return Scaled(axis, name)(as_sparse_variable(x), _vector(vector, name))


def _vector(value: Any, name: str) -> Any:
    vector = as_tensor_variable(value)
    if vector.ndim != 1:
        raise TypeError(build_message(f"{name} takes a vector, not {vector.ndim} dims", vector))
    return vector

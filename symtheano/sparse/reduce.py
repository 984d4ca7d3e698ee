"""Sums of sparse matrices, which are dense."""

from __future__ import annotations

from typing import Any

from symtheano.sparse.csm import as_sparse_variable, open_sparse
from symtheano.sparse.places import add_at
from symtheano.tensor.basic import cast
from symtheano.tensor.messages import build_message


def sp_sum(x: Any, axis: int | None = None, sparse_grad: bool = False) -> Any:
    """Return the sum of a sparse matrix over an axis, dense.

    Parameters
    ----------
    x
        Sparse matrix.
    axis
        0 for sums of columns, 1 for sums of rows, None for the sum of all elements.
    sparse_grad
        Whether the gradient is structured instead of regular.

    Examples
    --------
    >>> from symtheano.sparse.basic import csr_matrix
    >>> sp_sum(csr_matrix("x"), axis=0).type
    TensorType(float64, vector)
    """
    x = as_sparse_variable(x)
    if axis not in (None, 0, 1, -1, -2):
        raise ValueError(build_message(f"sp_sum: a matrix has no axis {axis}", x))
    axis = None if axis is None else axis % 2
    if not sparse_grad:
        from symtheano.sparse.regular import Sum

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

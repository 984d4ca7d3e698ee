"""Conversion from and to dense matrices, transposes, sorting, and stacking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtheano import dtypes
from symtheano.sparse.csm import as_sparse_variable
from symtheano.sparse.linear import Converted, FromDense, Stacked, Tidied, Transpose
from symtheano.sparse.type import SparseType
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message


def csr_from_dense(x: Any) -> Any:
    """Return the csr matrix of the nonzero elements of a dense matrix.

    Examples
    --------
    >>> csr_from_dense(T.matrix("x")).type
    SparseType(float64, csr)
    """
    return from_dense(x, "csr")


def csc_from_dense(x: Any) -> Any:
    """Return the csc matrix of the nonzero elements of a dense matrix.

    Examples
    --------
    >>> csc_from_dense(T.matrix("x")).type
    SparseType(float64, csc)
    """
    return from_dense(x, "csc")


@dataclass(frozen=True)
class SparseFromDense:
    """Theano's name for :func:`csr_from_dense` and :func:`csc_from_dense`, by format."""

    format: str

    def __call__(self, x: Any) -> Any:
        return from_dense(x, SparseType(self.format, "float64").format)


def from_dense(x: Any, format: str) -> Any:
    """Return the sparse matrix of the nonzero elements of a dense one, with a regular gradient."""
    x = as_tensor_variable(x)
    if x.ndim != 2:
        raise TypeError(build_message(f"{format}_from_dense takes a matrix, not {x.ndim} dims", x))
    return FromDense(format)(x)


def transpose(x: Any) -> Any:
    """Return the transpose of a sparse matrix, in the other format, without a copy.

    Examples
    --------
    >>> transpose(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csc)
    """
    return Transpose()(as_sparse_variable(x))


def ensure_sorted_indices(x: Any) -> Any:
    """Return a sparse matrix with sorted indices in each row (or column).

    Examples
    --------
    >>> ensure_sorted_indices(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """
    return _tidied(x, "sort")


def sum_duplicates(x: Any) -> Any:
    """Return a sparse matrix with sorted indices and without duplicates.

    Examples
    --------
    >>> sum_duplicates(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """
    return _tidied(x, "sum")


def remove0(x: Any) -> Any:
    """Return a sparse matrix without stored zeros.

    Examples
    --------
    >>> remove0(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """
    return _tidied(x, "drop")


def clean(x: Any) -> Any:
    """Return a sparse matrix without stored zeros and with sorted indices.

    Examples
    --------
    >>> clean(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """
    return ensure_sorted_indices(remove0(x))


def to_format(x: Any, format: str) -> Any:
    """Return a sparse matrix in a format, ``csr`` or ``csc``.

    Examples
    --------
    >>> to_format(symtheano.sparse.csr_matrix("x"), "csc").type
    SparseType(float64, csc)
    """
    x = as_sparse_variable(x)
    kind = SparseType(format, x.dtype)
    return x if x.type == kind else Converted(kind.format, kind.dtype)(x)


def hstack(blocks: Sequence[Any], format: str | None = None, dtype: Any = None) -> Any:
    """Stack sparse matrices horizontally.

    Parameters
    ----------
    blocks
        Sparse matrices with the same number of rows.
    format
        Format of the result; ``csc`` by default.
    dtype
        Dtype of the result; by default the promoted dtype of all blocks.

    Raises
    ------
    ShapeError
        If the numbers of rows differ.

    Examples
    --------
    >>> hstack([symtheano.sparse.csr_matrix("x"), symtheano.sparse.csr_matrix("y")]).type
    SparseType(float64, csc)
    """
    return _stacked("hstack", blocks, format, dtype)


def vstack(blocks: Sequence[Any], format: str | None = None, dtype: Any = None) -> Any:
    """Stack sparse matrices vertically.

    Parameters
    ----------
    blocks
        Sparse matrices with the same number of columns.
    format
        Format of the result; ``csc`` by default.
    dtype
        Dtype of the result; by default the promoted dtype of all blocks.

    Raises
    ------
    ShapeError
        If the numbers of columns differ.

    Examples
    --------
    >>> from symtheano.sparse.basic import csr_matrix
    >>> vstack([csr_matrix("x"), csr_matrix("y")], format="csr").type
    SparseType(float64, csr)
    """
    return _stacked("vstack", blocks, format, dtype)


def _tidied(x: Any, what: str) -> Any:
    return Tidied(what)(as_sparse_variable(x))


def _stacked(name: str, blocks: Sequence[Any], format: str | None, dtype: Any) -> Any:
    if not isinstance(blocks, list | tuple) or not blocks:
        raise TypeError(build_message(f"{name} takes a list of sparse matrices"))
    matrices = [as_sparse_variable(block) for block in blocks]
    kind = SparseType(format or "csc", dtype or dtypes.upcast(*(block.dtype for block in matrices)))
    return Stacked(name, kind.format, kind.dtype)(*matrices)

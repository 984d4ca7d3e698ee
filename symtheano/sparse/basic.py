"""Sparse variables: inputs, constants and shared variables."""

from __future__ import annotations

from typing import Any

from symtheano.config import config
from symtheano.sparse.csm import as_sparse_variable
from symtheano.sparse.type import SparseType, is_scipy, is_sparse
from symtheano.sparse.variable import SparseSharedVariable
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message

as_sparse = as_sparse_variable


def as_sparse_or_tensor_variable(x: Any, name: str | None = None) -> Any:
    """Return ``x`` as a symbolic sparse matrix if it is sparse, else as a symbolic array.

    Examples
    --------
    >>> as_sparse_or_tensor_variable(2.0)
    TensorConstant{2.0}
    """
    return as_sparse_variable(x, name) if is_sparse(x) else as_tensor_variable(x, name)


def matrix(format: str, name: str | None = None, dtype: Any = None) -> Any:
    """Return a symbolic sparse matrix of a format; dtype floatX by default.

    Examples
    --------
    >>> matrix("csc", "x", "int32").type
    SparseType(int32, csc)
    """
    return SparseType(format, dtype or config.floatX).make_variable(name)


def csr_matrix(name: str | None = None, dtype: Any = None) -> Any:
    """Return a symbolic csr matrix; dtype floatX by default.

    Examples
    --------
    >>> csr_matrix("x"), csr_matrix("x", "int8").type
    (x, SparseType(int8, csr))
    """
    return matrix("csr", name, dtype)


def csc_matrix(name: str | None = None, dtype: Any = None) -> Any:
    """Return a symbolic csc matrix; dtype floatX by default.

    Examples
    --------
    >>> csc_matrix("x").type
    SparseType(float64, csc)
    """
    return matrix("csc", name, dtype)


csr_dmatrix, csc_dmatrix = (SparseType(format, "float64") for format in ("csr", "csc"))
csr_fmatrix, csc_fmatrix = (SparseType(format, "float32") for format in ("csr", "csc"))


def constant(x: Any, name: str | None = None) -> Any:
    """Return a SciPy matrix as a constant.

    Examples
    --------
    >>> import scipy.sparse
    >>> constant(scipy.sparse.csc_matrix([[1, 0]])).type
    SparseType(int64, csc)
    """
    if not is_scipy(x):
        raise TypeError(build_message(f"sparse.constant takes a SciPy matrix, not {type(x)}"))
    return as_sparse_variable(x, name)


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    format: str | None = None,
) -> Any:
    """Return a sparse shared variable.

    Parameters
    ----------
    value
        Matrix; its dtype is kept, and its format unless another is given.
    name
        Label.
    strict, allow_downcast
        How ``set_value`` treats other types; see :meth:`SparseType.filter`.
    borrow
        Keep the matrix itself instead of a copy.
    format
        ``csr`` or ``csc``.

    Examples
    --------
    >>> import scipy.sparse
    >>> w = shared(scipy.sparse.csr_matrix([[0.0, 2.0]]), name="w")
    >>> w.type, w.get_value().nnz
    (SparseType(float64, csr), 1)
    """
    if not is_scipy(value):
        raise TypeError(build_message(f"sparse.shared takes a SciPy matrix, not {type(value)}"))
    kind = SparseType(format or value.format, value.dtype)
    fitting = kind.filter(value)
    kept = fitting if borrow else fitting.copy()
    return SparseSharedVariable(kind, kept, name, strict, allow_downcast)

"""Theano's classes for functions with options: constructed with the options, then called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.sparse import convert, dense


@dataclass(frozen=True)
class DenseFromSparse:
    """Theano's form of :func:`dense_from_sparse`, constructed with the kind of gradient.

    Examples
    --------
    >>> import scipy.sparse
    >>> DenseFromSparse()(scipy.sparse.csr_matrix([[0.0, 2.0]])).eval()
    array([[0., 2.]])
    """

    structured: bool = True

    def __call__(self, x: Any) -> Any:
        return dense.dense_from_sparse(x, self.structured)


@dataclass(frozen=True)
class EnsureSortedIndices:
    """Theano's form of :func:`ensure_sorted_indices`; ``inplace`` has no effect.

    Examples
    --------
    >>> EnsureSortedIndices(inplace=False)(symtheano.sparse.csc_matrix("x")).type
    SparseType(float64, csc)
    """

    inplace: bool

    def __call__(self, x: Any) -> Any:
        return convert.ensure_sorted_indices(x)


@dataclass(frozen=True)
class Remove0:
    """Theano's form of :func:`remove0`; ``inplace`` has no effect.

    Examples
    --------
    >>> import scipy.sparse
    >>> x = scipy.sparse.csr_matrix(([0.0, 2.0], [0, 1], [0, 2]))
    >>> x.nnz, Remove0()(x).eval().nnz
    (2, 1)
    """

    inplace: bool = False

    def __call__(self, x: Any) -> Any:
        return convert.remove0(x)


@dataclass(frozen=True)
class HStack:
    """Theano's form of :func:`hstack`: constructed with format and dtype, called with matrices.

    Examples
    --------
    >>> import scipy.sparse
    >>> x = scipy.sparse.csr_matrix([[2]])
    >>> HStack("csr", "int8")(x, x).eval().toarray()
    array([[2, 2]], dtype=int8)
    """

    format: str | None = None
    dtype: Any = None

    def __call__(self, *blocks: Any) -> Any:
        return convert.hstack(blocks, self.format, self.dtype)


@dataclass(frozen=True)
class VStack(HStack):
    """Theano's form of :func:`vstack`: constructed with format and dtype, called with matrices.

    Examples
    --------
    >>> import scipy.sparse
    >>> x = scipy.sparse.csr_matrix([[2]])
    >>> VStack("csr")(x, x).eval().toarray()
    array([[2],
           [2]])
    """

    def __call__(self, *blocks: Any) -> Any:
        return convert.vstack(blocks, self.format, self.dtype)


@dataclass(frozen=True)
class SpSum:
    """Theano's form of :func:`sp_sum`, constructed with axis and kind of gradient.

    As in Theano, the gradient is structured by default; that of the function is regular.

    Examples
    --------
    >>> import scipy.sparse
    >>> SpSum(axis=1)(scipy.sparse.csr_matrix([[1.0, 2.0]])).eval()
    array([3.])
    """

    axis: int | None = None
    sparse_grad: bool = True

    def __call__(self, x: Any) -> Any:
        return dense.sp_sum(x, self.axis, self.sparse_grad)


@dataclass(frozen=True)
class TrueDot:
    """Theano's form of :func:`true_dot`, constructed with the kind of gradient.

    Examples
    --------
    >>> import scipy.sparse
    >>> TrueDot()(scipy.sparse.csr_matrix([[0.0, 2.0]]), [[1.0], [5.0]]).eval().toarray()
    array([[10.]])
    """

    grad_preserves_dense: bool = True

    def __call__(self, x: Any, y: Any) -> Any:
        return dense.true_dot(x, y, self.grad_preserves_dense)

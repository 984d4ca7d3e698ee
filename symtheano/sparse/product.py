"""Matrix products with sparse factors."""

from __future__ import annotations

from typing import Any

from symtheano.sparse.checked import fit
from symtheano.sparse.components import csx_from_dense, scattered
from symtheano.sparse.compressed import columns_dot, rows_dot, sampled_dot
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.elementwise import sp_ones_like
from symtheano.sparse.merge import converted, merge
from symtheano.sparse.operands import both_sparse
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import gather
from symtheano.sparse.segments import select
from symtheano.sparse.type import is_sparse
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.linalg.dot import dot as dense_dot
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import shape_of

_INNER = "sparse dot: the left factor has {} columns, but the right one has {} rows"


def structured_dot(x: Any, y: Any) -> Any:
    """Return the product of two matrices, at least one of them sparse.

    The gradient with respect to a sparse factor is structured. The result is sparse if both factors
    are sparse, otherwise dense. A dense factor may be a vector.

    Raises
    ------
    ShapeError
        In a call, if the inner lengths differ.

    Examples
    --------
    >>> structured_dot(symtheano.sparse.csr_matrix("x"), T.matrix("y")).type
    TensorType(float64, matrix)
    """
    if both_sparse("dot", x, y):
        return pack(_sparse_product(x, y))
    if is_sparse(x):
        return _product(open_sparse(x), _factor(y))
    return _product(open_sparse(y).transposed, _factor(x).T).T


def usmm(alpha: Any, x: Any, y: Any, z: Any) -> Any:
    """Return ``alpha * dot(x, y) + z``, dense: at least one of ``x`` and ``y`` is sparse.

    Examples
    --------
    >>> usmm(2.0, symtheano.sparse.csr_matrix("x"), T.matrix("y"), T.matrix("z")).type
    TensorType(float64, matrix)
    """
    alpha, z = as_tensor_variable(alpha), as_tensor_variable(z)
    if alpha.ndim:
        raise TypeError(build_message("usmm: alpha must be a scalar", alpha))
    return alpha * dense_product(x, y) + z


def sampling_dot(x: Any, y: Any, p: Any) -> Any:
    """Return the sparse ``p * dot(x, y.T)``, computed only where ``p`` stores elements.

    Parameters
    ----------
    x, y
        Dense matrices with the same number of columns.
    p
        Sparse matrix with a row for each row of ``x`` and a column for each row of ``y``.

    Raises
    ------
    ShapeError
        In a call, if the shapes do not match.

    Examples
    --------
    >>> sampling_dot(T.matrix("x"), T.matrix("y"), symtheano.sparse.csr_matrix("p")).type
    SparseType(float64, csr)
    """
    x, y, parts = as_tensor_variable(x), as_tensor_variable(y), open_sparse(p)
    for factor in (x, y):
        if factor.ndim != 2:
            raise TypeError(build_message("sampling_dot takes dense matrices", factor))
    left, right = (x, y) if parts.format == "csr" else (y, x)
    what = "sampling_dot: p has {} columns or rows, a factor {} rows"
    parts = fit(parts, what, (parts.minor, shape_of(right)[0]))
    return pack(parts.with_data(parts.data * sampled_dot(left, right, parts.indices, parts.indptr)))


def structured_dot_grad(sparse_A: Any, dense_B: Any, ga: Any) -> Any:
    """Return the gradient of ``structured_dot(sparse_A, dense_B)`` with respect to ``sparse_A``.

    Parameters
    ----------
    sparse_A
        Sparse matrix; the result has its structure.
    dense_B
        Dense matrix.
    ga
        Gradient of the product, a dense matrix.

    Raises
    ------
    ShapeError
        In a call, if the shapes do not match.

    Examples
    --------
    >>> import scipy.sparse
    >>> x = scipy.sparse.csr_matrix([[0.0, 3.0]])
    >>> structured_dot_grad(x, [[5.0, 1.0], [7.0, 2.0]], [[10.0, 1.0]]).eval().toarray()
    array([[ 0., 72.]])
    """
    return sampling_dot(ga, dense_B, sp_ones_like(sparse_A))


def as_factor(x: Any) -> Any:
    """Return a factor as a symbolic matrix, sparse or dense, or vector."""
    return as_sparse_variable(x) if is_sparse(x) else _factor(x)


def dense_product(x: Any, y: Any) -> Any:
    """Return the product of two factors, each sparse or dense, as a dense array."""
    if not is_sparse(x) and not is_sparse(y):
        return dense_dot(x, y)
    product = structured_dot(x, y)
    return scattered(product) if is_sparse(product) else product


def sparse_product(x: Any, y: Any) -> Any:
    """Return the product of two matrices, each sparse or dense, as a sparse matrix."""
    format = next((item.format for item in (x, y) if is_sparse(item)), "csr")
    if is_sparse(x) and is_sparse(y):
        return pack(converted(_sparse_product(x, y), format))
    return csx_from_dense(dense_product(x, y), format)


def _factor(x: Any) -> Any:
    x = as_tensor_variable(x)
    if x.ndim not in (1, 2):
        raise TypeError(
            build_message(
                f"sparse dot takes matrices and vectors, not {x.ndim} dims",
                x,
                hint="use mul for a scalar" if x.ndim == 0 else None,
            )
        )
    return x


def _product(parts: Parts, dense: Any) -> Any:
    compute = rows_dot if parts.format == "csr" else columns_dot
    return compute(parts.data, dense, parts.indices, parts.indptr, parts.minor)


def _sparse_product(x: Any, y: Any) -> Parts:
    """Return the product of two sparse matrices, in the format of the first."""
    left, right = open_sparse(x), open_sparse(y)
    if left.format == "csc":
        # For the transpose of a product, the factors are exchanged, and columns become rows.
        return _rows_product(converted(right, "csc").transposed, left.transposed).transposed
    return _rows_product(left, converted(right, "csr"))


def _rows_product(x: Parts, y: Parts) -> Parts:
    """Multiply two csr matrices: compute all terms, then sum those at the same position."""
    x = fit(x, _INNER, (x.minor, y.major))
    terms, positions, _ = select(x.indices, y.indptr)
    rows, columns = gather(x.segments, terms), gather(y.indices, positions)
    merged = merge(rows, columns, x.major, y.minor)
    data = merged.sums(gather(x.data, terms) * gather(y.data, positions))
    return Parts("csr", data, merged.indices, merged.indptr, y.minor)

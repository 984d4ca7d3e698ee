"""Functions of ``numpy.linalg`` and ``scipy.linalg`` that are short expressions of others."""

from __future__ import annotations

from typing import Any

from numpy.linalg import LinAlgError

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.linalg import eigen, matrices
from symtheano.tensor.linalg.norms import norm
from symtheano.tensor.linalg.svd import svd
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.arrangement import moveaxis
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.shapes.join import concatenate, stack
from symtheano.tensor.shapes.shape import shape_of

__all__ = [
    "LinAlgError", "block_diag", "cross", "diagonal", "eigvalsh", "matrix_norm",
    "matrix_transpose", "svdvals", "vecdot", "vector_norm",
]  # fmt: skip


def _matrices(name: str, value: Any) -> Tensor:
    x = as_tensor_variable(value)
    if x.ndim < 2:
        raise TypeError(build_message(f"{name} takes matrices, or batches of them", x))
    return x


def matrix_transpose(x: Any) -> Tensor:
    """Return matrices (..., m, n) transposed: (..., n, m).

    Examples
    --------
    >>> matrix_transpose(T.zeros((4, 2, 3))).type
    TensorType(float64, (4, 3, 2))
    """
    transposed: Tensor = matrices.swap(_matrices("matrix_transpose", x))
    return transposed


def diagonal(x: Any, *, offset: int = 0) -> Tensor:
    """Return a diagonal of each matrix of (..., m, n).

    By default, ``symtheano.tensor.diagonal`` uses the first two axes, and this function the last
    two. NumPy has the same difference.

    Parameters
    ----------
    x
        Matrices.
    offset
        Positive above the main diagonal.

    Examples
    --------
    >>> diagonal([[1, 2], [3, 4]], offset=1).eval().tolist()
    [2]
    """
    result: Tensor = matrices.diagonal_of(_matrices("diagonal", x), offset)
    return result


def eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    """Return the eigenvalues (..., n) of Hermitian matrices (..., n, n), in ascending order.

    Parameters
    ----------
    a
        Matrices; only one triangle is read.
    UPLO
        ``"L"`` for the lower triangle, ``"U"`` for the upper one.

    Examples
    --------
    >>> eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]])).eval()
    array([1., 2.])
    """
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError(build_message(f"eigvalsh: UPLO={UPLO!r} is neither 'L' nor 'U'"))
    return eigen.eigvalsh(a, lower=UPLO in "Ll")


def svdvals(x: Any) -> Tensor:
    """Return the singular values (..., k) of matrices (..., m, n), in descending order.

    Examples
    --------
    >>> svdvals(np.array([[3.0, 0.0], [0.0, 4.0]])).eval()
    array([4., 3.])
    """
    return svd(x, compute_uv=False)


def vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Tensor:
    """Return the sums of ``conj(x1) * x2`` along an axis; other axes are broadcast.

    Examples
    --------
    >>> vecdot([[1, 2], [3, 4]], [1, 10]).eval().tolist()
    [21, 43]
    """
    x1, x2 = as_tensor_variable(x1), as_tensor_variable(x2)
    axis = axis_number(axis)
    if axis >= 0 and x1.ndim != x2.ndim:
        x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
        axis = -1
    left = scalar.conj(x1) if "complex" in x1.dtype else x1
    products: Tensor = (left * x2).sum(axis=axis)
    return products


def vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    """Return the norm of vectors along an axis, or of all elements.

    Parameters
    ----------
    x
        Array.
    axis
        One axis; None for all elements as one vector.
    keepdims
        Whether reduced axes are kept with length 1.
    ord
        As for :func:`norm`.

    Examples
    --------
    >>> vector_norm(np.array([[3.0], [4.0]])).eval()
    array(5.)
    """
    x = as_tensor_variable(x)
    if axis is not None:
        return norm(x, ord, axis, keepdims)
    result = norm(x.flatten(), ord, 0)
    return result.dimshuffle(*["x"] * x.ndim) if keepdims else result


def matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """Return the norms of matrices (..., m, n).

    Parameters
    ----------
    x
        Matrices.
    keepdims
        Whether the last two axes are kept with length 1.
    ord
        As for :func:`norm`.

    Examples
    --------
    >>> matrix_norm(np.array([[3.0, 0.0], [0.0, 4.0]]), ord=2).eval()
    array(4.)
    """
    return norm(_matrices("matrix_norm", x), ord, (-2, -1), keepdims)


def cross(x1: Any, x2: Any, *, axis: int = -1) -> Tensor:
    """Return the cross products of vectors of length 3 along an axis; other axes are broadcast.

    Raises
    ------
    ShapeError
        If the axis does not have length 3.

    Examples
    --------
    >>> cross([1, 0, 0], [0, 1, 0]).eval().tolist()
    [0, 0, 1]
    """
    from symtheano.tensor.shapes.static_shape import specify_shape

    parts = []
    for x in (x1, x2):
        x = moveaxis(as_tensor_variable(x), axis_number(axis), -1)
        x = specify_shape(x, (None,) * (x.ndim - 1) + (3,))
        parts.append([x[..., k] for k in range(3)])
    (a, b, c), (d, e, f) = parts
    return stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=axis)


def block_diag(*arrs: Any) -> Tensor:
    """Return a block-diagonal matrix: matrices on the diagonal, zeros elsewhere; as in SciPy.

    Parameters
    ----------
    arrs
        Matrices; numbers and vectors are matrices of one row.

    Examples
    --------
    >>> block_diag([[1, 2]], 3).eval().tolist()
    [[1, 2, 0], [0, 0, 3]]
    """
    from symtheano.tensor.shapes.arrangement import atleast_2d

    blocks = [atleast_2d(as_tensor_variable(item)) for item in arrs]
    if not blocks or any(item.ndim != 2 for item in blocks):
        raise TypeError(build_message("block_diag takes one or more matrices", *blocks))
    widths = [shape_of(item)[1] for item in blocks]
    rows = []
    for place, item in enumerate(blocks):
        height = shape_of(item)[0]
        row = [zeros((height, width), item.dtype) for width in widths]
        row[place] = item
        rows.append(concatenate(row, axis=1))
    return concatenate(rows, axis=0)

"""Matrices of a known structure, and equations that they solve; as in ``scipy.linalg``."""

from __future__ import annotations

from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros, zeros_like
from symtheano.tensor.creation.identity import eye
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.linalg.products import kron
from symtheano.tensor.linalg.solve import solve
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.shapes.shape import shape_of


def _grid(rows: Any, columns: Any) -> tuple[Any, Any]:
    """Return the numbers of rows, as a column, and of columns, as a row."""
    return arange(rows).dimshuffle(0, "x"), arange(columns).dimshuffle("x", 0)


def _vector(name: str, value: Any, least: int = 0) -> Tensor:
    """Return an argument as a vector of ``least`` or more elements."""
    x = as_tensor_variable(value)
    if x.ndim > 1:
        raise ValueError(build_message(f"{name} takes vectors", x))
    x = x.reshape((-1,)) if x.ndim == 0 else x
    enough = shape_of(x)[0] >= least
    return required(x, enough, f"{name}: the vector is too short") if least else x


def _right_side(name: str, value: Any, m: Any, n: Any) -> Tensor:
    """Return the elements of the right side of an equation of (m, n) matrices."""
    q = as_tensor_variable(value)
    rows, columns = map(as_tensor_variable, shape_of(q))
    same = scalar.and_(scalar.eq(rows, m), scalar.eq(columns, n))
    elements: Tensor = required(q, same, f"{name}: q has not the shape of the solution").reshape(
        (-1,)
    )
    return elements


def toeplitz(c: TensorLike, r: TensorLike | None = None) -> Tensor:
    """Return the matrix with constant diagonals, from its first column and its first row.

    Parameters
    ----------
    c
        The first column, a vector.
    r
        The first row, a vector whose first element is ignored. None: ``conj(c)``.

    Examples
    --------
    >>> toeplitz([1, 2, 3], [1, 4, 5, 6]).eval().tolist()
    [[1, 4, 5, 6], [2, 1, 4, 5], [3, 2, 1, 4]]
    """
    column = _vector("toeplitz", c)
    row = scalar.conj(column) if r is None else _vector("toeplitz", r)
    (m,), (n,) = shape_of(column), shape_of(row)
    i, j = _grid(m, n)
    matrix: Tensor = concatenate([column[::-1], row[1:]])[m - 1 - i + j]
    return matrix


def hankel(c: TensorLike, r: TensorLike | None = None) -> Tensor:
    """Return the matrix with constant antidiagonals, from its first column and its last row.

    Parameters
    ----------
    c
        The first column, a vector.
    r
        The last row, a vector whose first element is ignored. None: zeros.

    Examples
    --------
    >>> hankel([1, 2, 3], [0, 7, 8]).eval().tolist()
    [[1, 2, 3], [2, 3, 7], [3, 7, 8]]
    """
    column = _vector("hankel", c)
    row = zeros_like(column) if r is None else _vector("hankel", r)
    i, j = _grid(*shape_of(column), *shape_of(row))
    matrix: Tensor = concatenate([column, row[1:]])[i + j]
    return matrix


def circulant(c: TensorLike) -> Tensor:
    """Return the square matrix whose columns are ``c``, each shifted by one more than the last.

    Examples
    --------
    >>> circulant([1, 2, 3]).eval().tolist()
    [[1, 3, 2], [2, 1, 3], [3, 2, 1]]
    """
    column = _vector("circulant", c)
    (n,) = shape_of(column)
    i, j = _grid(n, n)
    matrix: Tensor = column[(i - j) % n]
    return matrix


def companion(a: TensorLike) -> Tensor:
    """Return the matrix whose eigenvalues are the roots of a polynomial.

    Parameters
    ----------
    a
        Coefficients of the polynomial, the one of the highest power first: a vector of at least two
        numbers.

    Examples
    --------
    >>> companion([1.0, -3.0, 2.0]).eval().tolist()
    [[3.0, -2.0], [1.0, 0.0]]
    """
    coefficients = _vector("companion", a, 2)
    first = -coefficients[1:] / coefficients[0]
    n = shape_of(first)[0]
    below = eye(n, dtype=first.dtype)[: n - 1]
    matrix: Tensor = concatenate([first.dimshuffle("x", 0), below])
    return matrix


def convolution_matrix(a: TensorLike, n: Any, mode: str = "full") -> Tensor:
    """Return the matrix whose product with a vector of length ``n`` is its convolution with ``a``.

    Parameters
    ----------
    a
        Vector.
    n
        The number of columns.
    mode
        As for :func:`symtheano.tensor.convolve`; only ``"full"`` is supported.

    Raises
    ------
    NotImplementedError
        If the mode is another one.

    Examples
    --------
    >>> convolution_matrix([1, 2], 3).eval().tolist()
    [[1, 0, 0], [2, 1, 0], [0, 2, 1], [0, 0, 2]]
    """
    if mode != "full":
        hint = "take the rows of the full matrix"
        raise NotImplementedError(build_message(f"convolution_matrix: mode={mode!r}", hint=hint))
    column = _vector("convolution_matrix", a, 1)
    none = zeros((n - 1,), column.dtype)
    return toeplitz(concatenate([column, none]), concatenate([column[:1], none]))


def khatri_rao(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the Kronecker products of columns: (m, k) and (n, k) give (m * n, k).

    Examples
    --------
    >>> khatri_rao([[1, 2]], [[3, 4], [5, 6]]).eval().tolist()
    [[3, 8], [5, 12]]
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError(build_message("khatri_rao takes two matrices", a, b))
    product = a.dimshuffle(0, "x", 1) * b.dimshuffle("x", 0, 1)
    rows, others, columns = shape_of(product)
    matrix: Tensor = product.reshape((rows * others, columns))
    return matrix


def solve_sylvester(a: TensorLike, b: TensorLike, q: TensorLike) -> Tensor:
    """Return the matrix x with ``a @ x + x @ b = q``.

    It is the solution of a system of m * n linear equations, whose matrix has (m * n)**2 elements.
    For matrices of more than about 50 rows, SciPy's function is faster.

    Parameters
    ----------
    a, b, q
        Matrices of shapes (m, m), (n, n) and (m, n).

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> solve_sylvester([[1.0]], [[3.0]], [[8.0]]).eval().tolist()
    [[2.0]]
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    (m, _), (n, _) = shape_of(a), shape_of(b)
    system = kron(a, eye(n, dtype=a.dtype)) + kron(eye(m, dtype=b.dtype), b.T)
    return solve(system, _right_side("solve_sylvester", q, m, n)).reshape((m, n))


def solve_continuous_lyapunov(a: TensorLike, q: TensorLike) -> Tensor:
    """Return the matrix x with ``a @ x + x @ conj(a.T) = q``; see :func:`solve_sylvester`.

    Examples
    --------
    >>> solve_continuous_lyapunov([[2.0]], [[8.0]]).eval().tolist()
    [[2.0]]
    """
    return solve_sylvester(a, scalar.conj(as_tensor_variable(a)).T, q)


def solve_discrete_lyapunov(a: TensorLike, q: TensorLike) -> Tensor:
    """Return the matrix x with ``a @ x @ conj(a.T) - x + q = 0``.

    It is the covariance of the states of ``x[t + 1] = a @ x[t] + noise``, for a noise with the
    covariance q. The cost is that of :func:`solve_sylvester`.

    Examples
    --------
    >>> solve_discrete_lyapunov([[0.5]], [[3.0]]).eval().tolist()
    [[4.0]]
    """
    a = as_tensor_variable(a)
    n = shape_of(a)[0]
    system = eye(n * n, dtype=a.dtype) - kron(a, scalar.conj(a))
    return solve(system, _right_side("solve_discrete_lyapunov", q, n, n)).reshape((n, n))

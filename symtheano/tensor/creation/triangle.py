"""Triangles of matrices."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.config import config
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.diagonals import offset_within
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.nonzeros import nonzero
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import as_dim


def _below(rows: Any, columns: Any, k: Any) -> Any:
    """Return whether elements are on the ``k``-th diagonal or below it."""
    row = arange(rows).dimshuffle(0, "x")
    return scalar.ge(row + offset_within(k), arange(columns).dimshuffle("x", 0))


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Tensor:
    """Return a matrix of ones on and below the ``k``-th diagonal, and zeros above it.

    Parameters
    ----------
    N, M
        Numbers of rows and columns; ``M`` is ``N`` by default.
    k
        Offset of the diagonal.
    dtype
        floatX by default.

    Examples
    --------
    >>> tri(2, 3, dtype="int8").eval().tolist()
    [[1, 0, 0], [1, 1, 0]]
    """
    rows = as_dim(N)
    kept = _below(rows, rows if M is None else as_dim(M), k)
    return cast(kept, dtypes.canonical(dtype or config.floatX))


def tril(m: Any, k: Any = 0) -> Tensor:
    """Return the lower triangle of the last two axes, with zeros above the ``k``-th diagonal.

    Examples
    --------
    >>> tril([[1, 2], [3, 4]]).eval().tolist()
    [[1, 0], [3, 4]]
    """
    m = _matrices("tril", m)
    return scalar.switch(_below(m.shape[-2], m.shape[-1], k), m, m.constant_like(0))


def triu(m: Any, k: Any = 0) -> Tensor:
    """Return the upper triangle of the last two axes, with zeros below the ``k``-th diagonal.

    Examples
    --------
    >>> triu([[1, 2], [3, 4]]).eval().tolist()
    [[1, 2], [0, 4]]
    """
    m = _matrices("triu", m)
    hidden = _below(m.shape[-2], m.shape[-1], offset_within(k) - 1)
    return scalar.switch(hidden, m.constant_like(0), m)


def _matrices(name: str, m: Any) -> Any:
    m = as_tensor_variable(m)
    if m.ndim < 2:
        raise ValueError(build_message(f"{name}: {m.ndim} dims, but at least two are needed", m))
    return m


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, Tensor]:
    """Return rows and columns of the elements on and below the ``k``-th diagonal.

    Examples
    --------
    >>> [i.eval().tolist() for i in tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    rows, columns = nonzero(tri(n, m, k, "bool"))
    return rows, columns


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, Tensor]:
    """Return rows and columns of the elements on and above the ``k``-th diagonal.

    Examples
    --------
    >>> [i.eval().tolist() for i in triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    below = tri(n, m, offset_within(k) - 1, "bool")
    rows, columns = nonzero(scalar.invert(below))
    return rows, columns


def tril_indices_from(a: Any, k: Any = 0) -> tuple[Tensor, Tensor]:
    """Return :func:`tril_indices` for a matrix of the shape of ``a``.

    Examples
    --------
    >>> [item.eval().tolist() for item in tril_indices_from([[1, 2], [3, 4]])]
    [[0, 1, 1], [0, 0, 1]]
    """
    a = _matrices("tril_indices_from", a)
    return tril_indices(a.shape[-2], k, a.shape[-1])


def triu_indices_from(a: Any, k: Any = 0) -> tuple[Tensor, Tensor]:
    """Return :func:`triu_indices` for a matrix of the shape of ``a``.

    Examples
    --------
    >>> [item.eval().tolist() for item in triu_indices_from([[1, 2], [3, 4]])]
    [[0, 0, 1], [0, 1, 1]]
    """
    a = _matrices("triu_indices_from", a)
    return triu_indices(a.shape[-2], k, a.shape[-1])

"""Diagonals of sparse matrices, and matrices with a diagonal."""

from __future__ import annotations

from typing import Any

from symtheano.scalar import table as scalar
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import add_at
from symtheano.sparse.starts import length
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message


def diagonal(x: Any) -> Any:
    """Return the diagonal of a sparse matrix; its gradient is structured."""
    parts = open_sparse(x)
    rows, columns = parts.coordinates
    on_it = scalar.switch(scalar.eq(rows, columns), parts.data, parts.data.constant_like(0))
    by_row = add_at(rows, on_it, parts.shape[0])
    return by_row[: as_tensor_variable(parts.shape[1])]


def square_diagonal(diag: Any) -> Any:
    """Return the square csc matrix with a vector as its diagonal.

    Examples
    --------
    >>> square_diagonal(T.vector("v")).type
    SparseType(float64, csc)
    """
    vector = as_tensor_variable(diag)
    if vector.ndim != 1:
        raise TypeError(
            build_message(f"square_diagonal takes a vector, not {vector.ndim} dims", vector)
        )
    count = as_tensor_variable(length(vector))
    places = cast(arange(count + 1), "int32")
    return pack(Parts("csc", vector, places[:-1], places, count))


def with_diagonal(diag: Any, rows: Any, columns: Any) -> Any:
    """Return the csc matrix of a shape with a vector as its diagonal."""
    vector = as_tensor_variable(diag)
    count = as_tensor_variable(length(vector))
    starts = scalar.minimum(arange(as_tensor_variable(columns) + 1), count)
    return pack(Parts("csc", vector, arange(count), starts, as_tensor_variable(rows)))

"""Sparse matrices made from components, and dense ones from these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.sparse.checked import fit
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.merge import converted
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import gather, scatter_add
from symtheano.sparse.segments import nonzero
from symtheano.sparse.starts import length
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.shapes.shape import shape_of


def csx_from_dense(x: Any, format: str) -> Any:
    """Return the sparse matrix of the nonzero elements of a dense one, from its components."""
    rows = x if format == "csr" else x.T
    major, minor = shape_of(rows)
    flat = rows.flatten()
    where, before = nonzero(scalar.neq(flat, 0))
    starts = gather(before, arange(major + 1) * minor)
    # Without columns nothing is stored, and there is no division by their number.
    indices = where % scalar.maximum(as_tensor_variable(minor), 1)
    return pack(Parts(format, gather(flat, where), cast(indices, "int32"), starts, minor))


def piled(blocks: Sequence[Parts], what: str, dtype: str) -> Parts:
    """Return the csr matrix of all rows of matrices."""
    first, *others = (converted(block, "csr") for block in blocks)
    rows = [first, *(fit(block, what, (first.minor, block.minor)) for block in others)]
    starts, stored = [cast(first.indptr, "int64")], length(first.data)
    for block in others:
        starts.append(cast(block.indptr[1:], "int64") + stored)
        stored = stored + length(block.data)
    return Parts(
        "csr",
        concatenate([cast(block.data, dtype) for block in rows]),
        concatenate([block.indices for block in rows]),
        concatenate(starts),
        first.minor,
    )


def scattered(x: Any) -> Any:
    """Return a sparse matrix as a dense one; the gradient is structured."""
    parts = open_sparse(x)
    rows, columns = parts.coordinates
    return scatter_add(zeros(parts.shape, x.dtype), parts.data, rows, columns)

"""Checks of the operands of functions of sparse matrices."""

from __future__ import annotations

from typing import Any

from symtheano.sparse.checked import fit
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import gather
from symtheano.sparse.type import is_sparse
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import shape_of


def both_sparse(name: str, x: Any, y: Any) -> bool:
    """Return whether both operands are sparse.

    Raises
    ------
    TypeError
        If neither operand is sparse.
    """
    if not is_sparse(x) and not is_sparse(y):
        raise TypeError(build_message(f"sparse.{name}: neither operand is sparse"))
    return is_sparse(x) and is_sparse(y)


def aligned(name: str, parts: Parts, dense: Any) -> Parts:
    """Return components with a check that a dense matrix has their shape."""
    what = f"sparse.{name}: the sparse matrix has length {{}} where the dense one has {{}}"
    return fit(parts, what, *zip(parts.shape, shape_of(dense), strict=True))


def along(parts: Parts, vector: Any, axis: int, name: str) -> tuple[Parts, Any]:
    """Return the components, and the item of a vector along an axis for each stored element."""
    what = f"{name}: the matrix has {{}} {('rows', 'columns')[axis]}, the vector {{}} elements"
    parts = fit(parts, what, (parts.shape[axis], shape_of(vector)[0]))
    return parts, gather(vector, parts.coordinates[axis])

"""Ops that are implemented by a C routine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symtheano.loopir import Index, View


def count_rows(view: View, core: int = 1) -> Index:
    """Return the number of rows, or with ``core=2`` of matrices, of an array."""
    from symtheano.loopir.index import product

    return product(view.shape[: view.ndim - core])

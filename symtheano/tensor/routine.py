"""Ops that are implemented by a C routine: the call, and its status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View

NO_MEMORY = 1
"""Status of a routine if an allocation failed; 0 means success."""


def call_routine(b: Builder, name: str, *arguments: Any, room: tuple[Any, str]) -> Any:
    """Call a routine, and raise MemoryError if it could not allocate memory.

    Parameters
    ----------
    b
        The builder.
    name, arguments
        Name of the routine, and its arguments; numbers may be ints.
    room
        Approximate number of elements that it allocates, and their dtype.

    Returns
    -------
    Value
        Its return value.
    """
    from symtheano.loopir.index import Index

    status = b.call(name, *arguments)
    assert status is not None
    there = b.let("neq", "bool", [status, b.literal(NO_MEMORY, "int64")])
    count, dtype = room
    b.check(there, "memory", _no_memory, [Index.of(count) * np.dtype(dtype).itemsize])
    return status


def count_rows(view: View, core: int = 1) -> Index:
    """Return the number of rows, or with ``core=2`` of matrices, of an array."""
    from symtheano.loopir.index import product

    return product(view.shape[: view.ndim - core])


def _no_memory(values: Sequence[int]) -> str:
    return f"a routine asked for {values[0]} bytes"

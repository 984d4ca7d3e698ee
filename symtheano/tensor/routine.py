"""Ops whose work a C routine of the back end does: the call, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View

NO_MEMORY = 1
"""What a routine returns where there was no memory to work in; 0 means that all is well."""


def call_routine(
    b: Builder, name: str, *arguments: Any, room: tuple[Any, str], written: int = 1
) -> Any:
    """Call a routine, and leave with MemoryError where it had no memory.

    Parameters
    ----------
    b
        The builder.
    name, arguments
        Which routine, and what it is given; numbers may be ints.
    room
        How many elements of which dtype it asks memory for, about.
    written
        How many of its arrays it writes to, the last ones.

    Returns
    -------
    Value
        What it returned.
    """
    from symtheano.loopir.index import Index

    given = [Index.of(a) if type(a) is int else a for a in arguments]
    status = b.routine(name, *given, written=written)
    there = b.let("neq", "bool", [status, b.literal(NO_MEMORY, "int64")])
    count, dtype = room
    b.check(there, "memory", _no_memory, [Index.of(count) * np.dtype(dtype).itemsize])
    return status


def count_rows(view: View, core: int = 1) -> Index:
    """Return how many rows, or with ``core=2`` matrices, an array has."""
    from symtheano.loopir.index import product

    return product(view.shape[: view.ndim - core])


def _no_memory(values: Sequence[int]) -> str:
    return f"a routine asked for {values[0]} bytes"

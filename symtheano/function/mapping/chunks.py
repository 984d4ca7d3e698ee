"""How many rows a chunk has."""

from __future__ import annotations

from collections.abc import Callable

from symtheano.cgroups import free_memory

USUAL = 64 << 20
"""Bytes that a call may need by default: calls that need more gain nothing from it."""

LEAST_PER_WORKER = 4
"""Chunks of each worker, at least, by default, so that all of them work until the end."""


def default_memory(calls: int) -> int:
    """Return how many bytes several calls may need at one time by default."""
    free = free_memory()
    return calls * USUAL if free is None else min(calls * USUAL, free // 4)


def chunk_length(
    cost: Callable[[int], int], rows: int, most: int, workers: int, grain: int
) -> tuple[int, int]:
    """Return a number of rows whose call needs at most a number of bytes, and what it needs.

    It is a power of two, or a multiple of ``grain`` if that is not more.

    Parameters
    ----------
    cost
        Bytes of a call for a number of rows; more for more rows.
    rows
        The number of all rows.
    most
        The most bytes of a call. If one row needs more, the result is 1.
    workers
        How many calls run at one time.
    grain
        How many rows are read together.

    Examples
    --------
    >>> chunk_length(lambda n: 8 * n, rows=10**6, most=8000, workers=2, grain=1)
    (512, 4096)
    >>> chunk_length(lambda n: 8 * n, rows=10**6, most=8000, workers=2, grain=300)
    (900, 7200)
    >>> chunk_length(lambda n: 8 * n, rows=100, most=8000, workers=2, grain=1)
    (8, 64)
    """
    fewest = workers * LEAST_PER_WORKER
    length, bytes_of = 1, cost(1)
    while -(-rows // (2 * length)) >= fewest and bytes_of < most:
        more = cost(2 * length)
        if more > most:
            break
        length, bytes_of = 2 * length, more
    if grain > 1:
        for aligned in (2 * length // grain * grain, length // grain * grain, grain):
            if aligned and cost(aligned) <= most:
                return aligned, cost(aligned)
    return length, bytes_of

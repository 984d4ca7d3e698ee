"""How many rows a chunk has."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from symtheano.function.mapping import chunks
from symtheano.function.mapping.chunks import chunk_length, default_memory

SIZES = st.integers(1, 10**7)


@given(SIZES, st.integers(1, 10**5), st.integers(1, 10**9), st.integers(1, 64), SIZES)
def test_a_chunk_fits_unless_one_row_does_not(
    rows: int, bytes_of_row: int, most: int, workers: int, grain: int
) -> None:
    length, cost = chunk_length(lambda n: 100 + n * bytes_of_row, rows, most, workers, grain)
    assert length >= 1
    assert cost == 100 + length * bytes_of_row
    assert cost <= most or length == 1
    if grain > 1 and length > grain:
        assert length % grain == 0


def test_workers_get_several_chunks() -> None:
    length, _ = chunk_length(lambda n: n, 1000, 10**9, 4, 1)
    assert length == 64
    # Except that rows that a file has together are read together.
    assert chunk_length(lambda n: n, 1000, 10**9, 4, 500)[0] == 500


def test_no_more_than_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, wanted in ((None, 4 * chunks.USUAL), (1 << 40, 4 * chunks.USUAL), (4000, 1000)):
        monkeypatch.setattr(chunks, "free_memory", lambda free=free: free)
        assert default_memory(4) == wanted

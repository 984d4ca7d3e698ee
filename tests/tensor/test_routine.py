"""Sizes that C routines take."""

from __future__ import annotations

from symtheano.loopir import Buffer, Index, View
from symtheano.tensor.routine import count_rows


def test_rows_and_matrices_of_an_array() -> None:
    n = Index.symbol("n")
    shape = (n, Index.of(3), Index.of(4))
    view = View.contiguous(Buffer("x", "float64", "input", n * 12, 0), shape)
    assert count_rows(view) == n * 3
    assert count_rows(view, core=2) == n
    vector = View.contiguous(Buffer("y", "float64", "input", n, 0), (n,))
    assert count_rows(vector) == Index.of(1)

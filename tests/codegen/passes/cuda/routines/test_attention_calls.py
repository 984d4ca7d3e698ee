"""Calls of attention: elements of matrices by the steps of their axes."""

from __future__ import annotations

from symtheano.codegen.passes.cuda.routines.attention_calls import Matrices
from symtheano.loopir import Buffer, Index


def test_elements() -> None:
    step, row = Index.symbol("step"), Index.symbol("row")
    buffer = Buffer("q", "float32", "arena", step * 12)
    one = Matrices(buffer, Index.of(5), (step * 6, step, Index.of(0)), row)
    i, j, k, n = map(Index.symbol, "ijkn")
    element = one.element((i, j, k, n), Index.of(2))
    assert element.buffer is buffer
    assert element.offset == i * step * 6 + j * step + n * row + 7

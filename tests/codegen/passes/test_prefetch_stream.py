"""Prefetch of streams: rows that are only added up are asked for two pages ahead."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.accumulators import accumulators
from symtheano.codegen.passes.partial_sums import partial_sums
from symtheano.codegen.passes.prefetch_stream import prefetch_stream
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.loopir import Prefetch
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Change, Golden, change
from tests.codegen.passes.kernels import g, x

h = T.fmatrix("h")


def after_sums(inputs: list[T.Variable], output: T.Variable) -> Change:
    return change(prefetch_stream, inputs, output, first=[vectorize, partial_sums])


def test_rows_are_asked_for(golden: Golden) -> None:
    golden(after_sums([g], g.sum(1)).text, "passes/prefetch_stream.txt")


def test_each_line_of_a_block_is_asked_for_once() -> None:
    found = after_sums([g, h], (g * h).sum(1))
    places = [(s.buffer.name, str(s.index)) for s in walk(found.after.body)
              if isinstance(s, Prefetch)]  # fmt: skip
    assert len(places) == len(set(places)) == 8, "64 elements of each of two arrays"
    assert found.reasons[0].endswith("8 lines of g, h are asked for 8192 bytes ahead")


def test_extrema_ask_for_the_line_of_a_block() -> None:
    found = change(prefetch_stream, [g], g.max(1), first=[vectorize, accumulators])
    assert found.reasons[0].endswith("1 lines of g are asked for 8192 bytes ahead")


def test_not_where_nothing_is_gained() -> None:
    refused = "not, no blocks of a reduction read neighbours"
    after_sums([x], x.sum(1)).assert_refused(refused)
    after_sums([g], T.exp(g).sum(1)).assert_refused(refused)
    k = T.fmatrix("k")
    three = after_sums([g, h, k], (g * h * k).sum(1))
    assert not any(isinstance(s, Prefetch) for s in walk(three.after.body))
    squares = T.sqr(g - g.mean(1, keepdims=True)).sum(1)
    asked = [s for s in walk(after_sums([g], squares).after.body) if isinstance(s, Prefetch)]
    assert len(asked) == 4, "the second loop reads the row from the cache"


def test_rows_of_a_channel_are_not_a_stream() -> None:
    images = T.ftensor3("images")
    for output, lines in ((images.sum((0, 2)), 0), (images.sum(2), 4)):
        found = after_sums([images], output)
        asked = [s for s in walk(found.after.body) if isinstance(s, Prefetch)]
        assert len(asked) == lines

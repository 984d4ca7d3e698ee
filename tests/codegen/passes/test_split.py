"""Split: parts of a sum are added at once."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.split import split
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import g, k, v, x


def test_four_parts_of_a_chunk(golden: Golden) -> None:
    golden(change(split, [v], v.sum(), first=[chunk]).text, "passes/split.txt")


def test_two_parts_of_a_row() -> None:
    (reason,) = change(split, [x], x.sum(1)).reasons
    assert reason == "j: 2 parts at once, since an element costs 2 additions, at most 16"


def test_extrema_of_whole_arrays_but_not_of_rows() -> None:
    assert change(split, [v], v.max(), first=[chunk]).reasons[0].startswith("i: 4 parts at once")
    found = change(split, [x], x.max(1))
    found.assert_refused("j: not, no sum or product of floating-point numbers")


def test_a_dear_element() -> None:
    found = change(split, [x], T.tanh(x).sum(1))
    found.assert_refused("j: not, an element costs 17 additions, more than 16")


def test_integers_are_added_without_waiting() -> None:
    found = change(split, [k], k.sum(), first=[chunk])
    found.assert_refused("i: not, no sum or product of floating-point numbers")


def test_sums_that_are_added_in_float32_first() -> None:
    found = change(split, [g], T.sqr(g - g.max(1, keepdims=True)).sum(1))
    assert found.reasons[-1] == "j_2: not, few sums in float64 follow each other"


def test_bytes_have_enough_sums() -> None:
    mask = T.TensorType("bool", (None,))("mask")
    found = change(split, [v, mask], T.switch(mask, v, 0).sum(), first=[chunk])
    assert found.reasons[-1] == "i: not, the sums for a vector of bytes are many"

"""Widen: sums of float32 elements in float64 are written as vectors."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.passes.widen import widen
from symtheano.loopir import For
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import g, x


def test_sums_of_float32(golden: Golden) -> None:
    golden(change(widen, [g], g.sum(1), first=[vectorize]).text, "passes/widen.txt")


def test_many_sums_have_fewer_vectors() -> None:
    sums = [(T.cast(g, "float64") + number).sum(1) for number in range(1, 10)]
    for count, vectors in ((1, 2), (4, 2), (5, 1), (8, 1), (9, 0)):
        found = change(widen, [g], sums[:count], first=[vectorize])
        loops = [s for s in walk(found.after.body) if isinstance(s, For) and s.reductions]
        assert [loop.vectors for loop in loops] == [vectors]


def test_what_is_not_widened() -> None:
    found = change(widen, [x], x.sum(1), first=[vectorize])
    found.assert_refused("j: not, it widens no elements that it loads")


def test_functions_are_left_to_the_compiler() -> None:
    found = change(widen, [g], T.exp(g).sum(1), first=[vectorize])
    found.assert_refused("j: not, it computes exp in float32")

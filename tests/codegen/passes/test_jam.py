"""Jam: an inner loop that reduces serves several iterations of the outer one."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.jam import jam
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x


def test_four_rows_at_once(golden: Golden) -> None:
    golden(change(jam, [x], x.sum(1)).text, "passes/jam.txt")


def test_accumulators_of_columns_serve_four_rows() -> None:
    found = change(jam, [x], T.sqr(x).sum(0))
    assert found.kinds == ["independent", "reduce", "simd", "serial", "simd"]


def test_a_dear_element() -> None:
    found = change(jam, [x], T.tanh(x).sum(1))
    found.assert_refused("i: not, an element costs 17 additions, more than 16")


def test_two_loops_along_a_row() -> None:
    found = change(jam, [x], T.sqr(x - x.max(1, keepdims=True)).sum(1))
    found.assert_refused("i: not, its body is more than one loop and scalars")


def test_one_loop() -> None:
    change(jam, [v], v.sum()).assert_refused("not, no loop has one inside")

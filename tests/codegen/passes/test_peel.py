"""Peel: a loop with one special position runs as if there was none."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.peel import peel
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import k, x

chosen = T.eq(T.arange(x.shape[1]), k[:, None])


def test_the_position_of_a_label(golden: Golden) -> None:
    found = change(peel, [x, k], T.switch(chosen, x, 0.0), first=[hoist])
    golden(found.text, "passes/peel.txt")


def test_a_difference_in_one_element() -> None:
    found = change(peel, [x, k], x * 2 - chosen, first=[hoist])
    assert found.reasons == ("j: its only special position is k_i",)
    assert found.kinds == ["independent", "simd"]


def test_a_position_that_is_read_in_the_loop() -> None:
    reason = "not, no inner loop compares its counter with a fixed position"
    change(peel, [x, k], T.switch(chosen, x, 0.0)).assert_refused(reason)
    change(peel, [x], x * 2, first=[hoist]).assert_refused(reason)


def test_a_position_that_is_surely_there() -> None:
    """The diagonal of a square is stored without a comparison."""
    found = change(peel, [x], T.eye(x.shape[0]), first=[hoist])
    assert "if " not in found.text
    assert found.kinds == ["independent", "simd"]
    assert "if inside" in change(peel, [x], T.eye(x.shape[0], x.shape[1]), first=[hoist]).text

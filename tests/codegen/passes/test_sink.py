"""Sink: a reduction that one arm of a switch reads is computed where the arm is taken."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.sink import sink
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import x

first, second = x.sum(1), T.sqr(x).sum(1)
chosen = T.switch(first > 1, first, second)


def test_the_other_sum_is_made_later(golden: Golden) -> None:
    golden(change(sink, [x], chosen).text, "passes/sink.txt")


def test_a_sum_that_is_wanted_anyway() -> None:
    reason = "not, no switch reads a sum that nothing else reads"
    change(sink, [x], [chosen, second]).assert_refused(reason)
    change(sink, [x], [first, second]).assert_refused(reason)


def test_nothing_is_saved_where_there_is_one_sum() -> None:
    reason = "not, no switch reads a sum that nothing else reads"
    change(sink, [x], T.switch(x[:, 0] > 0, first, 0.0)).assert_refused(reason)

"""Hoist: what does not change from one iteration to the next is computed before the loop."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.hoist import hoist
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x


def test_one_load_for_a_row(golden: Golden) -> None:
    golden(change(hoist, [x, v], x * T.sqr(v)[:, None]).text, "passes/hoist.txt")


def test_what_depends_on_the_counter_stays() -> None:
    reason = "not, all values change with the innermost loop around them"
    change(hoist, [x], x * 2).assert_refused(reason)


def test_what_the_loop_changes_stays() -> None:
    """A row's sum is complete after the row's loop, and its elements are stored one by one."""
    found = change(hoist, [x], T.exp(x - x.max(1, keepdims=True)).sum(1))
    assert found.after == found.before

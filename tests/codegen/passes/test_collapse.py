"""Collapse: two loops become one where addresses depend on their counters as on one."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.collapse import collapse
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x, y, z


def test_arrays_of_one_layout(golden: Golden) -> None:
    golden(change(collapse, [x, y], x * 2 + y).text, "passes/collapse.txt")


def test_three_loops_become_one() -> None:
    assert change(collapse, [z], T.exp(z)).kinds == ["independent"]


def test_a_broadcast_operand_needs_both_loops() -> None:
    reason = "i: not, j depends on it and on j, but not as on one counter"
    change(collapse, [x, v], x * v).assert_refused(reason)


def test_a_sum_is_not_merged_with_rows() -> None:
    found = change(collapse, [x], x.sum(0))
    found.assert_refused("i: not, it is reduce, and j_2 is independent")

"""Merging: which groups may be one, what it has, and why others may not."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.fit import AXES
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import (
    ARRAYS,
    INLINE,
    MEMBERS,
    ROWS,
    STAGES,
    WAITING,
    WHOLE,
    joined,
    uses_reductions,
)
from symtheano.codegen.targets import COSTS, Costs
from symtheano.dataclass import replace
from tests.support.plans import fused, graph_of, groups_of, placed, siblings

x, v = T.matrix("x"), T.vector("v")
a, b = (T.TensorType("float64", (40,))(name) for name in "ab")


def pair(*outputs: Any, costs: Costs = COSTS, **changes: Any) -> Group | str:
    """Return what the groups of two nodes become, the first of them with changes."""
    table = placed([x, v, a, b], outputs)
    first, second = groups_of(table)
    views = table.operands.views
    return joined(replace(first, **changes), second, table.reads, views, costs)


def test_a_group_of_two_has_everything_of_both() -> None:
    group = pair(T.exp(T.sin(x)))
    assert isinstance(group, Group)
    assert [member.axes for member in group.members] == [(0, 1), (0, 1)]
    assert group.depth == 2
    assert len(group.results) == 2


def test_what_reads_another_element_does_not_fit() -> None:
    value = T.exp(x)
    assert pair(value + value.T) == AXES


def test_a_result_that_is_complete_after_the_loops_does_not_fit() -> None:
    assert pair(T.exp(x.sum(0))) == WHOLE


def test_a_row_fits_where_its_sum_is() -> None:
    group = pair(T.exp(x.sum(1)))
    assert isinstance(group, Group)
    assert group.split == 1
    assert [member.role for member in group.members] == ["row", "point"]


def test_reductions_of_other_axes_are_stages_of_their_own() -> None:
    assert pair(x.sum(1), x.sum(), split=0) == STAGES


def test_other_lengths_do_not_fit() -> None:
    assert pair(T.exp(x), T.sin(v)) == AXES


def test_arrays_and_members_are_limited() -> None:
    assert pair(T.exp(T.sin(x)), costs=Costs(members=1)) == MEMBERS
    assert pair(T.exp(a), T.sin(b), costs=Costs(arrays=1)) == ARRAYS
    assert pair(T.exp(T.sin(x)), costs=Costs(ahead=1)) == WAITING
    assert pair(T.exp(x).sum(1), costs=Costs(ahead=1)) == ROWS


def test_elements_that_one_computes_inline_and_the_other_stores() -> None:
    table = placed([x], [T.exp(T.sin(x))])
    first, second = groups_of(table)
    (out,) = graph_of(table).outputs
    one = replace(first, inline=frozenset([out]))
    assert joined(one, second, table.reads, table.operands.views, COSTS) == INLINE


@pytest.mark.parametrize(
    ("value", "expected"),
    [(T.exp(x).sum(1), False), (x / x.sum(1)[:, None], True), (T.exp(x), False)],
)
def test_stages(value: Any, expected: bool) -> None:
    table = siblings(fused([x], [value]))
    (group,) = groups_of(table)
    assert uses_reductions(group, table.reads) == expected

"""Reductions: the nests that they join, and the order of axes in those that they open."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from tests.support.plans import nests_of, placed, scheduled

x, t = T.matrix("x"), T.tensor3("t")


def only_nest(placing: Any) -> Group:
    (nest,) = (step for step in placing.nests.placed().steps if isinstance(step, Group))
    return nest


@pytest.mark.parametrize(
    ("total", "space", "role"),
    [
        (t.sum(axis=2), ["t_d0", "t_d1", "t_d2"], "row"),
        (t.sum(axis=1), ["t_d0", "t_d1", "t_d2"], "column"),
        (t.sum(axis=0), ["t_d0", "t_d1", "t_d2"], "column"),
        (t.sum(axis=(0, 2)), ["t_d1", "t_d0", "t_d2"], "row"),
        (t.dimshuffle(2, 1, 0).sum(axis=0), ["t_d1", "t_d0", "t_d2"], "row"),
        (T.argmax(t, axis=0), ["t_d1", "t_d2", "t_d0"], "row"),
        (t.sum(), ["t_d0", "t_d1", "t_d2"], "full"),
    ],
)
def test_axes_of_a_new_nest(total: Any, space: list[str], role: str) -> None:
    nest = only_nest(placed([t], [total]))
    assert sorted(map(str, nest.space)) == sorted(space)
    assert [member.role for member in nest.members] == [role]
    if role == "row":
        assert len(nest.space) == len(nest.outer) + len({"t_d0", "t_d1", "t_d2"}) - total.ndim


def test_a_sum_joins_the_nest_of_its_operand() -> None:
    nest = only_nest(placed([x], [T.exp(x).sum(axis=1)]))
    assert [member.role for member in nest.members] == ["point", "row"]
    assert nest.split == 1


def test_axes_move_for_a_sum_if_there_are_only_points() -> None:
    nest = only_nest(placed([x], [T.argmax(T.exp(x), axis=0)]))
    assert [str(length) for length in nest.space] == ["x_d1", "x_d0"]
    assert [member.axes for member in nest.members] == [(1, 0), (1, 0)]


def test_full_sums_are_scalars_and_columns_over_outer_axes_are_stored() -> None:
    placing = placed([x], [x.sum(), x.sum(axis=0), x.sum(axis=1)])
    full, column, row = placing.views.graph.outputs
    assert full in placing.nests.entry
    assert row in placing.nests.number
    assert column not in placing.nests.entry
    (nest,) = nests_of(scheduled([x], [x.sum(), x.sum(axis=0), x.sum(axis=1)]))
    assert len(nest.stores) == 2, "the column and the row"

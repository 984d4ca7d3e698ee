"""Groups of one node: the order of their axes, and roles of reductions."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from tests.support.plans import fused, graph_of, groups_of, nests_of, placed, scheduled

x, t = T.matrix("x"), T.tensor3("t")


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
def test_axes_of_a_reduction(total: Any, space: list[str], role: str) -> None:
    (group,) = groups_of(placed([t], [total]))
    assert sorted(map(str, group.space)) == sorted(space)
    assert [member.role for member in group.members] == [role]
    if role == "row":
        assert len(group.space) == len(group.outer) + len(space) - total.ndim


def test_axes_of_length_one_have_no_loops() -> None:
    row = T.row("row")
    (group,) = groups_of(placed([row], [T.exp(row)]))
    assert [str(length) for length in group.space] == ["row_d1"]
    assert [member.axes for member in group.members] == [(None, 0)]


def test_a_product_of_rows_and_columns_has_two_axes() -> None:
    v, w = T.vector("v"), T.vector("w")
    table = placed([v, w], [T.exp(v)[:, None] * T.sin(w)])
    (out,) = graph_of(table).outputs
    (group,) = [group for group in groups_of(table) if out in group.results]
    assert group.results[out] == (0, 1)
    assert list(map(str, group.space)) == ["v_d0", "w_d0"]


def test_axes_move_for_a_reduction_if_there_are_only_points() -> None:
    (group,) = groups_of(fused([x], [T.argmax(T.exp(x), axis=0)]))
    assert [str(length) for length in group.space] == ["x_d1", "x_d0"]
    assert [member.axes for member in group.members] == [(1, 0), (1, 0)]


def test_full_sums_are_scalars_and_columns_over_outer_axes_are_stored() -> None:
    table = placed([x], [x.sum(), x.sum(axis=0), x.sum(axis=1)])
    full, column, row = graph_of(table).outputs
    assert full in table.entry
    assert row in table.number
    assert column not in table.entry
    (nest,) = nests_of(scheduled([x], [x.sum(), x.sum(axis=0), x.sum(axis=1)]))
    assert len(nest.stores) == 2, "the column and the row"

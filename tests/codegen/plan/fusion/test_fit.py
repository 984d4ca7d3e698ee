"""Fit: axes of nodes in nests, and the roles of reductions."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.fit import (
    agrees,
    contiguous_axis,
    fit_point,
    is_own,
    operand_axes,
    role_of,
)
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.steps import Source
from symtheano.loopir import Index

x, t, row = T.matrix("x"), T.tensor3("t"), T.row("row")
N, M, K = (Index.symbol(name) for name in "nmk")


def nest_of(value: Any, axes: Any, **more: Any) -> Group:
    return Group((N, M, K)[: value.ndim], results={value: axes}, **more)


def test_a_point_has_the_axes_of_its_operands() -> None:
    nest = nest_of(x, (1, 0))
    node = T.exp(x).owner
    assert fit_point(nest, node, [Source(x, (0, 1))], (M, N)) == (1, 0)
    assert fit_point(nest, node, [Source(x, (0, 1))], (N, M)) is None, "other lengths"
    assert fit_point(nest, T.exp(x.T).owner, [Source(x, (1, 0))], (N, M)) == (0, 1)


def test_operands_at_different_indices_do_not_fit() -> None:
    nest = nest_of(x, (0, 1))
    node = (x + x.T).owner
    both = [Source(x, (0, 1)), Source(x, (1, 0))]
    assert fit_point(nest, node, both, (N, N)) is None
    assert fit_point(Group((N, M)), node, both, (N, M)) == (0, 1), "both are loaded"
    assert not agrees(nest.results, (0, 1), [Source(x, (1, 0))])
    assert agrees(nest.results, (0, 1), [Source(row, (0, 1))]), "it is not computed here"


def test_a_broadcast_axis_has_no_place() -> None:
    node = T.exp(row).owner
    nest = Group((M,))
    assert fit_point(nest, node, [Source(row, (0, 1))], (Index.of(1), M)) == (None, 0)


@pytest.mark.parametrize(
    ("axis", "role", "split"),
    [((0, 1, 2), "full", None), ((2,), "row", 2), ((1, 2), "row", 1), ((0,), "column", 1),
     ((1,), "column", 1), ((0, 1), "column", 2), ((0, 2), None, None)],
)  # fmt: skip
def test_roles_of_reductions(axis: tuple[int, ...], role: str | None, split: int | None) -> None:
    fit = role_of(Group((N, M, K)), t.sum(axis=axis).owner, (0, 1, 2))
    assert fit == (None if role is None else (role, split))


def test_a_split_that_is_decided_allows_one_kind_of_rows() -> None:
    nest = Group((N, M, K), 1)
    assert role_of(nest, t.sum(axis=2).owner, (0, 1, 2)) is None
    assert role_of(nest, t.sum(axis=(1, 2)).owner, (0, 1, 2)) == ("row", 1)
    assert role_of(Group((N, M, K), 0), t.sum().owner, (0, 1, 2)) is None


def test_positions_are_searched_along_the_last_axis() -> None:
    assert role_of(Group((N, M)), T.argmax(x, axis=1).owner, (0, 1)) == ("row", 1)
    assert role_of(Group((N, M)), T.argmax(x, axis=0).owner, (0, 1)) is None
    assert role_of(Group((N, M)), T.argmax(x, axis=0).owner, (1, 0)) == ("row", 1)


def test_the_operand_of_a_reduction_in_a_nest() -> None:
    node = x.sum(axis=0).owner
    assert operand_axes(nest_of(x, (1, 0)), node, Source(x, (0, 1)), (M, N)) == (1, 0)
    assert operand_axes(Group((N, M)), node, Source(x, (0, 1)), (N, M)) == (0, 1)
    assert operand_axes(Group((N,)), node, Source(x, (0, 1)), (N, M)) is None
    assert operand_axes(nest_of(row, (0, 1)), node, Source(row, (None, 1)), (N, M)) is None


def test_an_array_that_both_groups_read_tells_which_axes_correspond() -> None:
    y = T.matrix("y")
    nest = Group((N, M), leaves={y: (1, 0)})
    joining = Group((M, N), leaves={y: (0, 1), x: (0, 1)})
    read = Source(x, (0, 1))
    assert operand_axes(nest, x.sum(axis=0).owner, read, (M, N)) is None, "in order"
    assert operand_axes(nest, x.sum(axis=0).owner, read, (M, N), joining) == (1, 0)
    assert fit_point(nest, T.exp(x).owner, [read], (M, N), joining) == (1, 0)
    computed = Group((N, M), results={y: (1, 0)})
    assert fit_point(computed, T.exp(x).owner, [read], (M, N), joining) == (1, 0)
    unrelated = Group((M, N), leaves={x: (0, 1)})
    assert fit_point(nest, T.exp(x).owner, [read], (M, N), unrelated) is None


def test_columns_are_complete_where_outer_axes_are_kept() -> None:
    assert is_own(Group((N, M, K), 1), (0, 2))
    assert not is_own(Group((N, M, K), 1), (1, 2))


def test_the_contiguous_axis_is_the_last_one_of_the_source() -> None:
    assert contiguous_axis(Source(x, (0, 1)), [0, 1]) == 1
    assert contiguous_axis(Source(x, (1, 0)), [0, 1]) == 0
    assert contiguous_axis(Source(x, (None, 0)), [0, 1]) == 1

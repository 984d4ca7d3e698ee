"""Merging: which nests may be one, and what it has."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import fit_together, may_grow, merged
from symtheano.codegen.plan.steps import Member
from symtheano.loopir import Index

v = T.vector("v")
N, M = Index.symbol("n"), Index.symbol("m")


def nest_of(*values: Any, **more: Any) -> Group:
    members = tuple(Member(value.owner, (0,), "point") for value in values)
    results = dict.fromkeys(values, (0,))
    return Group((N,), members=members, results=results, **{"leaves": {v: (0,)}, **more})


a, b, c = T.exp(v), T.sin(v), T.cos(v)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (nest_of(b), True),
        (nest_of(b, split=1), True),
        (nest_of(b, split=0), False),  # stages of a nest with loops over all axes
        (Group((M,)), False),
        (nest_of(b, leaves={T.vector(): (0,) for _ in range(32)}), False),
    ],
)
def test_nests_over_the_same_lengths_fit(second: Group, expected: bool) -> None:
    assert fit_together(nest_of(a), second) is expected


def test_a_nest_does_not_fit_itself_or_values_at_other_indices() -> None:
    nest = nest_of(a)
    assert not fit_together(nest, nest)
    square = Group((N, N), results={T.matrix("s"): (0, 1)})
    turned = Group((N, N), results={next(iter(square.results)): (1, 0)})
    assert not fit_together(square, turned)


def test_arrays_and_members_are_limited() -> None:
    nest = nest_of(a)
    others = [T.vector() for _ in range(32)]
    assert may_grow(nest, 1, others[:31], rows=False)
    assert not may_grow(nest, 1, others, rows=False)
    assert may_grow(nest, 1, [v] * 40, rows=False), "known arrays are no new ones"
    assert may_grow(nest, 119, [], rows=True)
    assert not may_grow(nest, 120, [], rows=True), "rows are limited to a look ahead"
    assert may_grow(nest, 120, [], rows=False, depth=30)
    assert not may_grow(nest, 120, [], rows=False, depth=31), "members wait for one another"
    assert not may_grow(nest, 1000, [], rows=False)


def test_a_merged_group_has_everything_of_both() -> None:
    first = nest_of(a, b)
    second = nest_of(b, c, stores=(c,), split=1, depth=3, inline=frozenset({v}))
    both = merged(first, second)
    assert [member.result for member in both.members] == [a, b, c], "b is computed once"
    assert (both.stores, both.split, both.depth, both.inline) == ((c,), 1, 3, {v})
    assert set(both.results) == {a, b, c}
    assert [member.result for member in first.members] == [a, b], "the others stay as they are"
    assert [member.result for member in second.members] == [b, c]

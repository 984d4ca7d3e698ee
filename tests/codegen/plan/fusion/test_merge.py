"""Merging: which nests may be one, and what it has."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import (
    ARRAYS,
    LENGTHS,
    MEMBERS,
    ROWS,
    SAME,
    STAGES,
    WAITING,
    merged,
    why_not_larger,
    why_not_together,
)
from symtheano.codegen.plan.steps import Member
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Costs
from symtheano.loopir import Index

v = T.vector("v")
N, M = Index.symbol("n"), Index.symbol("m")


def nest_of(*values: Any, **more: Any) -> Group:
    members = tuple(Member(value.owner, (0,), "point") for value in values)
    results = dict.fromkeys(values, (0,))
    return Group((N,), members=members, results=results, **{"leaves": {v: (0,)}, **more})


COSTS = CPU.costs
a, b, c = T.exp(v), T.sin(v), T.cos(v)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (nest_of(b), None),
        (nest_of(b, split=1), None),
        (nest_of(b, split=0), STAGES),  # stages of a nest with loops over all axes
        (Group((M,)), LENGTHS),
        (nest_of(b, leaves={T.vector(): (0,) for _ in range(32)}), ARRAYS),
    ],
)
def test_nests_over_the_same_lengths_fit(second: Group, expected: str | None) -> None:
    assert why_not_together(nest_of(a), second, COSTS) == expected


def test_a_nest_does_not_fit_itself_or_values_at_other_indices() -> None:
    nest = nest_of(a)
    assert why_not_together(nest, nest, COSTS) == SAME


def test_arrays_and_members_are_limited() -> None:
    nest = nest_of(a)
    others = [T.vector() for _ in range(32)]

    def why(count: int, arrays: Any, rows: bool = False, depth: int = 0) -> str | None:
        return why_not_larger(nest, count, arrays, rows, COSTS, depth)

    assert why(1, others[:31]) is None
    assert why(1, others) == ARRAYS
    assert why(1, [v] * 40) is None, "known arrays are no new ones"
    assert why(119, [], rows=True) is None
    assert why(120, [], rows=True) == ROWS, "rows are limited to a look ahead"
    assert why(120, [], depth=30) is None
    assert why(120, [], depth=31) == WAITING
    assert why(1000, []) == MEMBERS


def test_limits_are_those_of_the_target() -> None:
    nest, others = nest_of(a), [T.vector() for _ in range(4)]
    assert why_not_larger(nest, 1, others, False, Costs(arrays=4)) == ARRAYS
    assert why_not_larger(nest, 1, others, False, Costs(arrays=5)) is None
    assert why_not_larger(nest, 5, [], True, Costs(ahead=5)) == ROWS


def test_a_merged_group_has_everything_of_both() -> None:
    first = nest_of(a)
    second = nest_of(b, c, split=1, depth=3, inline=frozenset({v}))
    both = merged(first, second)
    assert [member.result for member in both.members] == [a, b, c]
    assert (both.split, both.depth, both.inline) == (1, 3, {v})
    assert set(both.results) == {a, b, c}
    assert [member.result for member in first.members] == [a], "the others stay as they are"
    assert [member.result for member in second.members] == [b, c]

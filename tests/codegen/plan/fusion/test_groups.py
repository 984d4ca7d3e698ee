"""Groups are values."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.steps import Member
from symtheano.dataclass import replace
from symtheano.loopir import Index

x = T.matrix("x")
N, M, K = (Index.symbol(name) for name in "nmk")


def group() -> Group:
    exp = T.exp(x)
    member = Member(exp.owner, (0, 2), "point")
    return Group((N, M, K), members=(member,), results={exp: (0, 2)}, leaves={x: (0, 2)})


def test_reduced_axes_move_behind_the_others() -> None:
    before = group()
    after, new = before.with_last({0})
    assert before.space == (N, M, K), "a group does not change"
    assert after.space == (M, K, N)
    assert new == {None: None, 0: 2, 1: 0, 2: 1}
    assert after.members[0].axes == (2, 1)
    assert list(after.results.values()) == list(after.leaves.values()) == [(2, 1)]


def test_a_group_is_not_changed_but_copied() -> None:
    before = group()
    with pytest.raises(AttributeError):
        before.split = 1  # type: ignore[misc]
    (value,) = before.results
    assert before.nest((value,)).stores == (value,)


def test_the_nest_of_a_group_has_the_results_of_its_members_only() -> None:
    before = group()
    (value,) = before.results
    nest = replace(before, results={value: (0, 2), T.sin(x): (0, 1)}, split=1).nest()
    assert nest.space == (N, M, K)
    assert nest.outer == (0,)
    assert list(nest.results) == [value]

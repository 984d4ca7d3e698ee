"""Drafts: nests that change until they are finished."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.draft import Made, NestDraft
from symtheano.codegen.plan.steps import Member, Source
from symtheano.loopir import Index

x = T.matrix("x")
N, M, K = (Index.symbol(name) for name in "nmk")


def draft() -> NestDraft:
    exp = T.exp(x)
    member = Member(exp.owner, (0, 2), "point")
    return NestDraft([N, M, K], members=[member], results={exp: (0, 2)}, leaves={x: (0, 2)})


def test_reduced_axes_move_behind_the_others() -> None:
    nest = draft()
    new = nest.permute({0})
    assert nest.space == [M, K, N]
    assert new == {None: None, 0: 2, 1: 0, 2: 1}
    assert nest.members[0].axes == (2, 1)
    assert list(nest.results.values()) == list(nest.leaves.values()) == [(2, 1)]


def test_a_finished_nest_has_the_results_of_its_members_only() -> None:
    nest = draft()
    nest.results[T.sin(x)] = (0, 1)
    nest.split = 1
    done = nest.finished()
    assert done.space == (N, M, K)
    assert done.outer == nest.outer == (0,)
    assert list(done.results) == [done.members[0].result]
    nest.members.clear()
    assert len(done.members) == 1, "the draft is a copy"


def test_where_values_are_made() -> None:
    made, nest, other = Made(), NestDraft([N]), NestDraft([M])
    a, b, c = T.exp(x), T.sin(x), T.dot(x, x)
    made.home.update({a: nest, b: other})
    made.by_ops.add(c)
    nest.stores.append(a)
    assert [made.is_stored(item) for item in (a, b, c, x)] == [True, False, True, False]
    sources = [Source(item, (0, 1)) for item in (b, a, x, b)]
    assert made.homes_of(sources) == [other, nest]

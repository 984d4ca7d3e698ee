"""Arms: what every call needs, and what only one of two groups of inputs needs."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.graph.arms import arms_of, boundary, has_arms, needed
from symtheano.ifelse import ifelse

x, y = T.dvectors("x", "y")
c, d = T.bscalar("c"), T.bscalar("d")


def test_arms_of() -> None:
    one, other = ifelse(c, [x, y], [y, x])
    assert one.owner is other.owner
    assert arms_of(one.owner) == ([x, y], [y, x])
    assert has_arms([one.owner])
    assert not has_arms([T.exp(x).owner])


def test_only_conditions_are_needed() -> None:
    work = T.exp(x)
    found = needed([ifelse(d, work, y)])
    assert d in {item for v in found if v.owner for item in v.owner.inputs}
    assert found.isdisjoint([work, x, y])


def test_what_both_arms_need_is_needed() -> None:
    shared, one = T.exp(x), T.exp(y)
    found = needed([ifelse(c, shared + one, ifelse(d, y, one) + shared)])
    assert {shared, x} <= found
    assert one not in found


def test_what_other_nodes_need_is_needed() -> None:
    work = T.exp(x)
    assert work in needed([ifelse(c, work, y), work + 1])


def test_outputs_that_nobody_needs_do_not_count() -> None:
    work = T.exp(x)
    one, other = ifelse(c, [work, y], [y, work])
    assert work not in needed([one])
    assert work in needed([one, other])


def test_variables_at_which_to_stop() -> None:
    inner = T.exp(x)
    found = needed([inner + y], [inner])
    assert inner in found
    assert x not in found


def test_boundary() -> None:
    outside = T.exp(x)
    assert boundary([outside * y, outside], {outside}) == [outside, y]

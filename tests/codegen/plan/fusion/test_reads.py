"""What members read, and what a group knows of it."""

from __future__ import annotations

import symtheano.tensor as T
from tests.support.plans import fused, graph_of, home_of, placed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_members_know_how_many_wait_for_one_another() -> None:
    table = fused([x, y], [T.exp(T.sin(x)) + T.cos(y)])
    group = home_of(table, graph_of(table).outputs[0])
    assert group.depth == 3
    assert sorted(group.depths.values()) == [1, 1, 2, 3]
    assert {leaf for leaf, axes in group.leaves.items() if axes} == {x, y}


def test_a_value_of_the_group_is_no_array_that_it_reads() -> None:
    table = placed([x], [T.exp(T.sin(x))])
    (out,) = graph_of(table).outputs
    (sin,) = home_of(table, out).leaves
    joined = fused([x], [T.exp(T.sin(x))])
    assert sin not in home_of(joined, graph_of(joined).outputs[0]).leaves


def test_a_slice_is_read_from_an_array_at_any_index() -> None:
    table = placed([x], [T.exp(x[1:])])
    group = home_of(table, graph_of(table).outputs[0])
    assert group.leaves[x] == ()
    (part,) = [leaf for leaf in group.leaves if leaf is not x]
    assert group.leaves[part] == (0, 1)


def test_elements_that_are_computed_inline() -> None:
    table = placed([v], [v * T.arange(v.shape[0])])
    (positions,) = home_of(table, graph_of(table).outputs[0]).inline
    assert positions not in table.number
    assert positions in table.inline

"""Candidates: the nests that a node may join, the best one first."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.plan.fusion.candidates import LATE, candidates, merge_homes, why_not_join
from symtheano.codegen.plan.fusion.nests import Nests
from tests.support.plans import placed

x, y, z = T.matrix("x"), T.matrix("y"), T.matrix("z")


def groups_of(nests: Nests) -> list[int]:
    return [number for number, group in nests.groups.items() if group.members]


def test_the_latest_nest_of_an_operand_comes_first() -> None:
    late = T.sin(T.dot(T.exp(x), y))
    placing = placed([x, y], [late, late + x.sum()])
    nests = placing.nests
    first, *_, last = groups_of(nests)
    node = placing.views.graph.outputs[1].owner
    operands = nests.point_operands(node)
    found = candidates(nests, node, operands)
    numbers = [candidate.number for candidate in found]
    assert numbers[0] == nests.number[placing.views.graph.outputs[0]] == max(numbers)
    assert first != last


def test_a_reader_of_the_same_array_is_a_candidate() -> None:
    placing = placed([x], [T.exp(x), T.sin(x)])
    (nest,) = groups_of(placing.nests)
    assert len(placing.nests.groups[nest].members) == 2


def test_the_group_that_saves_most_bytes_comes_first() -> None:
    """The sum reads a matrix of one nest, and a row of a later one."""
    row = T.exp(T.dot(y, y).sum(0))
    total = T.sqrt(x) * row
    placing = placed([x, y], [T.sqrt(x), row, total])
    nests = placing.nests
    matrix, vector, _ = (nests.number[out] for out in placing.views.graph.outputs)
    node = placing.views.graph.outputs[2].owner
    saved = dict(candidates(nests, node, nests.point_operands(node)))
    assert vector > matrix, "the latest group does not come first"
    assert [number for number in saved if number in (matrix, vector)] == [matrix, vector]
    assert nests.bytes_of(saved[matrix]) > nests.bytes_of(saved[vector]) > 0


def test_other_data_of_other_lengths_is_none() -> None:
    placing = placed([x, z], [T.exp(x), T.sin(z)])
    exp, sin = groups_of(placing.nests)
    node = placing.views.graph.outputs[1].owner
    found = candidates(placing.nests, node, placing.nests.point_operands(node))
    assert [candidate.number for candidate in found] == [sin]
    assert exp != sin


def test_a_node_joins_only_what_runs_after_its_operands() -> None:
    placing = placed([x, y], [T.exp(x), T.dot(x, y) + 1])
    nests = placing.nests
    exp, *_ = groups_of(nests)
    node = placing.views.graph.outputs[1].owner
    assert why_not_join(nests, exp, node, nests.point_operands(node)) == LATE
    again = placing.views.graph.outputs[0].owner
    assert why_not_join(nests, exp, again, nests.point_operands(again)) is None


def test_elements_that_are_computed_inline_are_read_after_they_are_stored() -> None:
    m = T.dmatrix("m")
    one = T.eye(m.shape[0])
    results = [m * (2 * one), T.sort(one), 2 * one + one.T, one]
    value = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = function([m], results)(value)
    wanted = [2 * np.diag([1.0, 4.0]), np.sort(np.eye(2)), 3 * np.eye(2), np.eye(2)]
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(x, y)


def test_homes_of_combined_values_become_one() -> None:
    a, b, c = (T.vector(name) for name in "abc")
    placing = placed([a, b, c], [T.sin(a) * b, T.cos(c)])
    nests = placing.nests
    shown = placing.views.graph.outputs
    number = nests.number
    before = [number[out] for out in shown]
    assert before[0] != before[1]
    merge_homes(nests, (shown[0] + b).owner, [nests.views.source(out) for out in shown])
    assert [number[out] for out in shown] == before, "their lengths may differ"
    both = placed([a, c], [T.sin(a), T.cos(c), T.sin(a) + T.cos(c)])
    first, second, _ = (both.nests.number[out] for out in both.views.graph.outputs)
    assert first == second, "the sum compares them"

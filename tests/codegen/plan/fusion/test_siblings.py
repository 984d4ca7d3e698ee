"""Siblings: nests that read the same arrays become one after all nodes are placed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.placing import Placing
from symtheano.codegen.plan.fusion.siblings import merge_siblings
from tests.support.compare import Array, check
from tests.support.plans import placed

a, b, c, d = (T.TensorType("float64", (40,))(name) for name in "abcd")


def separate() -> list[Any]:
    """Return outputs of two nests: the sum joins the one that computes its operand."""
    return [T.sin(a), T.exp(b) + a]


def spaces(placing: Placing) -> list[int]:
    """Return the numbers of the groups with members."""
    return [number for number, group in placing.nests.groups.items() if group.members]


def test_an_array_that_two_nests_read_is_loaded_once() -> None:
    placing = placed([a, b], separate())
    assert spaces(placing) == [0, 1]
    before = placing.nests.groups[0]
    merge_siblings(placing.nests)
    assert spaces(placing) == [0]
    assert len(placing.nests.groups[0].members) == 3
    assert len(before.members) == 1, "the group is another one"
    assert all(placing.nests.number[out] == 0 for out in placing.views.graph.outputs)
    assert all(placing.nests.at(out) == 1 for out in placing.views.graph.outputs)
    choice = placing.nests.choices[-1]
    assert (choice.node, choice.number, choice.source) == (None, 0, 1)
    assert choice.saved.shared == (a,)
    assert placing.nests.bytes_read_once(choice.saved) == 40 * 8


def test_what_waits_for_a_nest_is_no_sibling_of_it() -> None:
    x = T.dmatrix("x")
    placing = placed([x], [T.sin(x), x / T.exp(x).sum(0)])
    count = len(spaces(placing))
    assert count > 1
    merge_siblings(placing.nests)
    assert len(spaces(placing)) == count
    refused = [(c.source, c.refused[0].number) for c in placing.nests.choices if c.node is None]
    assert refused, "the reason is kept"
    assert len(refused) == len(set(refused)), "once"


def test_the_pair_that_shares_most_comes_first() -> None:
    placing = placed([a, b, c, d], [T.sin(a) * b, T.exp(c) + a, T.exp(d) + a + b])
    assert spaces(placing) == [0, 1, 2]
    merge_siblings(placing.nests)
    first, second = [choice for choice in placing.nests.choices if choice.node is None]
    assert (first.number, first.source, set(first.saved.shared)) == (0, 2, {a, b})
    assert (second.number, second.source, set(second.saved.shared)) == (0, 1, {a})


@pytest.mark.needs_cc
def test_values_of_merged_siblings() -> None:
    def reference(x: Array, y: Array) -> list[Array]:
        return [np.sin(x), np.exp(y) + x]

    values = [np.linspace(-1, 1, 40), np.linspace(0, 1, 40)]
    check([a, b], separate(), [values], reference)

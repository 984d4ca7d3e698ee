"""The rounds in which groups become one, the pair first that saves most bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.plan.fusion.fuse import LATE, fuse, in_any_order
from symtheano.codegen.plan.fusion.merge import KEPT
from symtheano.codegen.targets import COSTS
from symtheano.loopir import Index
from tests.support.compare import Array, check
from tests.support.plans import (
    fused,
    graph_of,
    groups_of,
    home_of,
    nests_of,
    ops_of,
    placed,
    scheduled,
    siblings,
)

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")
a, b, c, d = (T.TensorType("float64", (40,))(name) for name in "abcd")


def test_lengths_are_compared_in_any_order() -> None:
    n, m = Index.symbol("n"), Index.symbol("m")
    assert in_any_order((n, m)) == in_any_order((m, n))
    assert in_any_order((n, n)) != in_any_order((n, m))


def test_a_chain_is_one_group() -> None:
    table = fused([x, y], [T.exp(T.sin(x)) * y])
    (group,) = groups_of(table)
    assert [str(m.node.op) for m in group.members] == [
        str(T.sin(x).owner.op), str(T.exp(x).owner.op), str((x * y).owner.op),
    ]  # fmt: skip
    assert table.memory == set(graph_of(table).outputs)


def test_the_pair_that_saves_most_bytes_is_first() -> None:
    """A matrix before a row, although the row comes first."""
    row = T.exp(T.sin(y[0]))
    table = fused([x, y], [T.sqrt(T.cos(x)) * row])
    first, *_, last = table.choices
    assert first.saved.kept[0].ndim == 2
    assert last.saved.kept[0].ndim == 1


def test_a_round_is_a_function_of_the_table_before() -> None:
    before = placed([x], [T.exp(T.sin(x))])
    after = fuse(before, COSTS)
    assert len(before.steps) == 2, "it does not change"
    assert len(after.steps) == 1
    assert [*map(len, (g.members for g in groups_of(fuse(after, COSTS))))] == [2], "all is done"


def test_a_group_waits_for_what_its_reader_needs() -> None:
    """The exponential is computed after the product: then it needs no memory."""
    value = T.exp(v)
    table = fused([v, x], [T.dot(x, v) + value])
    product, group = table.steps
    assert product not in groups_of(table)
    assert len(groups_of(table)) == 1
    assert len(group.members) == 2  # type: ignore[union-attr]
    assert not [item for item in table.memory if item not in (*graph_of(table).outputs,)]


def test_nothing_runs_between_the_members_of_a_group() -> None:
    table = fused([x, y], [T.exp(x) + T.dot(T.exp(x), y)])
    (refusal,) = table.refused
    assert (refusal.first, refusal.second, refusal.reason) == (0, 2, LATE)
    assert table.number[graph_of(table).outputs[0]] == 2


def test_steps_that_only_the_later_group_needs_move_before_the_earlier_one() -> None:
    """What is between sorts other numbers; the first value is sorted, too, and can't wait."""
    value = T.sin(v)
    table = fused([v, a], [T.sort(value), T.sort(a)[0] + value])
    numbers = {str(s.node.op): k for k, s in enumerate(table.steps) if s not in groups_of(table)}
    assert len(numbers) == 1, "the same op twice"
    (group,) = groups_of(table)
    assert len(group.members) == 2
    assert table.steps.index(group) == 1, "between the sorts"


def test_groups_whose_results_are_combined_become_one() -> None:
    table = fused([a, c], [T.sin(a), T.cos(c), T.sin(a) + T.cos(c)])
    assert len({table.number[out] for out in graph_of(table).outputs}) == 1


def test_values_at_two_indices_are_loaded_from_another_group() -> None:
    slow = T.exp(T.sin(x))
    table = fused([x], [slow + slow.T])
    (out,) = graph_of(table).outputs
    (value,) = (n.outputs[0] for n in graph_of(table).nodes if n.op == T.exp(x).owner.op)
    assert home_of(table, out) is not home_of(table, value)
    first, _ = nests_of(scheduled([x], [slow + slow.T]))
    assert first.stores == (first.members[-1].result,)
    assert ops_of(home_of(table, out)) == [f"point {out.owner.op}"]


def test_softmax_is_one_group_in_stages() -> None:
    table = siblings(fused([x], [T.exp(x - x.max(1)[:, None]) / T.exp(x).sum(1)[:, None]]))
    (group,) = groups_of(table)
    assert group.split == 1
    assert len(table.choices) == len(group.members) - 1


def test_long_chains_are_cut_and_the_order_is_kept() -> None:
    value = a
    for k in range(300):
        value = T.sin(value + k)
    table = fused([a], [value])
    groups = groups_of(table)
    assert len(groups) == 5
    assert all(len(group.members) <= COSTS.ahead for group in groups)
    results = [node.outputs[0] for node in graph_of(table).nodes]
    places = [table.number[item] for item in results if item in table.number]
    assert places == sorted(places)


def test_checks_of_inputs_come_before_any_work() -> None:
    made = scheduled([x, y], [T.exp(y), T.nlinalg.inv(x)])
    assert 0 in made.guards


def separate() -> list[Any]:
    """Return outputs of two groups: the sum becomes one with what computes its operand."""
    return [T.sin(a), T.exp(b) + a]


def test_an_array_that_two_groups_read_is_loaded_once() -> None:
    table = fused([a, b], separate())
    assert len(groups_of(table)) == 2
    after = siblings(table)
    (group,) = groups_of(after)
    assert len(group.members) == 3
    assert len(groups_of(table)[0].members) == 1, "the group is another one"
    assert all(after.number[out] == 0 for out in graph_of(after).outputs)
    assert all(after.at(out) == 1 for out in graph_of(after).outputs)
    choice = after.choices[-1]
    assert choice.saved.shared == (a,)
    assert choice.saved.kept == ()


def test_what_waits_for_a_group_is_no_sibling_of_it() -> None:
    m = T.dmatrix("m")
    table = fused([m], [T.sin(m), m / T.exp(m).sum(0)])
    count = len(groups_of(table))
    after = siblings(table)
    assert 1 < len(groups_of(after)) < count
    refused = [(r.first, r.second) for r in after.refused if not r.saved.kept]
    assert len(refused) == len(set(refused)), "once"


def test_the_pair_that_shares_most_comes_first() -> None:
    table = fused([a, b, c, d], [T.sin(a) * b, T.exp(c) + a, T.exp(d) + a + b])
    assert len(groups_of(table)) == 3
    first, second = [c for c in siblings(table).choices if not c.saved.kept]
    assert set(first.saved.shared) == {a, b}
    assert set(second.saved.shared) == {a}


def test_groups_with_stages_of_their_own_stay_apart() -> None:
    outputs = [x / x.sum(1)[:, None], x * T.sqr(x).sum(1)[:, None]]
    after = siblings(fused([x], outputs))
    assert KEPT in [refusal.reason for refusal in after.refused]


@pytest.mark.needs_cc
def test_values_of_merged_siblings() -> None:
    def reference(x: Array, y: Array) -> list[Array]:
        return [np.sin(x), np.exp(y) + x]

    values = [np.linspace(-1, 1, 40), np.linspace(0, 1, 40)]
    check([a, b], separate(), [values], reference)


@pytest.mark.needs_cc
def test_values_of_groups_that_wait_for_their_readers() -> None:
    m, u = T.dmatrix("m"), T.dvector("u")
    value = T.exp(u)
    outputs = [T.dot(m, u) + value, T.sort(u)[::-1] * T.sin(value), T.set_subtensor(u[1:], 0.0)]

    def reference(m: Array, u: Array) -> list[Array]:
        changed = u.copy()
        changed[1:] = 0
        return [m @ u + np.exp(u), np.sort(u)[::-1] * np.sin(np.exp(u)), changed]

    rng = np.random.default_rng(0)
    calls = [[rng.normal(size=(n, n)), rng.normal(size=n)] for n in (4, 1, 0, 33)]
    check([m, u], outputs, calls, reference)


@pytest.mark.needs_cc
def test_values_and_gradients_of_a_graph_with_much_that_is_read_later() -> None:
    m, w = T.dmatrix("m"), T.dmatrix("w")
    value = m
    for _ in range(4):
        hidden = T.tanh(T.dot(value, w))
        value = hidden * T.nnet.sigmoid(value) + value
    cost = T.sqr(value).sum()
    outputs = [cost, *grad(cost, [m, w])]
    rng = np.random.default_rng(0)
    found = [rng.normal(size=(5, 3)), rng.normal(size=(3, 3))]
    from symtheano import function

    wanted = function([m, w], outputs, mode="INTERPRET")(*found)
    for one, other in zip(function([m, w], outputs)(*found), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)

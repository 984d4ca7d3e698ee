"""Masked elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.rewrites import masks
from symtheano.rewrites.rule import Rule
from symtheano.tensor.indexing.nonzeros import Nonzero
from tests.support.compare import check, compiled, oracle, outcome

FIRES = {
    "mask_as_condition": lambda x: T.inc_subtensor(x[:, x[0] > 1], 1),
    "reduction_of_masked": lambda x, y, b: (x[b] * 2 - y[b]).sum(),
    "change_of_masked": lambda x, y, b: T.inc_subtensor(x[b], y[b] * 3 + 1),
}
RESTS = {
    "mask_as_condition": lambda x, v: T.set_subtensor(x[x > 1], v),
    "reduction_of_masked": lambda x, b, f: (x[b] * 2 - x[f > 1]).sum(),
    "change_of_masked": lambda x, v, b: T.set_subtensor(x[b], v),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize(
    "example",
    [
        lambda x, b: x[b].prod(),
        lambda v: v[T.neq(v, 1)].sum(),
        lambda x: (x + 1)[x.nonzero()].sum(),
        lambda x, s, b: (x[b] * s).sum(),
    ],
)
def test_reductions(fires, example):
    fires("reduction_of_masked", example)


def test_changes_of_zeros(fires):
    fires("change_of_masked", lambda x, y, b: T.inc_subtensor(x.zeros_like()[b], y[b]))


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


@pytest.mark.parametrize(
    "example",
    [
        lambda x, b: x[b].max(),  # has no neutral element
        lambda cube, b: cube[b].sum(0),  # rows, of which few may be selected
        lambda x, b: T.tanh(T.exp(T.tanh(T.exp(x[b])))).sum(),  # costs much
        lambda x, labels: x[labels, labels].sum(),
        lambda x, b: x[b.nonzero()[::-1]].sum(),  # other elements
    ],
)
def test_other_reductions_rest(rests, example):
    rests("reduction_of_masked", example)


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(masks).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


x, w, v = T.vector("x"), T.vector("w"), T.vector("v")
m = T.vector("m", dtype="bool")


def test_values_and_lengths_that_disagree() -> None:
    loss = T.sqr(x[m] - w[m]).sum()
    outputs: list[Any] = [loss, *grad(loss, [x, w]), T.set_subtensor(x[m], w[m] * 2)]
    rng = np.random.default_rng(0)

    def draw(*lengths: int) -> list[Any]:
        *floats, truths = lengths
        return [*(rng.standard_normal(n) for n in floats), rng.random(truths) < 0.5]

    calls = [draw(n, n, n) for n in (0, 1, 7, 1000)]
    calls.append(
        [np.array([np.nan, np.inf, 1]), np.array([0, -np.inf, 2]), np.array([0, 0, 1]) > 0]
    )
    f = check([x, w, m], outputs, calls)
    assert not [node for node in f.graph.nodes if isinstance(node.op, Nonzero)]
    g = oracle([x, w, m], outputs)
    for lengths in [(3, 4, 4), (4, 3, 4), (4, 4, 3), (1, 4, 4), (4, 1, 4), (4, 4, 1)]:
        args = draw(*lengths)
        assert outcome(f, args) == outcome(g, args)
        assert isinstance(outcome(f, args), tuple)


def test_a_value_whose_length_is_that_of_the_selection() -> None:
    f = compiled([x, v, m], [T.set_subtensor(x[m], v * 2), (x[m] * v).sum()])
    values, truths = np.arange(5.0), np.array([1, 0, 1, 0, 0]) > 0
    changed, total = f(values, [7.0, 8.0], truths)
    np.testing.assert_array_equal(changed, [14.0, 1.0, 16.0, 3.0, 4.0])
    assert total == 16.0

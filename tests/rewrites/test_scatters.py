"""Increments of zeros: scaled, subtracted, joined; updates of embeddings in place."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function, grad
from symtheano.printing.schedule import schedule_text
from symtheano.rewrites import scatters
from symtheano.rewrites.rule import Rule


def part(x, y):
    """Return zeros like ``x`` with a part incremented."""
    return T.inc_subtensor(T.zeros_like(x)[1:], y[1:])


def rows(x, v, labels):
    """Return zeros like ``x`` with rows incremented."""
    return T.inc_subtensor(T.zeros_like(x)[labels], v)


def twice(x, labels, other):
    """Return ``x`` with rows incremented twice, by values made of ``other``."""
    once = T.inc_subtensor(x[labels], 2 * other[labels])
    return T.inc_subtensor(once[labels + 1], T.exp(other[labels]))


FIRES = {
    "factor_of_scatter": lambda x, y, s: part(x, y) * s,
    "negative_of_scatter": lambda x, v, labels: -rows(x, v, labels),
    "sum_with_scatter": lambda x, y: part(x, y) + T.exp(x),
    "gathered_rows_joined": lambda x, labels: twice(x, labels, x),
}
RESTS = {
    "factor_of_scatter": lambda x, y, v: part(x, y) * v,
    "negative_of_scatter": lambda x, v, labels: -T.set_subtensor(T.zeros_like(x)[labels], v),
    "sum_with_scatter": lambda x, y, v: part(x, y) + v,
    "gathered_rows_joined": lambda x, y, labels: twice(x, labels, y),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {item.name for item in vars(scatters).values() if isinstance(item, Rule)}
    assert names == set(FIRES) == set(RESTS)


def test_more_forms(fires, rests):
    fires("factor_of_scatter", lambda x, y, s: s * (part(x, y) + part(x, 2 * y)))
    fires("factor_of_scatter", lambda x, y, s: part(x, y) / T.exp(s))
    rests("factor_of_scatter", lambda x, y: part(x, y) * part(x, y).sum())
    fires("sum_with_scatter", lambda x, y: T.exp(x) - part(x, y))
    rests("sum_with_scatter", lambda x, y: part(x, y) - T.exp(x))


def test_a_sum_with_a_part_requires_equal_lengths(fires):
    """Lengths that are not known to be equal are compared in the call."""
    fires("sum_with_scatter", lambda x, y: T.inc_subtensor(T.zeros_like(x)[0], 1.0) + T.exp(y))
    v, w = T.dvector("v"), T.dvector("w")
    f = function([v, w], T.inc_subtensor(T.zeros_like(v)[0], 1.0) + T.exp(w), mode="INTERPRET")
    np.testing.assert_array_equal(f(np.zeros(2), np.zeros(2)), [2.0, 1.0])
    with pytest.raises(ValueError, match="add: operands of different length along axis 0"):
        f(np.zeros(2), np.zeros(3))


def updated(given, cost, w, rate=0.5):
    """Return a function that makes a step of gradient descent."""
    return function(given, cost, updates=[(w, w - rate * grad(cost, w))])


def is_in_place(f, name):
    """Return whether an update is stored in the memory of what it updates, by no loop over it."""
    whole, text = f"{name}_d0 x {name}_d1", schedule_text(f)
    memory = f"{name} float64[{whole.replace(' x ', '*')}] (its memory)"
    return memory in text and f"nest over {whole}" not in text


@pytest.mark.needs_cc
def test_an_update_of_an_embedding_changes_only_the_gathered_rows():
    random = np.random.default_rng(9)
    start = random.normal(size=(50, 4))
    i, j, y = T.lvector("i"), T.lmatrix("j"), T.dmatrix("y")
    one, two = np.array([3, 7, 3]), np.array([[3, 1], [2, 49], [-1, 0]])
    target = random.normal(size=(3, 4))
    for cost_of, given in (
        (lambda w: T.sqr(w[i] - y).sum(), [i, y]),
        (lambda w: (T.sqr(w[j].sum(1)) * y).sum(), [j, y]),
        (lambda w: T.nnet.softplus((w[i][:, None] * w[j]).sum(2)).sum(), [i, j]),
        (lambda w: T.sqr(w[i] - w[i + 1]).sum() + T.exp(w[j[:, 0]] * y).sum(), [i, j, y]),
    ):
        w = symtheano.shared(start.copy(), "w")
        f = updated(given, cost_of(w), w)
        values = {i: one, j: two, y: target}
        f(*(values[item] for item in given))
        x = T.dmatrix("x")
        slope = function([x, *given], grad(cost_of(x), x), mode=symtheano.Mode("interpret", "none"))
        want = start - 0.5 * slope(start, *(values[item] for item in given))
        np.testing.assert_allclose(w.get_value(), want, rtol=1e-12, atol=1e-12)
        assert is_in_place(f, "w")

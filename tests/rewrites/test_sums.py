"""Sums whose terms have factors that do not change along the axes of the sum."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.rewrites import sums
from symtheano.rewrites.rule import Rule
from symtheano.tensor.reductions.reduce import CAReduce

FIRES = {
    "factors_before_sum": lambda x, v: (x * v * 2).sum(axis=0),
    "sum_of_centered": lambda x, y, v: (y - v * (x - x.mean(axis=0))).sum(axis=0),
}

RESTS = {
    "factors_before_sum": lambda x, v: (x * v).sum(axis=1),
    "sum_of_centered": lambda x, y, v: (y - v * (x - x.mean(axis=1)[:, None])).sum(axis=0),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(sums).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        lambda x, v: (x * v[:, None] / 3).sum(axis=1),
        lambda x, v: (T.sqr(x) / (1 + v)).sum(axis=0),
        lambda x, v, u: (x * v[:, None] * u[:, None]).sum(axis=1),
        lambda x, y, v: (x * v * y).mean(axis=0),
        lambda v, u: (v[:, None] * u).sum(axis=1),
    ],
)
def test_factors_of_rows_and_columns(example, fires):
    fires("factors_before_sum", example)


def test_factors_that_keep_terms_from_overflow_stay(rests):
    rests("factors_before_sum", lambda x: T.sqr(x / x.max(axis=0)).sum(axis=0))
    rests("factors_before_sum", lambda x, y: (y * (x / x.max(axis=0))).sum(axis=0))
    rests("factors_before_sum", lambda x, v: (x * T.exp(v)).sum(axis=0))


def test_sums_of_halves_do_not_overflow():
    x, v = T.tensor("x", "float16", shape=(None, None)), T.tensor("v", "float16", shape=(None,))
    f = function([x, v], [(x * v).sum(axis=0), (x / np.float16(1000)).sum(axis=0)])
    ones, small = np.ones((70000, 2), "float16"), np.full(2, 1e-3, "float16")
    for value in f(ones, small):
        np.testing.assert_allclose(value, [70, 70], rtol=2e-3)


def test_products_that_are_results_are_summed(rests):
    rests("factors_before_sum", lambda x, v: (p := T.tanh(x) * v).sum(axis=0) + p)


def test_gradient_of_normalized_columns_needs_four_sums():
    """Those of x, dy, (x - mean)**2 and dy * (x - mean); without factors, and none of zeros."""
    x, dy, v = T.dmatrix("x"), T.dmatrix("dy"), T.dvector("v")
    centered = x - x.mean(axis=0)
    cost = (dy * v * centered / T.sqrt(T.sqr(centered).mean(axis=0) + 1e-5)).sum()
    f = function([x, dy, v], grad(cost, x))
    assert sum(isinstance(node.op, CAReduce) for node in f.fgraph.nodes) == 4
    random = np.random.default_rng(1)
    at, by, scale = random.normal(size=(5, 3)), random.normal(size=(5, 3)), random.normal(size=3)
    c = at - at.mean(0)
    inverse, g = 1 / np.sqrt((c**2).mean(0) + 1e-5), by * scale
    expected = inverse * (g - g.mean(0) - c * inverse**2 * (g * c).mean(0))
    np.testing.assert_allclose(f(at, by, scale), expected, rtol=1e-12, atol=1e-14)
    at[2, 1] = np.nan
    np.testing.assert_array_equal(np.isnan(f(at, by, scale)), np.arange(3) == [[1]] * 5)

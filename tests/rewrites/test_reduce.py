"""Reductions."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import reduce
from symtheano.rewrites.rule import Rule

FIRES = {
    "reduce_axes_of_one": lambda row: row.sum(axis=0),
    "reduce_of_reduce": lambda x: x.sum(axis=0).sum(),
    "reduce_of_dimshuffle": lambda x: x.T.sum(axis=0),
    "sum_of_negative": lambda x: (-x).sum(),
    "sum_of_scaled": lambda x, s: (x * s).sum(),
    "reduce_of_alloc": lambda s: T.alloc(s, 3, 3).sum(),
}

RESTS = {
    "reduce_axes_of_one": lambda x: x.sum(axis=0),
    "reduce_of_reduce": lambda x: x.max(axis=0).sum(),
    "reduce_of_dimshuffle": lambda x: x.sum(axis=0),
    "sum_of_negative": lambda x: (-x).max(),
    "sum_of_scaled": lambda x, y: (x * y).sum(),
    "reduce_of_alloc": lambda s, n: T.alloc(s, n).max(),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(reduce).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

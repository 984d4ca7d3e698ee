"""Probabilities that are clipped."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import clipped
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import sigmoid

FIRES = {
    "log_of_clipped": lambda x: T.log(T.clip(sigmoid(x), 1e-3, 1 - 1e-3)),
    "one_minus_clipped": lambda x: 1 - T.clip(sigmoid(x), 1e-3, 1 - 1e-3),
    "log_of_one_minus_clipped": lambda x: T.log1p(-T.clip(sigmoid(x), 1e-3, 1 - 1e-3)),
}

RESTS = {
    "log_of_clipped": lambda x: T.log(T.clip(x, 1e-3, 1 - 1e-3)),
    "one_minus_clipped": lambda x: 2 - T.clip(sigmoid(x), 1e-3, 1 - 1e-3),
    "log_of_one_minus_clipped": lambda x: T.log1p(-T.clip(x, 1e-3, 1 - 1e-3)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(clipped).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

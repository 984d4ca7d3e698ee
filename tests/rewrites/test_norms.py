"""Sums of squares, their roots and logarithms."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import norms
from symtheano.rewrites.rule import Rule

FIRES = {
    "log_of_sum_of_squares": lambda x: T.log((x**2).sum()),
    "root_of_sum_of_squares": lambda x: T.sqrt((x**2).sum(axis=1, keepdims=True)),
}

RESTS = {
    "log_of_sum_of_squares": lambda x: T.log((x**3).sum()),
    "root_of_sum_of_squares": lambda x: T.sqrt(x.sum(axis=1)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(norms).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

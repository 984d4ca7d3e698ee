"""Sums of products with common factors."""

import pytest

from symtheano.rewrites import differences
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import sigmoid

FIRES = {
    "terms_with_common_factors": lambda x, y: y * sigmoid(x) - y * sigmoid(-x),
}

RESTS = {
    "terms_with_common_factors": lambda x, y, w: y * sigmoid(x) - w * sigmoid(-x),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(differences).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

"""Sums of products with common factors."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.rewrites import differences
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import sigmoid
from tests.support.compare import ORACLE

REWRITTEN = Mode("interpret", "fast_run")

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


@pytest.mark.parametrize("number", [0.0, -0.0, np.inf, np.nan, 1e308, 5e-324])
def test_numbers_of_terms_may_be_zero_or_infinite(number: float) -> None:
    x, y = T.dvectors("x", "y")
    terms = [T.exp(x) * y, T.tanh(x) * y, T.sigmoid(x) * y, y]
    made = [a * number - b * 0.25 for a in terms for b in terms if a is not b]
    made += [a * 0.25 + b / number for a in terms for b in terms if a is not b]
    args = [np.array([0.5, -2.0, 3.0]), np.array([1.5, 2.0, -0.5])]
    found = function([x, y], made, mode=REWRITTEN)(*args)
    expected = function([x, y], made, mode=ORACLE)(*args)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-12)

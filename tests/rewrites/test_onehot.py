"""Scatters of one element a row."""

import pytest

import symtheano.tensor as T
from symtheano.gradient import grad
from symtheano.rewrites import onehot
from symtheano.rewrites.rule import Rule

FIRES = {
    "scatter_as_choice": lambda x, v, labels: T.inc_subtensor(
        x.zeros_like()[T.arange(labels.shape[0]), labels], v
    ),
    "choice_of_one_and_zero": lambda b: T.switch(b, 1.0, 0.0),
    "negative_of_choice": lambda b, x: T.switch(b, -x, 0),
    "sum_of_choice": lambda x, v, labels: T.inc_subtensor(
        x.zeros_like()[T.arange(labels.shape[0]), labels], v
    ).sum(axis=1),
    "multiply_by_divisor": lambda x, y: (x / y) * y,
    "multiply_terms_by_divisor": lambda x, y, w: (x / y - w) * y,
    "common_factor_of_choice": lambda x, labels: grad(
        -T.log(T.nnet.softmax(x))[T.arange(labels.shape[0]), labels].mean(), x
    ),
}

RESTS = {
    "scatter_as_choice": lambda x, v, labels: T.inc_subtensor(x.zeros_like()[labels, labels], v),
    "choice_of_one_and_zero": lambda b: T.switch(b, 2.0, 0.0),
    "negative_of_choice": lambda b, x: T.switch(b, -x, 1),
    "sum_of_choice": lambda x, v, labels: T.inc_subtensor(
        x.zeros_like()[T.arange(labels.shape[0]), labels], v
    ).sum(axis=0),
    "multiply_by_divisor": lambda x, y, w: (x / y) * w,
    "multiply_terms_by_divisor": lambda x, y, w: (x - w) * y,
    "common_factor_of_choice": lambda x, v, labels: (
        x - T.inc_subtensor(x.zeros_like()[T.arange(labels.shape[0]), labels], v)
    ),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_quotients_of_scalars_keep_the_shape(fires):
    fires("multiply_terms_by_divisor", lambda x, s, t: (s / x - t / x) * x)


def test_quotients_among_other_factors(fires, rests):
    fires("multiply_by_divisor", lambda x, y, w: (w / y / x) * y)
    fires("multiply_by_divisor", lambda x, y, w: (w / y) * (y / x))
    fires("multiply_terms_by_divisor", lambda x, y, w: (x * (w / y) - w) * y)
    rests("multiply_by_divisor", lambda x, y, w: (x * (y / w)) * y)


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(onehot).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

"""Products."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import blas
from symtheano.rewrites.rule import Rule

FIRES = {
    "transposed_product": lambda x, y: T.dot(x, y).T,
    "product_with_zeros": lambda x: T.dot(x, x.zeros_like()),
    "sign_of_dot": lambda x, y: T.dot(x, -y),
    "inner_product": lambda v, u: T.dot(v, u),
    "accumulate_product": lambda w, x, y, s: w - s * T.dot(x, y),
    "accumulate_with_decay": lambda w, x, y, s: w - s * (T.dot(x, y) + 0.5 * w),
}

RESTS = {
    "transposed_product": lambda x, y: T.dot(x.T, y),
    "product_with_zeros": lambda x: T.dot(x, x.ones_like()),
    "sign_of_dot": lambda x, y: T.dot(x, y),
    "inner_product": lambda x, v: T.dot(x, v),
    "accumulate_product": lambda v, x, y: T.dot(x, y) + v,
    "accumulate_with_decay": lambda w, x, y: w - (T.dot(x, y) + w),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(blas).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

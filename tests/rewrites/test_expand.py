"""Ops written out."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import expand
from symtheano.rewrites.rule import Rule

FIRES = {
    "write_out_softmax": lambda x: T.nnet.softmax(x),
}

RESTS = {
    "write_out_softmax": lambda x: T.exp(x),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(expand).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

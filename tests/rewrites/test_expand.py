"""Ops written out."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import expand
from symtheano.rewrites.rule import Rule

FIRES = {
    "write_out_softmax": lambda x: T.nnet.softmax(x),
    "broadcast_operands": lambda x, y: T.inc_subtensor(x[1:], y * 3),
    "broadcast_before_dimshuffle": lambda x, y: T.set_subtensor(x[1:], y.T),
    "choose_in_call": lambda x, v: T.set_subtensor(x[1:, 0], v),
}

RESTS = {
    "write_out_softmax": lambda x: T.exp(x),
    "broadcast_operands": lambda x, y: T.inc_subtensor(x[1:], y),
    "broadcast_before_dimshuffle": lambda x, y: T.set_subtensor(x[1:], y),
    "choose_in_call": lambda x: T.set_subtensor(x[1:, 0], x[1:, 1] * 3),
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

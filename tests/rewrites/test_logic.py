"""Choices: switches, comparisons, extrema, truth values, lengths."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import logic
from symtheano.rewrites.rule import Rule
from symtheano.tensor.assertion import assert_op

FIRES = {
    "switch_decided": lambda b, x: T.switch(b, x, x),
    "switch_on_negation": lambda b, x, y: T.switch(~b, x, y),
    "switch_of_switch": lambda b, x, y: T.switch(b, T.switch(b, x, y), y + 1),
    "compare_with_itself": lambda h: T.eq(h, h),
    "idempotent": lambda x: T.maximum(x, x),
    "negation_of_negation": lambda b: ~~b,
    "negation_of_comparison": lambda h, k: ~T.lt(h, k),
    "truth_with_constant": lambda b: b & T.constant(True),
    "compare_length_with_zero": lambda x: T.ge(x.shape[0], 0),
    "bound_length_by_zero": lambda x: T.maximum(x.shape[0], 0),
    "bound_length_by_longer": lambda x: T.minimum(x.shape[0], x.shape[0] + x.shape[1]),
    "conditions_that_hold": lambda x: assert_op(x, T.constant(True), T.all(T.eq(x, x))),
}

RESTS = {
    "switch_decided": lambda b, x, y: T.switch(b, x, y),
    "switch_on_negation": lambda b, x, y: T.switch(b, x, y),
    "switch_of_switch": lambda b, x, y: T.switch(b, x, T.switch(T.eq(x, y), y, x + 1)),
    "compare_with_itself": lambda d: T.eq(d, d),
    "idempotent": lambda x, y: T.maximum(x, y),
    "negation_of_negation": lambda b: ~b,
    "negation_of_comparison": lambda d, f: ~T.lt(d, f),
    "truth_with_constant": lambda h: h & T.constant(1),
    "compare_length_with_zero": lambda i: T.ge(i, 0),
    "bound_length_by_zero": lambda i: T.maximum(i, 0),
    "bound_length_by_longer": lambda i, n: T.minimum(n, n + i),
    "conditions_that_hold": lambda x: assert_op(x, T.all(T.ge(x, 0))),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(logic).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

"""Signs."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import signs
from symtheano.rewrites.rule import Rule

FIRES = {
    "negative_of_negative": lambda x: T.neg(T.neg(x)),
    "negative_of_difference": lambda x, y: -(x - y),
    "difference_times_negative": lambda x, y: (x - y) * -3,
    "negative_of_product_with_constant": lambda x: -(x * 3),
    "negative_of_quotient_of_constant": lambda x: -(3 / x),
    "minus_one_over": lambda x: -1 / x,
    "multiply_by_minus_one": lambda x: x * -1,
    "sign_of_product": lambda x, y: -x * y,
    "add_negative": lambda x, y: x + -y,
    "subtract_negative": lambda x, y: x - -y,
    "negative_less_something": lambda x, y: -x - y,
    "even_function": lambda x: abs(-x),
    "odd_function": lambda x: T.tanh(-x),
    "abs_of_positive": lambda x: abs(T.exp(x)),
}

RESTS = {
    "negative_of_negative": lambda x: -x,
    "negative_of_difference": lambda x, y: -(x * y),
    "difference_times_negative": lambda x, y: (x - y) * 3,
    "negative_of_product_with_constant": lambda x, y: -(x * y),
    "negative_of_quotient_of_constant": lambda x, y: -(x / y),
    "minus_one_over": lambda x: 3 / x,
    "multiply_by_minus_one": lambda x: x * -2,
    "sign_of_product": lambda x, y: x * y,
    "add_negative": lambda x, y: x + y,
    "subtract_negative": lambda x, y: x - y,
    "negative_less_something": lambda x, y: x - y,
    "even_function": lambda x: T.exp(-x),
    "odd_function": lambda x: T.exp(-x),
    "abs_of_positive": lambda x: abs(T.sin(x)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(signs).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

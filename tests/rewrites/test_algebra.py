"""Arithmetic: neutral elements, constants."""

import pytest

from symtheano.rewrites import algebra
from symtheano.rewrites.rule import Rule

FIRES = {
    "constant_last": lambda x: 2 * x,
    "add_zero": lambda x: x + 0,
    "subtract_zero": lambda x: 0 - x,
    "multiply_by_one": lambda x: x * 1,
    "divide_by_one": lambda x: x / 1,
    "multiply_integer_by_zero": lambda h: h * 0,
    "multiply_by_zero": lambda x: x * 0.0,
    "power_zero_or_one": lambda x: x**0 + x**1,
    "power_two": lambda x: x**2,
    "power_minus_one": lambda x: x**-1,
    "power_half": lambda x: x**0.5,
    "product_of_equals": lambda x: x * x,
    "sum_of_equals": lambda x: x + x,
    "integer_less_itself": lambda h: h - h,
    "collect_factors": lambda x: (x * 2) * 4,
    "collect_divisors": lambda x: (x * 6) / 3,
    "subtract_constant": lambda x: x - 3,
    "collect_terms": lambda x: (x + 2) + 3,
    "collect_terms_of_difference": lambda x: 5 - (x + 2),
    "constant_factor_outward": lambda x, y: (x * 3) * y,
    "terms_of_equal_factors": lambda x, y: (x * y) * -0.5 - x * (y * 2),
}

RESTS = {
    "constant_last": lambda x, y: x * y,
    "add_zero": lambda x: x + 1,
    "subtract_zero": lambda x: 2 - x,
    "multiply_by_one": lambda x: x * 2,
    "divide_by_one": lambda x: x / 3,
    "multiply_integer_by_zero": lambda d: d * 0,
    "multiply_by_zero": lambda x: x * 2,
    "power_zero_or_one": lambda x: x**3,
    "power_two": lambda x: x**3,
    "power_minus_one": lambda h: h**-1,
    "power_half": lambda x: x**2,
    "product_of_equals": lambda x, y: x * y,
    "sum_of_equals": lambda x, y: x + y,
    "integer_less_itself": lambda d: d - d,
    "collect_factors": lambda x, y: (x * 2) * y,
    "collect_divisors": lambda x, y: (x * 6) / y,
    "subtract_constant": lambda x: 3 - x,
    "collect_terms": lambda x, y: (x + 2) + y,
    "collect_terms_of_difference": lambda x, y: 5 - (x + y),
    "constant_factor_outward": lambda x, y: (x * y) * 3,
    "terms_of_equal_factors": lambda x, y: x * (y * 2) - (x * y) * 0.5,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(algebra).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

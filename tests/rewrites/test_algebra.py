"""Arithmetic: neutral elements, signs, constants, quotients, scalars."""

import pytest

import symtheano.tensor as T
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
    "collect_factors": lambda x: (x * 2) * 4,
    "collect_divisors": lambda x: (x * 6) / 3,
    "subtract_constant": lambda x: x - 3,
    "collect_terms": lambda x: (x + 2) + 3,
    "collect_terms_of_difference": lambda x: 5 - (x + 2),
    "constant_factor_outward": lambda x, y: (x * 3) * y,
    "divide_by_power_of_two": lambda x: x / 4,
    "one_over": lambda x: 1 / x,
    "multiply_by_reciprocal": lambda x, y: x * (1 / y),
    "divide_by_reciprocal": lambda x, y: x / (1 / y),
    "divide_by_quotient": lambda x, y, w: x / (y / w),
    "divide_by_factor": lambda x, y: (x * y) / y,
    "scalar_last": lambda x, s: s * x,
    "divide_by_count": lambda x: x / T.cast(x.shape[0], x.dtype),
    "scalars_together": lambda x, s, t: (x * s) * t,
    "scalar_factor_outward": lambda x, y, s: (x * s) * y,
    "scalar_out_of_quotient": lambda x, y, s: (x * s) / y,
    "common_scalar_factor": lambda x, y, s: x * s + y * s,
    "difference_of_complements": lambda x, y: (1 - x) * y - x * (1 - y),
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
    "collect_factors": lambda x, y: (x * 2) * y,
    "collect_divisors": lambda x, y: (x * 6) / y,
    "subtract_constant": lambda x: 3 - x,
    "collect_terms": lambda x, y: (x + 2) + y,
    "collect_terms_of_difference": lambda x, y: 5 - (x + y),
    "constant_factor_outward": lambda x, y: (x * y) * 3,
    "divide_by_power_of_two": lambda x: x / 3,
    "one_over": lambda x: 2 / x,
    "multiply_by_reciprocal": lambda x, y: x / y,
    "divide_by_reciprocal": lambda x, y: x / y,
    "divide_by_quotient": lambda x, y, w: (x / y) / w,
    "divide_by_factor": lambda x, y, w: (x * y) / w,
    "scalar_last": lambda x, y: x * y,
    "divide_by_count": lambda d: d / d.sum(),
    "scalars_together": lambda x, y, s: (x * s) * y,
    "scalar_factor_outward": lambda x, y, s: (x * y) * s,
    "scalar_out_of_quotient": lambda x, y, s: (x / y) * s,
    "common_scalar_factor": lambda x, y, s, t: x * s + y * t,
    "difference_of_complements": lambda x, y, w: (1 - x) * y - w * (1 - y),
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

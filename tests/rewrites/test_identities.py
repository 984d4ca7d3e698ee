"""Differences and logarithms of functions."""

import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.rewrites import identities
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import sigmoid, softplus

FIRES = {
    "log_of_minus_expm1": lambda x: T.log(1 - T.exp(x)),
    "log1p_of_minus_exp": lambda x: T.log1p(-T.exp(x)),
    "log_of_expm1": lambda x: T.log(T.exp(x) - 1),
    "log_of_difference_of_exponentials": lambda x, y: T.log(T.exp(x) - T.exp(y)),
    "softplus_less_operand": lambda x: T.log(1 + T.exp(x)) - x,
    "softplus_of_negative_and_operand": lambda x: x + T.log(1 + T.exp(-x)),
    "operand_less_softplus": lambda x: x - T.log(1 + T.exp(x)),
    "difference_of_softplus": lambda x: softplus(-x) - softplus(x),
    "difference_of_softplus_of_negative": lambda x: softplus(x) - softplus(-x),
    "sigmoid_less_one": lambda x: sigmoid(x) - 1,
    "sigmoid_less_square": lambda x: sigmoid(x) - sigmoid(x) ** 2,
    "square_less_sigmoid": lambda x: sigmoid(x) ** 2 - sigmoid(x),
    "sigmoid_less_that_of_negative": lambda x: sigmoid(2 * x) - sigmoid(-2 * x),
    "sinh_spelled_out": lambda x: (T.exp(x) - T.exp(-x)) / 2,
    "tanh_spelled_out": lambda x: (T.exp(x) - T.exp(-x)) / (T.exp(x) + T.exp(-x)),
    "sinh_over_cosh": lambda x: T.sinh(x) / T.cosh(x),
    "cosh_over_sinh": lambda x: T.cosh(x) / T.sinh(x),
    "tanh_of_half": lambda x: (T.exp(x) - 1) / (T.exp(x) + 1),
    "two_sigmoids_less_one": lambda x: 2 * sigmoid(x) - 1,
    "one_minus_tanh": lambda x: 1 - T.tanh(x),
    "one_minus_square_of_tanh": lambda x: 1 - T.tanh(x) ** 2,
    "log_of_cosh": lambda x: T.log(T.cosh(x)),
    "log_of_sinh": lambda x: T.log(T.sinh(x)),
    "cosh_minus_one": lambda x: T.cosh(x) - 1,
    "one_minus_cos": lambda x: 1 - T.cos(x),
    "cos_minus_one": lambda x: T.cos(x) - 1,
    "one_minus_cosh": lambda x: 1 - T.cosh(x),
    "one_plus_tanh": lambda x: 1 + T.tanh(x),
    "one_minus_square_of_sigmoid": lambda x: 1 - sigmoid(x) ** 2,
    "one_minus_square_of_coth": lambda x: grad((T.cosh(x) / T.sinh(x)).sum(), x),
    "log_of_successor_less_log": lambda x: T.log(1 + x) - T.log(x),
    "log_less_log_of_successor": lambda x: T.log(x) - T.log(1 + x),
    "log_of_successor_over_operand": lambda x: T.log((1 + x) / x),
    "log_of_operand_over_successor": lambda x: T.log(x / (1 + x)),
    "difference_of_logs": lambda x: T.log(x + 2) - T.log(x),
    "log_of_square": lambda x: T.log(x**2),
    "log_of_root": lambda x: T.log(T.sqrt(x)),
    "log_of_power": lambda x: T.log(x**3),
    "log_of_product": lambda x: T.log(x.prod(axis=1)),
    "hypot_spelled_out": lambda x, y: T.sqrt(x**2 + y**2),
    "root_of_square_and_constant": lambda x: T.sqrt(x**2 + 1),
    "hypot_of_one_less_one": lambda x: T.sqrt(1 + x**2) - 1,
    "root_of_one_plus_less_one": lambda x: T.sqrt(1 + x) - 1,
    "difference_of_roots": lambda x: T.sqrt(x + 1) - T.sqrt(x),
    "arcsinh_spelled_out": lambda x: T.log(x + T.sqrt(x**2 + 1)),
    "arctanh_spelled_out": lambda x: T.log((1 + x) / (1 - x)),
    "log_of_erfc": lambda x: T.log(T.erfc(x)),
    "log_of_normal_tail": lambda x: T.log(0.5 * T.erfc(-x)),
    "log_of_gamma": lambda x: T.log(T.gamma(x)),
    "upper_gamma_of_order_one": lambda x: T.gammaincc(1.0, x),
    "lower_gamma_of_order_one": lambda x: T.gammainc(1.0, x),
}

RESTS = {
    "log_of_minus_expm1": lambda x: T.log(2 - T.exp(x)),
    "log1p_of_minus_exp": lambda x: T.log1p(T.exp(x)),
    "log_of_expm1": lambda x: T.log(T.exp(x) - 2),
    "log_of_difference_of_exponentials": lambda x, y: T.log(T.exp(x) - y),
    "softplus_less_operand": lambda x, y: T.log(1 + T.exp(x)) - y,
    "softplus_of_negative_and_operand": lambda x: x + T.log(1 + T.exp(x)),
    "operand_less_softplus": lambda x: x - T.log(1 + T.exp(-x)),
    "difference_of_softplus": lambda x, y: softplus(-x) - softplus(y),
    "difference_of_softplus_of_negative": lambda x, y: softplus(x) - softplus(-y),
    "sigmoid_less_one": lambda x: sigmoid(x) - 2,
    "sigmoid_less_square": lambda x, y: sigmoid(x) - sigmoid(y) ** 2,
    "square_less_sigmoid": lambda x, y: sigmoid(y) ** 2 - sigmoid(x),
    "sigmoid_less_that_of_negative": lambda x, y: sigmoid(x) - sigmoid(y),
    "sinh_spelled_out": lambda x, y: T.exp(x) - T.exp(-y),
    "tanh_spelled_out": lambda x: (T.exp(x) - T.exp(-x)) / (T.exp(x) + 1),
    "sinh_over_cosh": lambda x, y: T.sinh(x) / T.cosh(y),
    "cosh_over_sinh": lambda x, y: T.cosh(x) / T.sinh(y),
    "tanh_of_half": lambda x: (T.exp(x) - 1) / (T.exp(x) + 2),
    "two_sigmoids_less_one": lambda x: 3 * sigmoid(x) - 1,
    "one_minus_tanh": lambda x: 2 - T.tanh(x),
    "one_minus_square_of_tanh": lambda x: T.tanh(x) * (1 - T.tanh(x) ** 2),
    "log_of_cosh": lambda x: T.log(T.cos(x)),
    "log_of_sinh": lambda x: T.log(T.sin(x)),
    "cosh_minus_one": lambda x: T.cosh(x) - 2,
    "one_minus_cos": lambda x: 2 - T.cos(x),
    "cos_minus_one": lambda x: T.cos(x) - 2,
    "one_minus_cosh": lambda x: 2 - T.cosh(x),
    "one_plus_tanh": lambda x: 2 + T.tanh(x),
    "one_minus_square_of_sigmoid": lambda x: 2 - sigmoid(x) ** 2,
    "one_minus_square_of_coth": lambda x, y: grad((T.cosh(x) / T.sinh(y)).sum(), x),
    "log_of_successor_less_log": lambda x, y: T.log(1 + x) - T.log(y),
    "log_less_log_of_successor": lambda x, y: T.log(y) - T.log(1 + x),
    "log_of_successor_over_operand": lambda x, y: T.log((1 + x) / y),
    "log_of_operand_over_successor": lambda x, y: T.log(y / (1 + x)),
    "difference_of_logs": lambda x: T.log(x - 2) - T.log(x),
    "log_of_square": lambda x: T.log(x),
    "log_of_root": lambda x: T.sqrt(T.log(x)),
    "log_of_power": lambda x, y: T.log(x**y),
    "log_of_product": lambda x: T.log(x.sum(axis=1)),
    "hypot_spelled_out": lambda x, y: T.sqrt(x**2 + y),
    "root_of_square_and_constant": lambda x: T.sqrt(x**2 - 1),
    "hypot_of_one_less_one": lambda x: T.sqrt(2 + x**2) - 1,
    "root_of_one_plus_less_one": lambda x: T.sqrt(2 + x) - 1,
    "difference_of_roots": lambda x, y: T.sqrt(x + 1) - T.sqrt(y),
    "arcsinh_spelled_out": lambda x: T.log(x + T.sqrt(x**2 + 2)),
    "arctanh_spelled_out": lambda x, y: T.log((1 + x) / (1 - y)),
    "log_of_erfc": lambda x: T.log(T.erf(x)),
    "log_of_normal_tail": lambda x: T.log(2 * T.erfc(-x)),
    "log_of_gamma": lambda x: T.log(T.gammaln(x)),
    "upper_gamma_of_order_one": lambda x: T.gammaincc(2.0, x),
    "lower_gamma_of_order_one": lambda x, y: T.gammainc(y, x),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(identities).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

"""Forms that keep their digits."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import stabilize
from symtheano.rewrites.rule import Rule

FIRES = {
    "log_of_one_plus": lambda x: T.log(1 + x),
    "log_of_one_minus": lambda x: T.log(1 - x),
    "exp_minus_one": lambda x: T.exp(x) - 1,
    "one_minus_exp": lambda x: 1 - T.exp(x),
    "softplus_spelled_out": lambda x: T.log(1 + T.exp(x)),
    "softplus_of_sigmoid": lambda x: T.log(T.nnet.sigmoid(x)),
    "log_of_one_minus_sigmoid": lambda x: T.log1p(-T.nnet.sigmoid(x)),
    "one_minus_sigmoid": lambda x: 1 - T.nnet.sigmoid(x),
    "sigmoid_spelled_out": lambda x: 1 / (1 + T.exp(-x)),
    "sigmoid_of_negative_spelled_out": lambda x: 1 / (1 + T.exp(x)),
    "sigmoid_as_quotient": lambda x: T.exp(x) / (1 + T.exp(x)),
    "scaled_sigmoid_as_quotient": lambda x, y: y * T.exp(x) / (1 + T.exp(x)),
    "log_of_exp": lambda x: T.log(T.exp(x)),
    "exp_of_log": lambda x: T.exp(T.log(x)),
    "expm1_of_log1p": lambda x: T.expm1(T.log1p(x)),
    "log1p_of_expm1": lambda x: T.log1p(T.expm1(x)),
    "root_of_square": lambda x: T.sqrt(T.sqr(x)),
    "square_of_root": lambda x: T.sqr(T.sqrt(x)),
    "one_minus_erf": lambda x: 1 - T.erf(x),
    "one_plus_erf": lambda x: 1 + T.erf(x),
    "one_minus_erfc": lambda x: 1 - T.erfc(x),
    "logarithm_of_two_exponentials": lambda x, y: T.log(T.exp(x) + T.exp(y)),
    "log_of_sum_of_exp": lambda x: T.log(T.exp(x).sum(axis=1)),
    "softmax_spelled_out": lambda x: T.exp(x) / T.exp(x).sum(axis=1, keepdims=True),
    "log_of_softmax": lambda x: T.log(T.nnet.softmax(x)),
    "exp_of_logsoftmax": lambda x: T.exp(T.nnet.logsoftmax(x)),
    "logsoftmax_spelled_out": lambda x: x - T.logsumexp(x, axis=1, keepdims=True),
}

RESTS = {
    "log_of_one_plus": lambda x: T.log(2 + x),
    "log_of_one_minus": lambda x: T.log(2 - x),
    "exp_minus_one": lambda x: T.exp(x) - 2,
    "one_minus_exp": lambda x: 2 - T.exp(x),
    "softplus_spelled_out": lambda x: T.log1p(x),
    "softplus_of_sigmoid": lambda x: T.log(T.tanh(x)),
    "log_of_one_minus_sigmoid": lambda x: T.log1p(T.nnet.sigmoid(x)),
    "one_minus_sigmoid": lambda x: 2 - T.nnet.sigmoid(x),
    "sigmoid_spelled_out": lambda x: 1 / (2 + T.exp(-x)),
    "sigmoid_of_negative_spelled_out": lambda x: 1 / (2 + T.exp(x)),
    "sigmoid_as_quotient": lambda x, y: T.exp(x) / (1 + T.exp(y)),
    "scaled_sigmoid_as_quotient": lambda x, y: y * T.exp(x) / (2 + T.exp(x)),
    "log_of_exp": lambda x: T.log(T.expm1(x)),
    "exp_of_log": lambda x: T.exp(T.log1p(x)),
    "expm1_of_log1p": lambda x: T.expm1(T.log(x)),
    "log1p_of_expm1": lambda x: T.log1p(x),
    "root_of_square": lambda x: T.sqrt(x),
    "square_of_root": lambda x: T.sqr(x),
    "one_minus_erf": lambda x: 2 - T.erf(x),
    "one_plus_erf": lambda x: 2 + T.erf(x),
    "one_minus_erfc": lambda x: 2 - T.erfc(x),
    "logarithm_of_two_exponentials": lambda x, y: T.log(T.exp(x) + y),
    "log_of_sum_of_exp": lambda x: T.log(x.sum(axis=1)),
    "softmax_spelled_out": lambda x, y: T.exp(x) / T.exp(y).sum(axis=1, keepdims=True),
    "log_of_softmax": lambda x: T.exp(T.nnet.softmax(x)),
    "exp_of_logsoftmax": lambda x: T.exp(T.nnet.softmax(x)),
    "logsoftmax_spelled_out": lambda x, y: y - T.logsumexp(x, axis=1, keepdims=True),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(stabilize).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

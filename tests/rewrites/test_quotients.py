"""Quotients."""

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.rewrites import quotients
from symtheano.rewrites.rule import Rule

FIRES = {
    "divide_by_power_of_two": lambda x: x / 4,
    "one_over": lambda x: 1 / x,
    "multiply_by_reciprocal": lambda x, y: x * (1 / y),
    "divide_by_reciprocal": lambda x, y: x / (1 / y),
    "divide_by_quotient": lambda x, y, w: x / (y / w),
    "divide_by_quotient_and_divisor": lambda x, y, w: x / (y / w) / w + y / w,
    "reciprocal_of_quotient_and_divisor": lambda y, w: 1 / (y / w) / w + y / w,
    "divide_by_factor": lambda x, y: (x * T.exp(y)) / T.exp(y),
}

RESTS = {
    "divide_by_power_of_two": lambda x: x / 3,
    "one_over": lambda x: 2 / x,
    "multiply_by_reciprocal": lambda x, y: x / y,
    "divide_by_reciprocal": lambda x, y: x / y,
    "divide_by_quotient": lambda x, y, w: (x / y) / w,
    "divide_by_quotient_and_divisor": lambda x, y, w: x / (y / w) / x + y / w,
    "reciprocal_of_quotient_and_divisor": lambda y, w: 1 / (y / w) / y + y / w,
    "divide_by_factor": lambda x, y: (x * y) / y,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(quotients).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("function", [T.nnet.softmax, T.nnet.sigmoid, T.exp])
def test_slopes_of_logarithms_of_what_is_rounded_to_zero(function):
    """With and without a weight, which would hide the quotient."""
    x, w = T.dmatrix("x"), T.dmatrix("w")
    log = T.log(function(x))
    slopes = symtheano.function(
        [x, w], [symtheano.grad(log.sum(), x), symtheano.grad((w * log).sum(), x)]
    )
    plain, weighted = slopes([[0.0, -2000.0, 1.0]], np.ones((1, 3)))
    assert np.isfinite(plain).all()
    np.testing.assert_allclose(plain, weighted, 1e-12)

"""What only pays in the end."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import specialize
from symtheano.rewrites.rule import Rule

FIRES = {
    "power_as_products": lambda x: x**3,
    "power_by_roots": lambda x: x**1.5,
    "clip_spelled_out": lambda x: T.minimum(T.maximum(x, 0), 1),
    "square_of_modulus": lambda x: abs(x) ** 2,
    "divide_by_root_of_row": lambda x: x / T.sqrt(T.sqr(x).sum(axis=1, keepdims=True)),
    "factors_of_rows_together": lambda x, y, s: (x * T.sqr(y).sum(axis=1, keepdims=True)) * s,
}

RESTS = {
    "power_as_products": lambda x: x**3.5,
    "power_by_roots": lambda x: x**2.5,
    "clip_spelled_out": lambda x: T.minimum(T.maximum(x, 1), 0),
    "square_of_modulus": lambda x: abs(x) ** 3,
    "divide_by_root_of_row": lambda x: x / x.max(axis=1, keepdims=True),
    "factors_of_rows_together": lambda x, y, s: (x * y) * s,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(specialize).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names

"""Scalars: numbers repeated to an array's shape."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.rewrites import scalars
from symtheano.rewrites.rule import Rule

FIRES = {
    "scalar_last": lambda x, s: s * x,
    "divide_by_count": lambda x: x / T.cast(x.shape[0], x.dtype),
    "scalars_together": lambda x, s, t: (x * s) * t,
    "scalar_factor_outward": lambda x, y, s: (x * s) * y,
    "scalar_out_of_quotient": lambda x, y, s: (x * s) / y,
    "common_scalar_factor": lambda x, y, s: x * s + y * s,
    "difference_of_complements": lambda x, y: (1 - x) * y - x * (1 - y),
}

RESTS = {
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
    names = {value.name for value in vars(scalars).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("name", ["multiply", "add", "maximum"])
def test_scalars_and_arrays_of_constants_find_an_order(name):
    s, numbers = T.dscalar("s"), np.array([1.0, 2.0, 3.0])
    row = getattr(T, name)
    f = function([s], [row(s, numbers), row(numbers, s)], mode="INTERPRET")
    np.testing.assert_array_equal(f(2.0), [getattr(np, name)(2.0, numbers)] * 2)

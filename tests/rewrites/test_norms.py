"""Sums of squares, their roots and logarithms."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.rewrites import norms
from symtheano.rewrites.rule import Rule

FIRES = {
    "log_of_sum_of_squares": lambda x: T.log((x**2).sum()),
    "root_of_sum_of_squares": lambda x: T.sqrt((x**2).sum(axis=1, keepdims=True)),
}

RESTS = {
    "log_of_sum_of_squares": lambda x: T.log((x**3).sum()),
    "root_of_sum_of_squares": lambda x: T.sqrt(x.sum(axis=1)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(norms).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms_of_numbers_of_every_size(dtype):
    """Across the bounds between what is scaled and what is not, for few and for many numbers."""
    info = np.finfo(dtype)
    x = T.matrix("x", dtype)
    f = function([x], T.sqrt(T.sqr(x).sum(axis=1)))
    powers = np.arange(info.minexp - 10, info.maxexp - 12, 1 if dtype == "float32" else 9)
    for count in (1, 3, 4000):
        values = np.ldexp(np.linspace(1, 1.9, count), powers[:, None]).astype(dtype)
        expected = np.ldexp(np.sqrt((np.linspace(1, 1.9, count) ** 2).sum()), powers)
        kept = values.min(axis=1) >= info.tiny
        np.testing.assert_allclose(f(values)[kept], expected[kept].astype(dtype), 8 * info.eps)

"""The op that draws NumPy's random numbers, on the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.tensor.random.drawing import DISTRIBUTIONS, RandomFunction
from symtheano.tensor.random.state import random_state_type, state_words
from tests.support.compare import oracle

STATE = random_state_type("state")
SIZE = [T.constant(n, dtype="int64") for n in (2, 3)]


def words(seed: int) -> np.ndarray:
    return state_words(np.random.default_rng(seed))


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_are_those_of_numpy(name: str, dtype: str) -> None:
    outputs = RandomFunction(name, dtype)(STATE, *SIZE)
    state, numbers = oracle([STATE], outputs)(words(3))
    generator = np.random.default_rng(3)
    expected = getattr(generator, name)((2, 3), dtype)
    np.testing.assert_array_equal(numbers, expected)
    np.testing.assert_array_equal(state, state_words(generator))


def test_parameters_are_numbers_or_as_large_as_the_result() -> None:
    lam = T.matrix("lam")
    f = oracle([STATE, lam], RandomFunction("poisson", "int64")(STATE, lam, *SIZE)[1])
    rates = np.arange(6.0).reshape(2, 3)
    expected = np.random.default_rng(1).poisson(rates)
    np.testing.assert_array_equal(f(words(1), rates), expected)
    with pytest.raises(
        ShapeError, match="a parameter has length 4 along axis 1, but the size has 3"
    ):
        f(words(1), np.ones((2, 4)))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="'random' numbers of dtype 'int64' are not supported"):
        RandomFunction("random", "int64")
    with pytest.raises(ValueError, match="'cauchy' numbers of dtype 'float64' are not supported"):
        RandomFunction("cauchy", "float64")
    with pytest.raises(TypeError, match="the first operand is not a random state"):
        RandomFunction("random", "float64")(T.vector("v"), *SIZE)
    with pytest.raises(TypeError, match="a parameter does not fit"):
        RandomFunction("poisson", "int64")(STATE, T.vector("lam"), *SIZE)


def test_every_distribution_has_dtypes_and_a_text_for_each_parameter() -> None:
    for name, row in DISTRIBUTIONS.items():
        assert row.dtypes
        inputs = [STATE, *[T.scalar("p", dtype) for dtype in row.parameters], *SIZE]
        pattern = RandomFunction(name, row.dtypes[0]).split(inputs)
        assert [len(part) for part in pattern] == [len(row.parameters), 2]

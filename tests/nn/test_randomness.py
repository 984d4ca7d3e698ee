"""One seed determines all random numbers of a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn
from symtheano.nn.randomness import Randomness, checked_seed


def numbers(randomness: Randomness, dtype: str = "float32") -> Any:
    return randomness.initial(nn.initializers.Uniform(), (4,), dtype)


def test_equal_seeds_give_equal_numbers_and_each_parameter_has_its_own() -> None:
    first, second = Randomness(3), Randomness(3)
    one, other = numbers(first), numbers(first)
    assert_array_equal(numbers(second), one)
    assert (one != other).all()
    assert (numbers(Randomness(4)) != one).all()


@pytest.mark.parametrize("value", [0, 5, np.int32(7), True])
def test_integers_are_seeds(value: Any) -> None:
    assert checked_seed(value) == int(value)


@pytest.mark.parametrize(("value", "error"), [(-1, ValueError), (1.5, TypeError), ("1", TypeError)])
def test_what_is_no_seed(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="non-negative integer"):
        checked_seed(value)

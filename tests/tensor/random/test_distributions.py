"""Distributions as functions of standard numbers, which a source brings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.random import distributions
from tests.support.compare import ORACLE


class Fixed:
    """A source whose standard numbers are all the same."""

    def __init__(self, value: float) -> None:
        self.value = value

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        return T.alloc(np.asarray(self.value, dtype), *dims)

    standard_normal = standard_exponential = random

    def standard_gamma(self, dims: Sequence[Any], shape: Any) -> Any:
        return self.random(dims, "float64") * shape

    def beta(self, dims: Sequence[Any], a: Any, b: Any) -> Any:
        return self.random(dims, "float64") * a / b


def drawn(name: str, value: float, *parameters: float, dtype: str = "float64") -> np.ndarray:
    """Return two numbers of a distribution."""
    made = getattr(distributions, name)(Fixed(value), (2,), *parameters, dtype=dtype)
    assert made.dtype == dtype
    return made.eval(mode=ORACLE)


@pytest.mark.parametrize(
    ("name", "value", "parameters", "expected"),
    [
        ("uniform", 0.25, (2.0, 6.0), 3.0),
        ("normal", 1.5, (10.0, 2.0), 13.0),
        ("exponential", 0.5, (4.0,), 2.0),
        ("gamma", 0.5, (3.0, 4.0), 6.0),
        ("beta", 0.5, (3.0, 2.0), 0.75),
        ("laplace", 0.25, (1.0, 2.0), 1 - 2 * math.log(2)),
        ("laplace", 0.75, (1.0, 2.0), 1 + 2 * math.log(2)),
        ("laplace", 0.5, (1.0, 2.0), 1.0),
        ("truncated", 0.5, (1.0, 2.0), 1.0),
        ("truncated_normal", 0.5, (1.0, 2.0), 1.0),
    ],
)
def test_values(name: str, value: float, parameters: tuple[float, ...], expected: float) -> None:
    np.testing.assert_allclose(drawn(name, value, *parameters), [expected] * 2, rtol=1e-14)
    single = drawn(name, value, *parameters, dtype="float32")
    np.testing.assert_allclose(single, [expected] * 2, rtol=1e-6)


def test_truncated_numbers_reach_two_deviations_and_no_more() -> None:
    for name in ("truncated", "truncated_normal"):
        low, high = (drawn(name, value, 0.0, 1.0)[0] for value in (1e-12, 1 - 1e-12))
        assert low == pytest.approx(-high)
        assert high == pytest.approx(2 if name == "truncated" else 2 / 0.879625661034239, rel=1e-6)


def test_halves_are_below_the_upper_end() -> None:
    almost = float(np.nextafter(np.float32(1), np.float32(0)))
    assert (drawn("uniform", almost, 0.0, 1.0, dtype="float16") < 1).all()


def test_scales_must_not_be_negative() -> None:
    for name in ("exponential", "normal"):
        with pytest.raises(ValueError, match=name):
            drawn(name, 0.5, *([0.0] * (name == "normal")), -1.0)

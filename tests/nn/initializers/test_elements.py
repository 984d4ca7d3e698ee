"""Initial values that are drawn for each element alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano.nn.initializers import (
    Constant,
    Normal,
    Ones,
    TruncatedNormal,
    Uniform,
    Zeros,
)
from symtheano.nn.initializers.elements import TRUNCATED_STD
from tests.nn.initializers.generators import rng


def test_constants() -> None:
    assert_array_equal(Constant(2.5)((2, 2), "float32"), np.full((2, 2), 2.5, "float32"))
    assert_array_equal(Zeros()((3,), "float32"), np.zeros(3, "float32"))
    assert_array_equal(Ones()((3,), "float32"), np.ones(3, "float32"))


def test_uniform_fills_its_interval() -> None:
    made = Uniform(1.0, 3.0)((200_000,), "float64", rng())
    assert made.min() >= 1.0
    assert made.max() < 3.0
    assert made.mean() == pytest.approx(2.0, abs=0.01)
    assert made.var() == pytest.approx(4 / 12, rel=0.01)


def test_normal() -> None:
    made = Normal(1.0, 2.0)((200_000,), "float64", rng())
    assert made.mean() == pytest.approx(1.0, abs=0.02)
    assert made.std() == pytest.approx(2.0, rel=0.01)


def test_truncated_normal() -> None:
    made = TruncatedNormal(1.0, 2.0)((200_000,), "float64", rng())
    assert abs(made - 1.0).max() <= 4.0
    assert made.mean() == pytest.approx(1.0, abs=0.02)
    assert made.std() == pytest.approx(2.0 * TRUNCATED_STD, rel=0.01)

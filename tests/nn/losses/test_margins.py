"""Losses of margins against their formulas in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano.nn import losses

RNG = np.random.default_rng(3)
X = RNG.normal(size=6)
SIGNS = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
CASES: dict[str, Any] = {
    "hinge": np.maximum(0, 1 - SIGNS * X),
    "squared_hinge": np.maximum(0, 1 - SIGNS * X) ** 2,
    "soft_margin": np.log1p(np.exp(-SIGNS * X)),
}


@pytest.mark.parametrize("name", CASES)
def test_formulas(name: str) -> None:
    loss = getattr(losses, name)
    assert_allclose(loss(X, SIGNS, reduction=None).eval(), CASES[name], rtol=1e-12)


def test_zeros_and_negative_numbers_are_one_class() -> None:
    zeros = (SIGNS > 0).astype("float64")
    assert_allclose(losses.hinge(X, zeros).eval(), losses.hinge(X, SIGNS).eval())


def test_dice_of_equal_and_of_disjoint_regions() -> None:
    region = np.array([[1.0, 1.0, 0.0, 0.0]])
    assert_allclose(losses.dice(region, region).eval(), 0, atol=1e-6)
    assert losses.dice(region, 1 - region).eval() > 0.7

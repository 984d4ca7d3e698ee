"""Normal numbers from uniform ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.random.boxmuller import box_muller


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_formula(dtype: str) -> None:
    u, v = T.vector("u", dtype), T.vector("v", dtype)
    a, b = np.random.default_rng(0).uniform(0.01, 0.99, (2, 50)).astype(dtype)
    first, second = function([u, v], box_muller(u, v), mode="INTERPRET")(a, b)
    radius = np.sqrt(-2 * np.log(a))
    assert first.dtype == second.dtype == dtype
    assert_allclose(first, radius * np.cos(2 * np.pi * b), rtol=1e-4, atol=1e-5)
    assert_allclose(second, radius * np.sin(2 * np.pi * b), rtol=1e-4, atol=1e-5)
    assert_allclose(first**2 + second**2, radius**2, rtol=1e-4)

"""Exponentials of matrices: series, batches, and the derivative."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano.function.verify import verify_grad
from symtheano.tensor.linalg.expm import expm


def by_series(a: np.ndarray) -> np.ndarray:
    """Return the sum of enough powers, for small matrices."""
    term = total = np.eye(a.shape[-1], dtype=a.dtype)
    for k in range(1, 40):
        term = term @ a / k
        total = total + term
    return total


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_the_series(dtype: str) -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(size=(2, 3, 3)).astype(dtype)
    if dtype == "complex128":
        a = a + 1j * rng.normal(size=a.shape)
    assert_allclose(expm(a).eval(), [by_series(item) for item in a], rtol=1e-10)


def test_zeros_and_nilpotent_matrices() -> None:
    assert_allclose(expm(np.zeros((2, 2))).eval(), np.eye(2))
    assert_allclose(expm(np.array([[0.0, 3.0], [0.0, 0.0]])).eval(), [[1, 3], [0, 1]])


def test_gradient() -> None:
    verify_grad(expm, [np.random.default_rng(0).normal(size=(3, 3))], mode="INTERPRET")

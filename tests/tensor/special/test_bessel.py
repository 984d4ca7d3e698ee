"""Bessel functions of the second kind are SciPy's."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.function.verify import verify_grad
from tests.tensor.special.scipys import EDGES, POSITIVE, assert_scipys

FAR = np.array([1e4, 9e7, 1.1e8, 1e10, 1e30])


@pytest.mark.parametrize("name", ["k0", "k0e", "k1", "k1e"])
@pytest.mark.parametrize("x", [POSITIVE, EDGES, POSITIVE[:0], FAR], ids=str)
def test_values(name: str, x: np.ndarray) -> None:
    assert_scipys(name, x)


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(T.special.k1e, [POSITIVE[1:]])

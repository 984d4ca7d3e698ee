"""Orthogonal polynomials are SciPy's, with limits at infinity."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad
from tests.tensor.special.scipys import SIGNED, SLOPES, of_scipy

NAMES = [name for name in dir(T.special) if name.startswith("eval_")]


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    x = T.dvector()
    for n in (0, 1, 2, 5, 9):
        f = function([x], getattr(T.special, name)(n, x), mode="INTERPRET")
        np.testing.assert_allclose(
            f(SIGNED[:9]), of_scipy(name, n, SIGNED[:9]), rtol=1e-9, atol=1e-9
        )
        assert np.isnan(f(np.array([np.nan]))).all()
        assert f(SIGNED[:0]).shape == (0,)
    with pytest.raises(TypeError, match=f"{name}: the degree must be an integer"):
        getattr(T.special, name)(1.5, x)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 20])
def test_limits_at_infinity(name: str, n: int) -> None:
    x = T.dvector()
    f = function([x], getattr(T.special, name)(n, x), mode="INTERPRET")
    infinite = np.inf
    high, low = (infinite, infinite * (-1) ** n)
    if name == "eval_laguerre":
        high, low = low, high
    assert f(np.array([np.inf, -np.inf])).tolist() == [high, low]
    if n > 2:
        assert f(np.array([1e300, -1e300])).tolist() == [high, low]


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(lambda t: T.special.eval_legendre(4, t), [SLOPES])

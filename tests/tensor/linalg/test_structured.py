"""Matrices of a known structure: SciPy's values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad

RNG = np.random.default_rng(0)
C, R = np.array([1.0, 2, 3]), np.array([9.0, 4, 5, 6])
SQUARE, OTHER, RIGHT = RNG.normal(size=(3, 3)), RNG.normal(size=(2, 2)), RNG.normal(size=(3, 2))
CASES: list[tuple[str, list[Any]]] = [
    ("toeplitz", [C]),
    ("toeplitz", [C, R]),
    ("toeplitz", [C * 1j]),
    ("toeplitz", [C[:1], R]),
    ("hankel", [C]),
    ("hankel", [C, R]),
    ("circulant", [R]),
    ("circulant", [np.arange(4)]),
    ("companion", [np.array([2.0, -10, 31, -30])]),
    ("companion", [np.array([2.0, -10])]),
    ("khatri_rao", [SQUARE, RNG.normal(size=(2, 3))]),
    ("solve_sylvester", [SQUARE, OTHER, RIGHT]),
    ("solve_continuous_lyapunov", [SQUARE, SQUARE.T]),
    ("solve_discrete_lyapunov", [SQUARE / 4, SQUARE @ SQUARE.T]),
]


def variables(arrays: list[Any]) -> list[Any]:
    return [T.TensorType(a.dtype.name, (None,) * a.ndim)() for a in arrays]


@pytest.mark.parametrize(("name", "arrays"), CASES)
def test_values(name: str, arrays: list[Any]) -> None:
    xs = variables(arrays)
    got = function(xs, getattr(T.linalg, name)(*xs), mode="INTERPRET")(*arrays)
    want = getattr(scipy.linalg, name)(*arrays)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


@pytest.mark.needs_cc
@pytest.mark.parametrize(("name", "arrays"), [case for case in CASES if case[1][0].dtype == "d"])
def test_gradients(name: str, arrays: list[Any]) -> None:
    verify_grad(getattr(T.linalg, name), arrays)


def test_convolution_matrix() -> None:
    x = T.dvector()
    product = T.dot(T.linalg.convolution_matrix(x, 4), R)
    np.testing.assert_allclose(
        function([x], product, mode="INTERPRET")(C), np.convolve(C, R)
    )  # fmt: skip
    with pytest.raises(NotImplementedError, match="mode='same'"):
        T.linalg.convolution_matrix(x, 4, "same")


def test_errors() -> None:
    with pytest.raises(ValueError, match="toeplitz takes vectors"):
        T.linalg.toeplitz(T.dmatrix())
    with pytest.raises(ValueError, match="khatri_rao takes two matrices"):
        T.linalg.khatri_rao(T.dvector(), T.dmatrix())
    with pytest.raises(ValueError, match="companion: the vector is too short"):
        T.linalg.companion(C[:1]).eval()
    with pytest.raises(ValueError, match="convolution_matrix: the vector is too short"):
        T.linalg.convolution_matrix(C[:0], 3).eval()
    for name, arrays in (
        ("solve_sylvester", [SQUARE, OTHER, RIGHT.T]),
        ("solve_sylvester", [SQUARE, OTHER, RIGHT[:2]]),
        ("solve_discrete_lyapunov", [OTHER, C.reshape((3, 1))]),
    ):
        xs = variables(arrays)
        f = function(xs, getattr(T.linalg, name)(*xs), mode="INTERPRET")
        with pytest.raises(ValueError, match=f"{name}: q has not the shape"):
            f(*arrays)

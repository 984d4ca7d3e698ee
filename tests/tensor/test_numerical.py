"""Short functions of NumPy: by NumPy's own call on variables, values and gradients."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))
X = np.array([0.0, 1.0, 3.0, 4.5])
EDGES = np.array([0.0, -0.0, 1e-9, 1e-4, 0.004, 0.5, -1.0, 2.5, 1e6, np.inf, -np.inf, np.nan])


def agree(call: Callable[..., Any], *args: Any, **options: Any) -> None:
    """Compare a function of NumPy on variables with the same function on their values."""
    arrays = [item for item in args if isinstance(item, np.ndarray)]
    symbols = [T.TensorType(a.dtype.name, (None,) * a.ndim)() for a in arrays]
    rest = iter(symbols)
    made = call(*[next(rest) if isinstance(item, np.ndarray) else item for item in args], **options)
    with np.errstate(all="ignore"):
        want = call(*args, **options)
    several = isinstance(want, tuple | list)
    got = function(symbols, list(made) if several else made, mode="INTERPRET")(*arrays)
    for one, other in zip(got, want, strict=True) if several else [(got, want)]:
        assert one.dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_cross() -> None:
    agree(np.cross, A, B)
    agree(np.cross, A, B[0])
    agree(np.cross, A.T, B, axisa=0)
    agree(np.cross, A.T, B, axisa=0, axisc=0)
    agree(np.cross, A.T, B.T, axis=0)
    agree(np.linalg.cross, A, B)
    with pytest.raises(ValueError, match="3"):
        T.cross(T.zeros((4, 2)), A)


@pytest.mark.parametrize("call", [np.convolve, np.correlate])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolutions(call: Any, mode: str) -> None:
    for n, m in ((5, 3), (3, 5), (5, 4), (4, 5), (4, 4), (1, 6)):
        a, v = RNG.normal(size=n), RNG.normal(size=m)
        agree(call, a, v, mode=mode)
        agree(call, a + 1j, 1j * v, mode=mode)
        known = getattr(T, call.__name__)(a, v, mode)
        np.testing.assert_allclose(known.eval(), call(a, v, mode=mode))
    for operands in ((X, X[:0]), (X[:0], X)):
        x, y = T.dvectors("x", "y")
        f = function([x, y], getattr(T, call.__name__)(x, y, mode), mode="INTERPRET")
        with pytest.raises(ValueError, match="a vector is empty"):
            f(*operands)


@pytest.mark.parametrize("call", [np.convolve, np.correlate])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_zeros_around_a_vector_do_not_meet_infinities(call: Any, mode: str) -> None:
    vectors = [
        [1.0, 2.0, 0.0, 4.0],
        [np.inf, 1.0, -2.0],
        [0.0, np.nan],
        [-np.inf, np.inf, 1.0, 0.0],
    ]
    a, v = T.dvectors("a", "v")
    f = function([a, v], getattr(T, call.__name__)(a, v, mode), mode="INTERPRET")
    for x, y in itertools.product(map(np.array, vectors), repeat=2):
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(f(x, y), call(x, y, mode=mode))


def test_differences_and_integrals() -> None:
    agree(np.gradient, A)
    agree(np.gradient, A, 2.0)
    agree(np.gradient, A, 2.0, 0.5)
    agree(np.gradient, A, axis=0, edge_order=2)
    agree(np.gradient, A, X, axis=0, edge_order=2)
    agree(np.gradient, A, X, axis=0)
    agree(np.gradient, np.arange(5) ** 2)
    agree(np.gradient, EDGES, 0.5)
    agree(np.trapezoid, A)
    agree(np.trapezoid, A, dx=0.5, axis=0)
    agree(np.trapezoid, A, X, axis=0)
    agree(np.trapezoid, A, A + 1, axis=0)
    with pytest.raises(TypeError, match=r"gradient: distances \(1, 2, 3\) for 2 axes"):
        T.gradient(A, 1, 2, 3)
    for edge_order in (1, 2):
        short = T.gradient(T.zeros(edge_order), edge_order=edge_order)
        with pytest.raises(ValueError, match=f"fewer than {edge_order + 1} elements"):
            short.eval()


def test_polynomials() -> None:
    for x in (X, np.array([1, 2, 3])):
        agree(np.vander, x)
        agree(np.vander, x, 6, increasing=True)
        agree(np.vander, x, 1)
    p = T.tensor("float64", shape=(3,))
    got = function([p], T.polyval(p, A), mode="INTERPRET")(np.array([1.0, 2, 3]))
    np.testing.assert_allclose(got, np.polyval([1.0, 2, 3], A))
    agree(np.polyfit, X, np.array([1.0, 2, 5, 4]), 2)
    agree(np.polyfit, 1000 + X, A, 1)
    with pytest.raises(ValueError, match="the number of coefficients must be known"):
        T.polyval(T.dvector(), X)


def test_elements() -> None:
    agree(np.sinc, EDGES)
    agree(np.sinc, EDGES[:8] * (1 + 0.1j))
    single = EDGES.astype("float32")[[0, 3, 4, 5, 6, 7]]
    np.testing.assert_allclose(T.sinc(single).eval(), np.sinc(single), rtol=2e-7, atol=1e-7)
    for call in (np.isposinf, np.isneginf, np.isreal, np.iscomplex):
        agree(call, EDGES)
    agree(np.isreal, np.array([1j, 1, 0j]))
    agree(np.iscomplex, np.array([1j, 1, 0j]))
    agree(np.isreal, np.array([1, 2]))
    agree(np.matrix_transpose, A)
    agree(np.linalg.vecdot, A, B)
    agree(np.cumulative_sum, X)
    agree(np.cumulative_sum, A, axis=0, include_initial=True)
    agree(np.cumulative_prod, A, axis=1, include_initial=True)
    agree(np.cumulative_prod, A[:, :0], axis=1, include_initial=True)


def test_rounding() -> None:
    numbers = np.array([1.005, -2.675, 0.125, 1234.5, np.nan, np.inf])
    for decimals in (0, 1, 2, -2):
        agree(np.round, numbers, decimals)
        agree(np.round, np.array([125, 135, -5, 50]), decimals)
        agree(lambda x, d=decimals: round(x, d) if isinstance(x, T.TensorVariable)
              else np.round(x, d), numbers)  # fmt: skip
    x = T.dvector()
    np.testing.assert_array_equal(round(x).eval({x: np.array([0.5, 1.5])}), [0.0, 2.0])


def test_products() -> None:
    xs = T.dmatrix(), T.dvector()
    made = [T.matvec(xs[0], xs[1][:3]), T.vecmat(xs[1], xs[0])]
    got = function(xs, made, mode="INTERPRET")(A, X)
    np.testing.assert_allclose(got[0], A @ X[:3])
    np.testing.assert_allclose(got[1], X @ A)
    np.testing.assert_allclose(T.vecmat(1j * X, A).eval(), -1j * (X @ A))


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(T.cross, [A, B])
    verify_grad(lambda a, v: T.convolve(a, v, "same"), [X, A[0]])
    verify_grad(lambda a, v: T.correlate(a, v, "full"), [X, A[0]])
    verify_grad(lambda a: T.gradient(a, X, axis=0, edge_order=2), [A])
    verify_grad(lambda y, x: T.trapezoid(y, x), [X, X])
    verify_grad(lambda x: T.vander(x, 4), [np.array([0.0, 1.0, -2.0])])
    verify_grad(lambda p, x: T.polyval([p[0], p[1], 2.0], x), [A[0], A])
    verify_grad(lambda y: T.polyfit(X, y, 2), [A])
    verify_grad(T.sinc, [np.array([0.0, 1e-3, 0.2, 1.0, -2.5])])

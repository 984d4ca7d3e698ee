"""Products on a device, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, shared
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated

pytestmark = pytest.mark.needs_cxx
DTYPES = ("float32", "float64", "complex64", "complex128")


def values(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(len(shape))
    real = rng.normal(size=shape)
    return (real + 1j * rng.normal(size=shape) if dtype[0] == "c" else real).astype(dtype)


def tolerance(dtype: str) -> float:
    return 1e-5 if dtype in ("float32", "complex64") else 1e-12


def matrix(name: str, dtype: str) -> Any:
    return T.tensor(name, dtype, (None, None))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 7, 2), (40, 33, 70), (2, 0, 3), (0, 2, 2)])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_matrices(dtype: str, sizes: tuple[int, int, int], turned: tuple[bool, bool]) -> None:
    a, b = matrix("a", dtype), matrix("b", dtype)
    m, k, n = sizes
    left, right = values(dtype, m, k), values(dtype, k, n)
    f = emulated([a, b], T.dot(a.T if turned[0] else a, b.T if turned[1] else b))
    mine = f(left.T.copy() if turned[0] else left, right.T.copy() if turned[1] else right)
    np.testing.assert_allclose(mine, left @ right, rtol=tolerance(dtype), atol=tolerance(dtype) * 9)


@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors(dtype: str) -> None:
    a, u, v = matrix("a", dtype), T.tensor("u", dtype, (None,)), T.tensor("v", dtype, (None,))
    left, right, A = values(dtype, 5), values(dtype, 4), values(dtype, 5, 4)
    outputs = [T.dot(a, v), T.dot(u, a), T.dot(u[::-1], a), T.outer(u, v), T.dot(u, u[::-1])]
    mine = emulated([a, u, v], outputs)(A, left, right)
    wanted = [A @ right, left @ A, left[::-1] @ A, np.outer(left, right), left @ left[::-1]]
    for result, expected in zip(mine, wanted, strict=True):
        np.testing.assert_allclose(result, expected, rtol=tolerance(dtype), atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_batches(dtype: str) -> None:
    a, b = T.tensor("a", dtype, (None,) * 3), T.tensor("b", dtype, (None,) * 3)
    left, right = values(dtype, 3, 4, 5), values(dtype, 3, 5, 2)
    mine = emulated([a, b], T.batched_dot(a, b))(left, right)
    np.testing.assert_allclose(mine, left @ right, rtol=tolerance(dtype), atol=1e-5)


def test_factors_and_sums() -> None:
    a, b, c = T.fmatrices("a", "b", "c")
    left, right, start = (values("float32", *shape) for shape in ((3, 4), (4, 5), (3, 5)))
    mine = emulated([a, b, c], [2 * T.dot(a, b) + 3 * c, c - T.dot(a, b)])(left, right, start)
    np.testing.assert_allclose(mine[0], 2 * (left @ right) + 3 * start, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(mine[1], start - left @ right, rtol=1e-5, atol=1e-5)


def test_nothing_of_what_is_overwritten_is_read() -> None:
    """New memory of the emulated device has no numbers."""
    a = T.fmatrix("a")
    assert np.isfinite(emulated([a], T.dot(a, a))(np.ones((30, 30), "float32"))).all()


def test_nan_and_infinities() -> None:
    a, b = T.dmatrices("a", "b")
    left = np.array([[np.inf, 0.0], [np.nan, 1.0], [1.0, 2.0]])
    right = np.array([[0.0, 1.0], [1.0, -np.inf]])
    with np.errstate(invalid="ignore"):
        expected = left @ right
    np.testing.assert_array_equal(emulated([a, b], T.dot(a, b))(left, right), expected)


def test_no_product_is_the_hosts() -> None:
    x, W = T.fmatrix("x"), shared(values("float32", 4, 4), "W")
    hidden = T.tanh(T.dot(x, W))
    program = cuda_program([x], [T.dot(hidden, W), T.dot(x[0], W), hidden.sum()])
    assert not any(isinstance(s, Call) for s in walk(program.body))


def test_products_in_loops() -> None:
    from symtheano import scan

    W, h = T.dmatrix("W"), T.dvector("h")
    states, _ = scan(lambda state, W: T.tanh(T.dot(state, W)), outputs_info=h, non_sequences=W,
                     n_steps=4)  # fmt: skip
    assert_emulated([W, h], states, [values("float64", 3, 3), values("float64", 3)])


def test_what_is_borrowed_is_there() -> None:
    x, W = T.fmatrix("x"), shared(values("float32", 3, 3), "W")
    f = emulated([x], Out(T.dot(x, W), borrow=True))
    assert f.stages.link().record.resident == ((1,), (0,))
    f(values("float32", 2, 3))
    result = f(f(values("float32", 2, 3)))
    there = values("float32", 2, 3) @ W.get_value() @ W.get_value()
    np.testing.assert_allclose(result, there, rtol=1e-4)

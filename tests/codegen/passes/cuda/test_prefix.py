"""Prefix: running sums and products on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.loopir import Launch
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program, emulated

pytestmark = pytest.mark.needs_cxx
LENGTHS = (0, 1, 2, 63, 64, 65, 255, 256, 257, 1000, 4095, 4097, 9000)


def values(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(5).uniform(-2, 2, size=shape).astype(dtype)


def tolerance(dtype: str) -> float:
    return 2e-4 if dtype in ("float32", "complex64") else 1e-10


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "complex64"])
def test_a_vector(dtype: str) -> None:
    x = T.tensor("x", dtype, (None,))
    f = emulated([x], T.cumsum(x))
    for length in LENGTHS:
        array = values(dtype, length)
        np.testing.assert_allclose(f(array), np.cumsum(array, dtype=f(array).dtype),
                                   rtol=tolerance(dtype), atol=tolerance(dtype) * 99)  # fmt: skip


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["float64", "int16"])
def test_axes(axis: int, dtype: str) -> None:
    x = T.tensor("x", dtype, (None,) * 3)
    f = emulated([x], [T.cumsum(x, axis=axis), T.cumprod(x, axis=axis)])
    for shape in (
        (2, 3, 300),
        (300, 2, 3),
        (2, 300, 1),
        (3, 2, 5),
        (0, 2, 3),
        (2, 0, 3),
        (1, 1, 70),
    ):
        array = (values(dtype, *shape) / 2 + 1).astype(dtype)
        sums, products = f(array)
        np.testing.assert_allclose(sums, np.cumsum(array, axis=axis), rtol=1e-10)
        np.testing.assert_allclose(products, np.cumprod(array, axis=axis), rtol=1e-8)


def test_signs_of_zeros_nan_and_infinities() -> None:
    x = T.dvector("x")
    f = emulated([x], T.cumsum(x))
    assert np.signbit(f([-0.0, -0.0, 0.0])).tolist() == [True, True, False]
    array = np.ones(600)
    array[300], array[500] = np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(f(array), np.cumsum(array))
    array[10] = np.nan
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(f(array), np.cumsum(array))


def test_sums_that_wrap_around() -> None:
    x = T.lvector("x")
    array = np.full(5000, np.iinfo("int64").max // 7)
    np.testing.assert_array_equal(emulated([x], T.cumsum(x))(array), np.cumsum(array))


def test_each_run_has_the_same_bits() -> None:
    x = T.fvector("x")
    f = emulated([x], T.cumsum(x))
    array = values("float32", 20_000)
    assert len({f(array).tobytes() for _ in range(3)}) == 1


def test_halves_are_added_in_order() -> None:
    x = T.tensor("x", "float16", (None,))
    array = values("float16", 500)
    expected = np.cumsum(array, dtype="float16")
    np.testing.assert_array_equal(emulated([x], T.cumsum(x))(array), expected)


def test_what_is_launched() -> None:
    x, rows = T.fvector("x"), T.fmatrix("rows")

    def launches(variable: Any) -> list[Launch]:
        program = cuda_program([variable], T.cumsum(variable, axis=-1))
        return [s for f in program.functions for s in walk(f.body) if isinstance(s, Launch)]

    assert [launch.threads for launch in launches(x)] == [256, 1, 256]
    short, long = launches(rows)
    assert (short.steps, long.steps) == ((256,), (1,))


def test_gradients() -> None:
    from symtheano import grad

    x = T.dmatrix("x")
    cost = T.sqr(T.cumsum(x, axis=1)).sum() + T.cumprod(x, axis=0).sum()
    array = values("float64", 70, 80)
    slopes = emulated([x], grad(cost, x))(array)
    here = T.grad(cost, x).eval({x: array})
    np.testing.assert_allclose(slopes, here, rtol=1e-8, atol=1e-8)

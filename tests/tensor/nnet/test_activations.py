"""Activations at extreme values, with their gradients, in every precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc


FUNCTIONS = {
    "elu": T.nnet.elu, "selu": T.nnet.selu, "gelu": T.nnet.gelu, "silu": T.nnet.silu,
    "tanh gelu": lambda x: T.nnet.gelu(x, approximate=True), "mish": T.nnet.mish,
    "softsign": T.nnet.softsign, "swish": lambda x: T.nnet.swish(x, 0.3),
}  # fmt: skip


RIGHT = {"selu": 1.0507009873554805, "softsign": 0.0}


"""The slope far to the right, where it is not one."""


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_slopes_far_from_zero_are_finite(dtype: str) -> None:
    x = T.vector("x", dtype)
    largest = float(np.finfo(dtype).max)
    far = [300.0, 1000.0, largest / 2, largest]
    outputs: list[Any] = []
    for function in FUNCTIONS.values():
        y = function(x)
        assert y.dtype == dtype
        slope = grad(y.sum(), x)
        outputs += [y, slope, grad(slope.sum(), x)]
    values = np.array([*far, *(-item for item in far)], dtype)
    found = compiled([x], outputs)(values)
    for number, name in enumerate(FUNCTIONS):
        y, slope, curvature = found[3 * number : 3 * number + 3]
        assert np.isfinite(y[:3]).all(), name
        np.testing.assert_allclose(slope[:4], RIGHT.get(name, 1.0), atol=1e-3, err_msg=name)
        np.testing.assert_allclose(slope[4:], 0.0, atol=1e-3, err_msg=name)
        below = np.delete(curvature, [3, 7])  # twice the largest number is infinite
        np.testing.assert_allclose(below, 0.0, atol=1e-3, err_msg=name)


def test_slopes_near_zero_by_differences() -> None:
    x = T.dvector("x")
    points = np.array([-6.0, -1.5, -0.3, 0.4, 2.0, 5.0])
    for name, function in FUNCTIONS.items():
        y = function(x)
        slope = grad(y.sum(), x)
        f = compiled([x], [y, slope, grad(slope.sum(), x)])
        step = 1e-5
        for order in (0, 1):
            difference = (f(points + step)[order] - f(points - step)[order]) / (2 * step)
            np.testing.assert_allclose(
                f(points)[order + 1], difference, rtol=1e-7, atol=1e-9, err_msg=name
            )


def test_softsign_is_one_at_infinity() -> None:
    x = T.dvector("x")
    f = compiled([x], T.nnet.softsign(x))
    found = f(np.array([np.inf, -np.inf, np.nan, 1.0, -0.0]))
    np.testing.assert_array_equal(found, [1.0, -1.0, np.nan, 0.5, -0.0])


def test_slopes_of_channels_are_learned() -> None:
    x, slopes = T.dtensor3("x"), T.dvector("slopes")
    y = T.nnet.prelu(x, slopes)
    f = compiled([x, slopes], [y, *grad((y**2).sum(), [x, slopes])])
    value = np.random.default_rng(5).normal(size=(2, 3, 4))
    alpha = np.array([0.1, 0.0, -2.0])
    got, by_x, by_slope = f(value, alpha)
    want = np.where(value <= 0, alpha[:, None] * value, value)
    np.testing.assert_allclose(got, want)
    np.testing.assert_allclose(by_x, 2 * want * np.where(value <= 0, alpha[:, None], 1))
    np.testing.assert_allclose(by_slope, (2 * want * np.minimum(value, 0)).sum((0, 2)))
    with pytest.raises(ValueError, match="axis"):
        T.nnet.prelu(T.dvector("v"), slopes)


def test_slopes_at_nan_are_nan() -> None:
    x = T.dvector("x")
    functions = (T.nnet.elu, T.nnet.selu, T.nnet.gelu, T.nnet.silu, T.nnet.mish)
    slopes = [grad(function(x).sum(), x) for function in functions]
    for found in compiled([x], slopes)(np.array([np.nan, 1.0])):
        np.testing.assert_array_equal(np.isnan(found), [True, False])

"""Images enlarged by bilinear interpolation: against NumPy's interpolation along both axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.gradient import verify_grad

pytestmark = pytest.mark.needs_cc


def interpolated(x: Any, axis: int, ratio: int, every: int = 1) -> Any:
    """Return an axis enlarged, its last elements repeated outside of it."""
    count = x.shape[axis]
    places = (np.arange(0, count * ratio, every) - (ratio - 1) // 2) / ratio

    def line(values: Any) -> Any:
        return np.interp(places, np.arange(count), values)

    return np.apply_along_axis(line, axis, x)


def images(shape: Any, seed: int = 0) -> Any:
    """Return random images."""
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("ratio", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("one", [True, False])
def test_by_integers(ratio: int, one: bool) -> None:
    x = T.dtensor4("x")
    f = function([x], T.nnet.bilinear_upsampling(x, ratio, use_1D_kernel=one))
    for shape in ((2, 3, 4, 5), (1, 1, 1, 1), (0, 2, 3, 3)):
        value = images(shape)
        found = f(value)
        assert found.shape == (*shape[:2], shape[2] * ratio, shape[3] * ratio)
        if value.size:
            expected = interpolated(interpolated(value, 2, ratio), 3, ratio)
            np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("given", [(3, 2), (4, 2), ((5, 3), (2, 3)), ((1, 2), (7, 4)), [9, 6]])
def test_by_fractions(given: Any) -> None:
    x = T.dtensor4("x")
    pairs = np.array(given if np.ndim(given) == 2 else [given, given])
    pairs = pairs // np.gcd(*pairs.T)[:, None]
    outputs = [
        T.nnet.bilinear_upsampling(x, frac_ratio=given),
        T.nnet.frac_bilinear_upsampling(x, given),
    ]
    value = images((2, 1, 5, 4))
    expected = interpolated(interpolated(value, 2, *pairs[0]), 3, *pairs[1])
    for found in function([x], outputs)(value):
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_dtypes_and_lengths() -> None:
    x, n = T.ftensor4("x"), T.TensorType("uint8", (None,) * 4)("n")
    made = T.nnet.bilinear_upsampling(x, T.constant(2), batch_size=2, num_input_channels=3)
    assert made.type.shape[:2] == (2, 3)
    f = function([x], made)
    assert f(images((2, 3, 2, 2)).astype("float32")).dtype == "float32"
    with pytest.raises(ValueError, match="bilinear_upsampling: axis 0 was declared"):
        f(images((3, 3, 2, 2)).astype("float32"))
    whole = function([n], T.nnet.bilinear_upsampling(n, 2))(np.full((1, 1, 2, 2), 200, "uint8"))
    assert whole.dtype == config.floatX
    np.testing.assert_allclose(whole, 200)


def test_gradients() -> None:
    rng = np.random.default_rng(1)
    value = images((1, 2, 3, 2))
    verify_grad(lambda x: T.nnet.bilinear_upsampling(x, 3), [value], rng=rng, mode="INTERPRET")
    verify_grad(
        lambda x: T.nnet.frac_bilinear_upsampling(x, (3, 2)), [value], rng=rng, mode="INTERPRET"
    )


def test_kernels() -> None:
    n = T.lscalar("n")
    one = function([n], [T.nnet.bilinear_kernel_1D(n), T.nnet.bilinear_kernel_1D(n, False)])
    for count in (1, 2, 5):
        pyramid = count - abs(np.arange(1 - count, count))
        for found, expected in zip(one(count), (pyramid / count, pyramid), strict=True):
            np.testing.assert_allclose(found, expected)
    two = T.nnet.bilinear_kernel_2D((2, 3)).eval()
    np.testing.assert_allclose(two, np.outer([1, 2, 1], [1, 2, 3, 2, 1]) / 6)
    assert two.dtype == config.floatX


@pytest.mark.parametrize(
    "arguments",
    [{}, {"ratio": 2, "frac_ratio": (3, 2)}, {"ratio": 0}, {"ratio": 1.5}, {"frac_ratio": 3},
     {"frac_ratio": (3, 0)}, {"frac_ratio": ((3, 2), (1, 2), (1, 2))}, {"ratio": T.lscalar("r")}],
)  # fmt: skip
def test_no_ratios(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="bilinear_upsampling"):
        T.nnet.bilinear_upsampling(T.dtensor4("x"), **arguments)
    with pytest.raises(TypeError, match="items, channels, rows, columns"):
        T.nnet.bilinear_upsampling(T.dmatrix("x"), 2)

"""Kernels and arguments of convolutions."""

from __future__ import annotations

import itertools
import re
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
from symtheano import nn
from tests.nn.layers.channels import LAST


def convolved(x: Any, kernel: Any, strides: Any, rates: Any, groups: int) -> Any:
    """Return a convolution of (n, rows, columns, channels) by Keras' kernel, padding "same"."""
    rows, columns, each, filters = kernel.shape
    sizes, zeros = [], []
    for n, k, s, d in zip(x.shape[1:3], kernel.shape, strides, rates, strict=False):
        sizes.append(-(-n // s))
        total = max((sizes[-1] - 1) * s + (k - 1) * d + 1 - n, 0)
        zeros.append((total // 2, total - total // 2))
    x = np.pad(x, ((0, 0), *zeros, (0, 0)))
    y = np.zeros((len(x), *sizes, filters))
    for n, i, j, f in itertools.product(*map(range, y.shape)):
        channels = slice(f // (filters // groups) * each, (f // (filters // groups) + 1) * each)
        for a, b in itertools.product(range(rows), range(columns)):
            part = x[n, i * strides[0] + a * rates[0], j * strides[1] + b * rates[1], channels]
            y[n, i, j, f] += part @ kernel[a, b, :, f]
    return y


@pytest.mark.parametrize(
    ("strides", "rates", "groups"),
    [((1, 1), (1, 1), 1), ((2, 1), (1, 1), 2), ((1, 1), (2, 3), 2), ((3, 2), (1, 1), 1)],
)
def test_convolution_of_a_kernel_of_keras(strides: Any, rates: Any, groups: int) -> None:
    rng = np.random.default_rng(0)
    data = rng.normal(size=(2, 7, 5, 4))
    kernel = rng.normal(size=(3, 2, 4 // groups, 6))
    layer = nn.Conv2D(6, (3, 2), strides, "same", rates, groups, **LAST)
    x = nn.Input((7, 5, 4), "float64")
    y = layer(x)
    layer.kernel.set_value(np.moveaxis(kernel, (-1, -2), (0, 1)))
    f = symtheano.function([x.test], y.test)
    assert_allclose(f(data), convolved(data, kernel, strides, rates, groups), rtol=1e-10)
    assert f(data[:0]).shape == (0, *y.shape)


@pytest.mark.parametrize(
    ("layer", "shape", "hint"),
    [
        (nn.Conv2D(4, 3), (28, 30), "nn.Reshape((1, 28, 30))"),
        (nn.Conv2D(4, 3, data_format="channels_last"), (28, 30), "nn.Reshape((28, 30, 1))"),
        (nn.MaxPool1D(2), (28,), "nn.Reshape((1, 28))"),
    ],
)
def test_images_without_channels(layer: Any, shape: tuple[int, ...], hint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"; {hint} before it adds the axis of one")):
        layer(nn.Input(shape))
    (lengths,) = re.findall(r"\(\((.*)\)\)", hint)
    layer(nn.Reshape(tuple(map(int, lengths.split(", "))))(nn.Input(shape)))


def test_the_order_of_arguments_in_torch_is_noticed() -> None:
    text = r"Conv2D\(3, 16, 5\) is in the order of torch, .*\(16, 5\)"
    with pytest.warns(UserWarning, match=text):
        nn.Conv2D(3, 16, 5)(nn.Input((3, 32, 32)))
    with pytest.raises(ValueError, match=r"does not fit .* write Conv1D\(16, 3\)"):
        nn.Conv1D(3, 16, 3)(nn.Input((3, 12)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.Conv2D(16, 5, 3)(nn.Input((3, 32, 32)))
        nn.Conv2D(3, 4, 2)(nn.Input((3, 32, 32)))
        nn.Conv2D(3, 16, 16)(nn.Input((3, 32, 32)))

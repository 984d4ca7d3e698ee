"""Kernels that are computed: lengths and directions, singular values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
from symtheano import nn


@pytest.mark.parametrize("kind", ["dense", "conv", "transposed"])
def test_weight_norm_begins_as_the_layer(kind: str) -> None:
    make = {
        "dense": lambda: nn.Dense(4),
        "conv": lambda: nn.Conv1D(4, 3),
        "transposed": lambda: nn.Conv1DTranspose(4, 3),
    }[kind]
    shape = (6,) if kind == "dense" else (2, 5)
    x = nn.Input(shape, "float64", seed=0)
    inner, plain = make(), make()
    layer = nn.WeightNorm(inner)
    y, z = layer(x), plain(x)
    assert layer.length.get_value().shape == (4,)
    plain.kernel.set_value(inner.kernel.get_value())
    f = symtheano.function([x.test], [y.test, z.test], mode="INTERPRET")
    data = np.random.default_rng(1).normal(size=(3, *shape))
    left, right = f(data)
    assert_allclose(left, right, rtol=1e-12, atol=1e-14)
    inner.kernel.set_value(2 * inner.kernel.get_value())
    assert_allclose(f(data)[0], left, rtol=1e-12, atol=1e-14)
    layer.length.set_value(3 * layer.length.get_value())
    assert_allclose(f(data)[0], 3 * left, rtol=1e-12, atol=1e-14)


def test_spectral_norm_is_one_after_some_batches() -> None:
    x = nn.Input((6,), "float64", seed=0)
    inner = nn.Dense(4, use_bias=False, kernel_initializer="normal")
    layer = nn.SpectralNorm(inner)
    y = layer(x)
    train = symtheano.function([x.train], y.train, updates=y.updates, mode="INTERPRET")
    for _ in range(200):
        train(np.ones((1, 6)))
    matrix = y.test.eval({x.test: np.eye(6)})
    assert_allclose(np.linalg.svd(matrix)[1][0], 1, rtol=1e-9)
    largest = np.linalg.svd(inner.kernel.get_value())[1][0]
    assert_allclose(matrix, inner.kernel.get_value() / largest, rtol=1e-9)


def test_other_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="takes a dense layer or a convolution, not Flatten"):
        nn.WeightNorm(nn.Flatten())
    with pytest.raises(ValueError, match="takes a dense layer or a convolution, not LSTM"):
        nn.SpectralNorm(nn.LSTM(2))

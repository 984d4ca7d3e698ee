"""Activations as layers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano import nn
from tests.nn.layers.cases import FLAT, STEPS
from tests.nn.layers.channels import LAST


def test_a_softmax_is_one_of_the_last_axis() -> None:
    x = nn.Input((4, 5, 3))
    y = nn.Conv2D(6, 1, activation="softmax", **LAST)(x)
    found = y.test.eval({x.test: np.random.default_rng(0).normal(size=(2, 4, 5, 3)).astype("f")})
    assert_allclose(found.sum(-1), np.ones((2, 4, 5)), rtol=1e-6)


@pytest.mark.parametrize(
    "activation", ["leaky_relu", "hard_sigmoid", lambda x: 0.1 * x, nn.LeakyReLU(0.1), nn.ELU(0.3)]
)
def test_activations_keep_float32(activation: Any) -> None:
    assert nn.Dense(2, activation)(nn.Input(FLAT)).train.dtype == "float32"
    assert nn.LSTM(2, activation)(nn.Input(STEPS)).train.dtype == "float32"


def test_a_layer_as_activation() -> None:
    layer = nn.Dense(2, nn.LeakyReLU(0.1), use_bias=False)
    twin = nn.layers.configuration.layer_from(layer.config())
    x = nn.Input(FLAT, "float64", seed=0)
    for one in (layer, twin):
        y = one(x)
        one.kernel.set_value(np.eye(3, 2))
        found = y.test.eval({x.test: np.array([[-1.0, 2.0, 0.0]])})
        assert found.tolist() == [[-0.1, 2.0]]

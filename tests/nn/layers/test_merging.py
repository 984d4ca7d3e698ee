"""Layers that join several values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
from symtheano import nn
from tests.nn.layers.cases import FLAT


@pytest.mark.parametrize("layer", [nn.Add, nn.Multiply, nn.Average, nn.Maximum, nn.Minimum])
def test_layers_of_one_unit_are_broadcast(layer: Callable[[], nn.Layer]) -> None:
    x = nn.Input(FLAT, "float64", seed=0)
    one, several = nn.Dense(1)(x), nn.Dense(3)(x)
    numpy = {
        nn.Add: np.add,
        nn.Multiply: np.multiply,
        nn.Maximum: np.maximum,
        nn.Minimum: np.minimum,
    }
    y = layer()(one, several)
    data = np.arange(6.0).reshape(2, 3)
    function = symtheano.function([x.test], [one.test, several.test, y.test], mode="INTERPRET")
    left, right, found = function(data)
    want = (left + right) / 2 if layer is nn.Average else numpy[layer](left, right)  # type: ignore[index]
    assert_allclose(found, want)
    assert nn.Subtract()(several, one).shape == (3,)

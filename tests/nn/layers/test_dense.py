"""Products with a matrix along the last axis, activations and functions as layers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano import nn


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3)])
def test_the_product_is_along_the_last_axis(shape: tuple[int, ...]) -> None:
    layer, x = nn.Dense(2, "tanh", bias_initializer="ones"), nn.Input(shape, seed=0)
    y = layer(x)
    data = np.random.default_rng(0).normal(size=(5, *shape)).astype("float32")
    kernel, bias = layer.get_weights()
    assert_allclose(y.test.eval({x.test: data}), np.tanh(data @ kernel + bias), rtol=1e-5)
    assert y.shape == (*shape[:-1], 2)


def test_without_a_bias() -> None:
    layer = nn.Dense(2, use_bias=False)
    layer(nn.Input((3,)))
    assert [item.name for item in layer.parameters] == ["kernel"]


def test_the_last_axis_must_be_known() -> None:
    with pytest.raises(ValueError, match="dense"):
        nn.Dense(2)(nn.Input((None,)))

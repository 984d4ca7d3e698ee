"""What layers own: parameters, states and inner layers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import nn


class Twice(nn.Layer):
    """An inner layer, applied twice."""

    def __init__(self, inner: nn.Layer) -> None:
        super().__init__()
        self.inner = inner

    def build(self, shape: Any) -> None:
        self.build_part(self.inner, "inner/", shape)

    def call(self, x: Any, training: bool) -> Any:
        once = self.apply_part(self.inner, x, training=training)
        return self.apply_part(self.inner, once, training=training)


def test_parameters_of_inner_layers() -> None:
    layer = Twice(nn.Dense(3, name="kept"))
    y = layer(nn.Input((3,), seed=0))
    assert [p.name for p in layer.parameters] == ["inner/kernel", "inner/bias"]
    assert [str(v) for v in y.parameters] == ["twice/inner/kernel", "twice/inner/bias"]
    assert layer.built
    with pytest.raises(ValueError, match="a layer that was not called yet, but 'kept' has param"):
        Twice(layer.inner)(nn.Input((3,)))


def test_weights() -> None:
    layer = nn.Dense(2)
    layer(nn.Input((3,), seed=0))
    kernel, bias = layer.get_weights()
    layer.set_weights([kernel + 1, bias])
    np.testing.assert_array_equal(layer.get_weights()[0], kernel + 1)
    with pytest.raises(ValueError, match="Dense 'dense': set_weights"):
        layer.set_weights([kernel])


def test_names_of_parameters_follow_that_of_the_layer() -> None:
    layer = nn.Dense(2)
    layer(nn.Input((3,)))
    layer.rename("top")
    assert [p.variable.name for p in layer.parameters] == ["top/kernel", "top/bias"]


def test_parameters_need_a_shape() -> None:
    with pytest.raises(ValueError, match="create it in the method build"):
        nn.Dense(2).add_weight((3,))

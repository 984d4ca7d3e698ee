"""Layers as text and as data for JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.layers.configuration import LAYERS, layer_from, same


@dataclass(eq=False)
class Scaled(nn.Layer):
    """A layer with an array among its arguments."""

    factor: Any = None

    def call(self, x: Any) -> Any:
        return x * self.factor


class Plain(nn.Layer):
    """A layer with a constructor of its own."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units

    def __repr__(self) -> str:
        return f"Plain of {self.units}"


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (nn.Dense(3), "Dense(units=3)"),
        (nn.Dense(3, "relu", name="top"), "Dense(units=3, activation='relu', name='top')"),
        (
            nn.Conv2D(8, 3, data_format="channels_last", trainable=False),
            "Conv2D(filters=8, kernel_size=3, trainable=False, data_format='channels_last')",
        ),
        (nn.Dropout(0.5), "Dropout()"),
        (nn.Dropout(0.2), "Dropout(rate=0.2)"),
        (nn.Bidirectional(nn.LSTM(4)), "Bidirectional(layer=LSTM(units=4))"),
        (Scaled(np.ones(2)), "Scaled(factor=array([1., 1.]))"),
        (Plain(3), "Plain of 3"),
    ],
)
def test_text_has_the_arguments_that_differ_from_their_defaults(layer: nn.Layer, text: str) -> None:
    assert repr(layer) == text


def test_configurations_are_json() -> None:
    layer = nn.Dense(3, "relu", kernel_regularizer=nn.L2(0.1), name="top")
    config = json.loads(json.dumps(layer.config()))
    assert config == {
        "class": "Dense", "name": "top", "units": 3, "activation": "relu",
        "kernel_regularizer": {"class": "L2", "rate": 0.1},
    }  # fmt: skip
    assert repr(layer_from(config)) == repr(layer)
    assert Scaled(np.ones(2)).config()["factor"] == [1.0, 1.0]


def test_layers_are_registered_by_their_names() -> None:
    assert LAYERS["Scaled"] is Scaled
    assert not {"Layer", "Owner", "Configured", "Formatted"} & set(LAYERS)


def test_equal_arguments() -> None:
    assert same("relu", "relu")
    assert not same(np.ones(2), np.ones(2))

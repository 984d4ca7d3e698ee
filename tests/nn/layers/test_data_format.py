"""Layers without a data_format take that of their input, if it is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from tests.nn.layers.channels import LAST, stem

IMAGES = np.random.default_rng(0).normal(size=(4, 10, 9, 3)).astype("float32")


class Doubled(nn.Layer):
    """A layer of the user that keeps the shape."""

    def call(self, x: Any) -> Any:
        return 2 * x


class Moved(nn.Layer):
    """A layer of the user that puts the channels first."""

    def call(self, x: Any) -> Any:
        return x.dimshuffle(0, 3, 1, 2)


KEEP: dict[str, Any] = {
    "dropout": nn.Dropout,
    "activation": lambda: nn.Activation("relu"),
    "relu": nn.ReLU,
    "dense": lambda: nn.Dense(5),
    "layer norm": nn.LayerNorm,
    "batch norm": nn.BatchNorm,
    "spatial dropout": nn.SpatialDropout2D,
    "noise": lambda: nn.GaussianNoise(0.1),
    "upsampling": nn.UpSampling2D,
    "lambda": lambda: nn.Lambda(T.tanh),
    "a layer of the user": Doubled,
    "normalized weights": lambda: nn.WeightNorm(nn.Conv2D(4, 1)),
}


@pytest.mark.parametrize("name", KEEP)
def test_the_format_is_passed_on(name: str) -> None:
    y = KEEP[name]()(stem())
    assert y.data_format == "channels_last"
    pooled = nn.GlobalAveragePool()(y)
    assert pooled.shape == y.shape[-1:]
    assert pooled.data_format is None


def test_values_of_several_inputs() -> None:
    y = stem()
    again = nn.Conv2D(6, 1)(y)
    for both in (y + again, nn.Concatenate()(y, again), nn.Multiply()(y, nn.Reshape((1, 1, 6))(
        nn.GlobalMaxPool()(again)
    ))):  # fmt: skip
        assert both.data_format == "channels_last"
    first = nn.Conv2D(6, 1, data_format="channels_first")(nn.Input((3, 8, 7), seed=0))
    assert first.data_format == "channels_first"
    square = nn.Conv2D(8, 1, **LAST)(nn.Input((6, 7, 3)))
    assert nn.Concatenate(1)(square, nn.Reshape((1, 7, 8))(nn.Input(56))).data_format is not None
    assert nn.Add()(nn.Reshape((6, 8, 7))(first), nn.Reshape((6, 8, 7))(square)).data_format is None
    other = nn.Conv2D(8, 1, data_format="channels_first")(nn.Input((3, 7, 8)))
    assert nn.Add()(nn.Conv2D(8, 1, **LAST)(nn.Input((8, 7, 3))), other).data_format is None


def test_layers_that_move_axes_do_not_pass_it_on() -> None:
    for layer in (
        nn.Permute((3, 1, 2)), nn.Reshape((8, 7, 6)), nn.Flatten(), Moved(),
        nn.Lambda(lambda x: x.dimshuffle(0, 3, 1, 2), shape=(6, 8, 7)),
    ):  # fmt: skip
        assert layer(stem()).data_format is None
    assert nn.MaxPool2D(2)(Moved()(stem())).shape == (6, 4, 3)


def test_an_explicit_argument_wins() -> None:
    y = stem()
    assert nn.MaxPool2D(2, data_format="channels_first")(y).shape == (8, 3, 3)
    layer = nn.BatchNorm(axis=1)
    layer(y)
    assert layer.gamma.get_value().shape == (8,)
    layer = nn.BatchNorm(data_format="channels_first")
    assert layer(y).data_format == "channels_first"
    assert layer.gamma.get_value().shape == (8,)


def test_steps_are_kept() -> None:
    h = nn.Conv1D(4, 3, **LAST)(nn.Input((9, 2), seed=0))
    h = nn.MaxPool1D(2)(nn.LSTM(5, return_sequences=True)(h))
    assert h.shape == (3, 5)
    films = nn.TimeDistributed(nn.Conv2D(4, 3, **LAST))(nn.Input((None, 8, 8, 3), seed=0))
    films = nn.TimeDistributed(nn.BatchNorm())(nn.TimeDistributed(nn.MaxPool2D(2))(films))
    assert films.shape == (None, 3, 3, 4)
    assert films.data_format == "channels_last"
    rows = nn.TimeDistributed(nn.GlobalAveragePool())(films)
    assert rows.shape == (None, 4)
    assert rows.data_format is None


def network(**options: Any) -> nn.Sequential:
    """Return a network whose layers say the format, or only the first one."""
    layers = [
        nn.Conv2D(8, 3, activation="relu", **LAST), nn.BatchNorm(**options),
        nn.SpatialDropout2D(0.2, **options), nn.MaxPool2D(2, **options),
        nn.SeparableConv2D(4, 2, **options), nn.DepthwiseConv2D(2, **options),
        nn.GroupNorm(2, **options), nn.GlobalAveragePool(**options), nn.Dense(2, "softmax"),
    ]  # fmt: skip
    made = nn.Sequential(layers, seed=0)
    made.compile("categorical_crossentropy", "adam", backend="numpy")
    return made


def test_results_are_those_of_explicit_arguments() -> None:
    y = np.array([0, 1, 0, 1])
    short, explicit = network(), network(**LAST)
    for made in (short, explicit):
        made.fit(IMAGES, y, epochs=2, verbose=0)
    want = explicit.predict(IMAGES)
    assert (short.predict(IMAGES) == want).all()
    assert (nn.Model.from_bytes(short.model.to_bytes()).predict(IMAGES) == want).all()
    described = [layer.config() for layer in short.layers]
    assert described == [layer.config() for layer in explicit.layers]
    short.layers[1].trainable = explicit.layers[1].trainable = False
    for made in (short, explicit):
        made.fit(IMAGES, y, verbose=0)
    want = explicit.predict(IMAGES)
    assert (short.predict(IMAGES) == want).all()
    again = nn.Model.from_network(short.network.again())  # compiled, with other rounding
    assert np.allclose(again.predict(IMAGES), want, rtol=1e-4)


def test_a_layer_of_a_submodel_takes_it_too() -> None:
    inner = nn.Sequential([nn.MaxPool2D(2), nn.GlobalAveragePool()])
    outer = nn.Sequential([nn.Conv2D(6, 3, **LAST), inner], seed=0)
    assert outer.predict(IMAGES).shape == (4, 6)

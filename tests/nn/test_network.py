"""Networks: names of layers, layers applied again, and descriptions as data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from symtheano import nn


def branches() -> nn.Network:
    """Return a network with two inputs, a shared layer and two outputs."""
    left, right = nn.Input((3,), name="left", seed=4), nn.Input((3,), name="right")
    shared = nn.Dense(4, "tanh", kernel_initializer=nn.HeNormal(), kernel_regularizer=nn.L2(0.1))
    both = nn.Concatenate()(shared(left), shared(right))
    first = nn.Dense(2, "softmax")(nn.Dropout(0.25)(both))
    return nn.Network([left, right], [first, nn.BatchNorm()(both)])


def test_layers_of_one_name_are_numbered() -> None:
    network = branches()
    assert [layer.name for layer in network.layers] == [
        "dense", "concatenate", "dropout", "dense_1", "batch_norm",
    ]  # fmt: skip
    assert network.layers[3].parameters[0].variable.name == "dense_1/kernel"


def test_a_missing_input_is_an_error() -> None:
    x, y = nn.Input((2,), name="x"), nn.Input((2,), name="y")
    with pytest.raises(ValueError, match="not among the inputs"):
        nn.Network([x], [x + y])


def test_a_description_makes_an_equal_network() -> None:
    network = branches()
    config = json.loads(json.dumps(network.config()))
    again = nn.Network.from_config(config)
    assert again.config() == config
    assert [v.shape for v in again.values] == [v.shape for v in network.values]
    for old, new in zip(network.parameters, again.parameters, strict=True):
        assert np.array_equal(old.variable.get_value(), new.variable.get_value())
    assert again.layers[0].kernel_regularizer.config() == nn.L2(0.1).config()  # type: ignore[attr-defined]


def test_functions_cannot_be_described() -> None:
    x = nn.Input((2,))
    with pytest.raises(TypeError, match=r"Lambda 'lambda' cannot be saved: function is"):
        nn.Network([x], [nn.Lambda(lambda x: x)(x)]).config()


def test_unknown_layers_are_named() -> None:
    config = branches().config()
    config["layers"][0]["class"] = "Densse"
    with pytest.raises(ValueError, match="unknown layer 'Densse'; did you mean 'Dense'"):
        nn.Network.from_config(config)


def test_layers_applied_again_see_that_they_are_frozen() -> None:
    network = branches()
    assert len(network.updates) == 2
    network.layers[4].trainable = False
    again = network.again()
    assert again.updates == {}
    assert again.layers == network.layers
    assert [p for p in again.parameters if p.trains] == network.parameters[:4]

"""Activation functions as names and as objects."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn import activations

X = np.linspace(-2, 2, 12, dtype="float32").reshape(4, 3)


@pytest.mark.parametrize("name", activations.TABLE)
def test_an_object_is_the_function_of_its_name(name: str) -> None:
    function = getattr(nn.activations, name)
    assert function is activations.get(name)
    assert activations.get(activations.name_of(function)) is function
    assert name in dir(nn.activations)


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "gelu_tanh", "softmax"])
def test_layers_take_objects_and_files_have_their_names(name: str) -> None:
    x = nn.Input((3,), seed=0)
    layer = nn.Dense(4, activation=getattr(nn.activations, name))
    model = nn.Model(x, layer(x))
    assert layer.config()["activation"] == name
    for twin in (nn.Model.from_bytes(model.to_bytes()), pickle.loads(pickle.dumps(model))):
        assert_array_equal(twin.predict(X), model.predict(X))


def test_functions_that_are_none_of_the_table_are_no_data() -> None:
    assert activations.name_of(lambda x: x) is None
    with pytest.raises(TypeError, match="cannot be saved"):
        nn.Dense(2, activation=T.sqr).config()


def test_names_that_are_none() -> None:
    with pytest.raises(AttributeError, match="did you mean sigmoid"):
        _ = nn.activations.sigmoidd


def test_linear_is_a_layer_or_the_identity() -> None:
    x = nn.Input((3,), seed=0)
    made: Any = nn.linear(x, 2, use_bias=False)
    assert made.shape == (2,)
    assert [p.name for p in made.parameters] == ["dense/kernel"]
    variable = T.fmatrix()
    assert nn.linear(variable) is variable
    assert nn.Dense(3, activation=nn.linear)(x).shape == (3,)
    assert activations.get("linear")(variable) is variable

"""Models as functions of symbolic arrays, as layers of others, and what they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn

X = np.random.default_rng(0).normal(size=(12, 3)).astype("float32")
INTERPRET = symtheano.Mode("interpret", "fast_compile")


def value_of(output: Any, variable: Any, array: Any = X) -> Any:
    """Return what an output is at test."""
    return output.test.eval({variable: array}, mode=INTERPRET)


def encoder() -> nn.Model:
    """Return a model of two layers, with parameters."""
    model = nn.Model(seed=0, name="encoder")
    model.add(nn.Dense(4, "tanh"))
    model.add(nn.Dense(2, name="codes"))
    model.build((3,))
    return model


def test_inputs_and_outputs_are_values_of_the_network() -> None:
    model = encoder()
    assert [value.shape for value in model.inputs] == [(3,)]
    assert [value.shape for value in model.outputs] == [(2,)]
    found = value_of(model.outputs[0], model.inputs[0].test)
    assert_allclose(found, model.predict(X), rtol=1e-6)


def test_inputs_of_a_model_without_a_shape_say_how_to_get_one() -> None:
    model = nn.Model()
    model.add(nn.Dense(2))
    with pytest.raises(ValueError, match=r"add nn.Input\(shape\) first, call build\(shape\)"):
        _ = model.inputs


@pytest.mark.parametrize("variable", [T.fmatrix("x"), T.tensor("float32", shape=(None, 3))])
def test_a_model_of_a_symbolic_array_has_the_same_parameters(variable: Any) -> None:
    model = encoder()
    output = model(variable)
    assert_allclose(value_of(output, variable), model.predict(X), rtol=1e-6)
    kernel = model.layers[0].parameters[0]
    kernel.set_value(np.zeros((3, 4)))
    assert_allclose(value_of(output, variable), np.zeros((12, 2)), atol=1e-7)


def test_a_model_is_not_called_with_numbers() -> None:
    with pytest.raises(TypeError, match=r"the model 'encoder'.*predict\(x\) takes arrays"):
        encoder()(X)


def test_a_graph_of_layers_is_called_with_a_value_for_each_input() -> None:
    a, b = nn.Input((3,), seed=0), nn.Input((3,))
    model = nn.Model([a, b], [nn.dense(a, 2) + nn.dense(b, 2), nn.dense(a, 1)])
    x, y = nn.Input((3,)), nn.Input((3,))
    for outputs in (model(x, y), model([x, y])):
        assert [output.shape for output in outputs] == [(2,), (1,)]
    with pytest.raises(TypeError, match="takes 2 inputs, not 1"):
        model(x)


@pytest.mark.parametrize("built", [True, False])
def test_a_model_is_a_layer_of_another(built: bool) -> None:
    inner = encoder() if built else nn.Sequential([nn.Dense(4, "tanh"), nn.Dense(2, name="codes")])
    outer = nn.Sequential([inner, nn.Dense(1)], seed=1)
    outer.compile("mse", nn.SGD(0.1), backend="numpy")
    outer.fit(X, X[:, :1], verbose=0)
    assert [type(layer).__name__ for layer in outer.layers] == ["Dense"] * 3
    codes = inner.predict(X)
    kernel, bias = outer.layers[-1].get_weights()
    assert_allclose(outer.predict(X), codes @ kernel + bias, rtol=1e-5)


def test_a_frozen_model_stays_as_it_is_in_another() -> None:
    inner = encoder()
    before = inner.get_weights()
    inner.trainable = False
    x = nn.Input((3,), seed=1)
    outer = nn.Model(x, nn.dense(inner(x), 1))
    outer.compile("mse", nn.SGD(0.1), backend="numpy")
    head = outer.layers[-1].get_weights()
    outer.fit(X, X[:, :1], verbose=0)
    for old, new in zip(before, inner.get_weights(), strict=True):
        assert_array_equal(old, new)
    assert not np.array_equal(head[0], outer.layers[-1].get_weights()[0])
    assert not inner.trainable
    assert outer.trainable


def test_models_in_models_are_saved_with_them() -> None:
    outer = nn.Model(seed=1)
    outer.add(encoder())
    outer.add(nn.Dense(1))
    outer.build((3,))
    assert_array_equal(nn.Model.from_bytes(outer.to_bytes()).predict(X), outer.predict(X))


def test_models_that_are_no_layers() -> None:
    model = encoder()
    with pytest.raises(ValueError, match="a model cannot be added to itself"):
        model.add(model)
    x = nn.Input((3,))
    several = nn.Model(x, [nn.dense(x, 1), nn.dense(x, 2)], name="two heads")
    outer = nn.Model()
    outer.add(several)
    with pytest.raises(ValueError, match="the model 'two heads' has 2 outputs"):
        outer.build((3,))
    with pytest.raises(TypeError, match=r"takes a layer or a model.*write Dense\(\.\.\.\)"):
        model.add(nn.Dense)


def test_a_chain_has_the_input_of_its_first_model() -> None:
    first = nn.Sequential([nn.Input((6,)), nn.Dense(4), nn.Dense(2)], seed=0)
    chain = nn.Sequential([first, nn.Dense(3)], seed=0)
    assert chain.inputs[0].shape == (6,)
    assert chain.inputs[0] is not first.inputs[0]
    assert chain.outputs[0].shape == (3,)
    ends = nn.Model(x := nn.Input((5,), "float64"), nn.Dense(2)(x))
    assert nn.Sequential([ends, nn.Dense(3)]).inputs[0].dtype == "float64"
    unknown = nn.Sequential([nn.Sequential([nn.Dense(2)]), nn.Dense(3)])
    assert not unknown.built


@pytest.mark.parametrize("method", ["call", "forward"])
def test_the_network_of_a_model_is_no_method(method: str) -> None:
    with pytest.raises(NotImplementedError, match=rf"Mine: a method '{method}' does not define"):
        type("Mine", (nn.Model,), {method: lambda self, x: x})

"""Expressions of outputs of layers are inputs of layers and outputs of models."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.expressions import leaves_of, value_of

X = np.random.default_rng(0).normal(size=(5, 4)).astype("float32")


def test_operators_and_functions_between_layers() -> None:
    x = nn.Input((4,), seed=0)
    a = nn.Dense(6)(x)
    h = nn.relu(a * 0.5 + 1)[:, :3] - a[:, 3:]
    model = nn.Model(x, nn.Dense(2)(h))
    first, second = (model.layers[k].get_weights() for k in (0, -1))
    hidden = X @ first[0] + first[1]
    wanted = (np.maximum(hidden * 0.5 + 1, 0)[:, :3] - hidden[:, 3:]) @ second[0] + second[1]
    np.testing.assert_allclose(model.predict(X), wanted, rtol=1e-5, atol=1e-6)
    assert len(model.parameters) == 4


def test_gradients_go_through_expressions() -> None:
    x = nn.Input((4,), seed=0)
    model = nn.Model(x, nn.Dense(1)(nn.Dense(3)(x) ** 2))
    before = model.get_weights()
    model.compile("mse", "adam")
    model.fit(X, X[:, 0], verbose=0)
    assert all((a != b).any() for a, b in zip(before, model.get_weights(), strict=True))


def test_training_and_test_differ_in_expressions_of_dropout() -> None:
    x = nn.Input((4,), seed=0)
    model = nn.Model(x, nn.dropout(x, 0.5) * 1.0)
    (value,) = model.outputs
    assert value.train is not value.test
    np.testing.assert_array_equal(model.predict(X), X)
    assert (value.train.eval({x.train: X}) != X).any()


def test_expressions_of_models() -> None:
    x = nn.Input((4,), seed=0)
    model = nn.Model(x, x / 2)
    np.testing.assert_array_equal(model.predict(X), X / 2)
    with pytest.raises(TypeError, match="Lambda 'truediv' cannot be saved: function is <recorded"):
        model.to_bytes()


def test_an_expression_is_one_value() -> None:
    x = nn.Input((4,), seed=0)
    h = nn.exp(x)
    model = nn.Model(x, [nn.Dense(2)(h), nn.Dense(3)(h)])
    assert [layer.name for layer in model.layers] == ["exp", "dense", "dense_1"]


def test_pickled() -> None:
    x = nn.Input((4,), seed=0)
    model = nn.Model(x, nn.Dense(2)(nn.relu(nn.Dense(3)(x))))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_shapes() -> None:
    images = nn.Input((3, 8, 8))
    assert nn.conv(images * 2.0, 4, 3).shape == (4, 6, 6)
    assert nn.conv(nn.dropout(images, 0.5) * 2.0, 4, 3).shape == (4, 6, 6)
    assert nn.Flatten()(nn.reduce_mean(images, axis=1)).shape == (64,)
    assert nn.LSTM(3)(nn.Input((None, 4))[:, ::2]).shape == (3,)


def test_without_the_axis_of_the_batch() -> None:
    x = nn.Input((4,))
    with pytest.raises(TypeError, match="whose first axis is the batch, but <recorded reduce_mean"):
        nn.Dense(2)(nn.reduce_mean(x))


def test_placeholders_without_a_shape() -> None:
    x = nn.Input((4,))
    with nn.Graph().as_default():
        free = nn.placeholder("float32")
        h: T.TensorVariable = x * free
        with pytest.raises(TypeError, match="<recorded mul>: give placeholders a shape"):
            nn.Dense(2)(h)
        recorded = nn.exp(x) + free
        assert set(leaves_of(recorded)) == {x, free}  # type: ignore[arg-type]
        assert value_of(recorded) is None  # type: ignore[arg-type]


def test_arrays_of_numbers() -> None:
    with pytest.raises(TypeError, match=r"not an array of shape \(5, 4\): model.predict\(x\)"):
        nn.Dense(2)(X)  # type: ignore[arg-type]

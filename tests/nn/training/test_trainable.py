"""Warnings about parameters that training does not change."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import nn

X = np.random.default_rng(0).normal(size=(6, 3)).astype("float32")
Y = X[:, :1]


def texts_of(layers: list[Any], how: str = "fit", x: Any = X, **options: Any) -> list[str]:
    """Return the warnings of training."""
    model = nn.Sequential(layers, seed=0)
    model.compile("mse", "sgd", backend="numpy")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if how == "fit":
            model.fit(x, Y[: len(x)], verbose=0, **options)
        else:
            model.train_on_batch(x, Y[: len(x)])
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("how", ["fit", "train_on_batch"])
def test_a_frozen_model(how: str) -> None:
    (text,) = texts_of([nn.Dense(2, trainable=False), nn.Dense(1, trainable=False)], how)
    assert text.startswith("training: no parameter is trained, since all layers have trainable=F")
    assert texts_of([nn.Dense(2, trainable=False), nn.Dense(1)], how) == []


def test_running_statistics_are_trained_too() -> None:
    only_statistics = nn.BatchNorm(center=False, scale=False)
    assert texts_of([nn.Dense(1, trainable=False), only_statistics]) == []


def test_a_shared_variable_in_an_activation() -> None:
    slope = symtheano.shared(np.float32(0.3), "slope")
    (text,) = texts_of([nn.Dense(2, lambda x: T.switch(x > 0, x, slope * x)), nn.Dense(1)])
    assert text.startswith("Dense 'dense': slope is a shared variable and no parameter, so train")
    assert texts_of([nn.LSTM(2), nn.Dense(1)], x=np.ones((6, 4, 3), "float32")) == []
    assert texts_of([nn.BatchNorm(), nn.Dropout(0.5), nn.SpectralNorm(nn.Dense(1))]) == []


class Plain(nn.Layer):
    """A layer whose factor is no parameter."""

    def build(self, shape: Any) -> None:
        self.w = symtheano.shared(np.ones(shape, "float32"))
        self.unused = symtheano.shared(np.ones(shape, "float32"))
        self.number = 3

    def call(self, x: Any) -> Any:
        return x * self.w


class Listed(nn.Layer):
    """The same, in a list, and with apply."""

    def build(self, *shapes: Any) -> None:
        self.weights = [symtheano.shared(np.ones(shapes[0], "float32"))]

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0] * self.weights[0]


class Registered(nn.Layer):
    """A layer whose factor is a parameter, with a constant besides."""

    def build(self, shape: Any) -> None:
        self.w = self.add_weight(shape, "ones")
        self.constant = symtheano.shared(np.ones(shape, "float32"))

    def call(self, x: Any) -> Any:
        return x * self.w + self.constant


class Counts(nn.Layer):
    """A layer with a state that training sets, and a table of integers."""

    def build(self, shape: Any) -> None:
        self.mean = symtheano.shared(np.zeros(shape, "float32"))
        self.order = symtheano.shared(np.arange(3))

    def call(self, x: Any, training: bool) -> Any:
        if training:
            self.update(self.mean, T.mean(x, axis=0))
        return (x - self.mean)[:, self.order]


@pytest.mark.parametrize("how", ["fit", "train_on_batch"])
def test_shared_variables_that_are_no_parameters(how: str) -> None:
    (text,) = texts_of([Plain(), nn.Dense(1)], how)
    assert text.startswith("Plain 'plain': self.w is a shared variable and no parameter, so ")
    assert "add_weight(shape, initializer)" in text
    (text,) = texts_of([Listed(), nn.Dense(1)], how)
    assert text.startswith("Listed 'listed': self.weights is")
    assert texts_of([Registered(), nn.Dense(1)], how) == []
    assert texts_of([Counts(), nn.Dense(1)], how) == []


def test_batch_normalization_of_one_sample() -> None:
    def layers(**options: Any) -> list[Any]:
        return [nn.Dense(2), nn.BatchNorm(**options), nn.Dense(1)]

    for texts in (
        texts_of(layers(), batch_size=1),
        texts_of(layers(), "train_on_batch", X[:1]),
        texts_of(layers(), x=X[:1]),
    ):
        assert texts[0].startswith("BatchNorm 'batch_norm': in a batch of one sample it subtracts")
    assert texts_of(layers()) == texts_of(layers(trainable=False), batch_size=1) == []
    image = [nn.Reshape((1, 3)), nn.BatchNorm(), nn.Flatten(), nn.Dense(1)]
    assert texts_of(image, batch_size=1) == []


@pytest.mark.parametrize("how", ["fit", "train_on_batch"])
def test_shared_variables_in_functions(how: str) -> None:
    w = symtheano.shared(np.ones(3, "float32"), "w")
    (text,) = texts_of([nn.Lambda(lambda x: x * w), nn.Dense(1)], how)
    assert text.startswith("Lambda 'lambda': w is a shared variable and no parameter, so training")
    assert text.endswith("or use T.constant if it is constant")
    constant, order = T.constant(np.ones(3, "float32")), symtheano.shared(np.arange(3))
    assert texts_of([nn.Lambda(lambda x: x[:, order] * constant), nn.Dense(1)], how) == []


def test_functions_of_parameters_of_other_layers() -> None:
    dense = nn.Dense(4)
    tied = nn.Lambda(lambda h: T.dot(h, dense.kernel.T))
    assert texts_of([dense, tied, nn.Dense(1)]) == []

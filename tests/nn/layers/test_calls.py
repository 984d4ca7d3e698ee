"""Layers of users with ``call`` and ``add_weight``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import nn

X = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")


class Linear(nn.Layer):
    """A product with a matrix, as a tutorial of Keras writes it."""

    def __init__(self, units: int, **options: Any) -> None:
        super().__init__(**options)
        self.units = units

    def build(self, input_shape: Any) -> None:
        self.w = self.add_weight(
            shape=(input_shape[-1], self.units), initializer="ones", name="w", regularizer="l2"
        )
        self.b = self.add_weight(self.units, "zeros", trainable=False)

    def call(self, inputs: Any) -> Any:
        return T.dot(inputs, self.w) + self.b


class Noisy(nn.Layer):
    """Another expression in training."""

    def call(self, x: Any, training: bool = False) -> Any:
        return x + 100 if training else x


def test_a_layer_of_call_and_add_weight_learns() -> None:
    model = nn.Sequential([Linear(4), nn.Dense(1)], seed=0)
    model.compile("mse", nn.Adam(0.05), backend="numpy")
    losses = model.fit(X, X.sum(1), 8, 20, 0)["loss"]
    assert losses[-1] < 0.2 * losses[0]
    first = model.layers[0]
    assert [p.variable.name for p in first.parameters] == ["linear/w", "linear/weight_1"]
    assert [p.trains for p in first.parameters] == [True, False]
    assert (first.parameters[1].get_value() == 0).all()
    assert first.parameters[0].regularizer is not None


@pytest.mark.parametrize(
    ("function", "shape", "expected"),
    [
        (lambda x: x[:, 0], (3,), ()),
        (lambda x: T.dot(x, np.ones((3, 5), "float32")), (3,), (5,)),
        (lambda x: x.sum(axis=1), (None, 3), (3,)),
        (lambda x: T.concatenate([x, x], axis=1), (None, 3), (None, 3)),
        (lambda x: x.reshape((x.shape[0], -1)), (2, 3), (6,)),
    ],
)
def test_shapes_follow_from_the_expression(function: Any, shape: Any, expected: Any) -> None:
    class Function(nn.Layer):
        def call(self, x: Any) -> Any:
            return function(x)

    assert Function()(nn.Input(shape)).shape == expected


def test_training_is_told_if_call_asks_for_it() -> None:
    value = Noisy()(nn.Input((3,)))
    mode = "INTERPRET"
    assert_allclose(value.test.eval({value.inputs[0].test: X}, mode=mode), X)
    assert_allclose(value.train.eval({value.inputs[0].train: X}, mode=mode), X + 100)
    assert not Linear.differs


def test_orders_of_arguments_that_are_not_ours() -> None:
    class Older(nn.Layer):
        def build(self, shape: Any) -> None:
            self.add_weight("w", shape, "ones")

    with pytest.raises(TypeError, match=r"'older': add_weight takes a shape and an initializer"):
        Older()(nn.Input((3,)))

    class Open(nn.Layer):
        def build(self, shape: Any) -> None:
            self.add_weight(shape)

    with pytest.raises(ValueError, match=r"the shape must consist of integers, not \(None, 3\)"):
        Open()(nn.Input((None, 3)))


def test_a_layer_that_calls_another_is_told_how() -> None:
    inner = nn.Dense(4)
    outer = type("Outer", (nn.Layer,), {"call": lambda self, x: inner(x)})
    with pytest.raises(TypeError, match="the output of another layer: call build_part"):
        outer()(nn.Input((3,)))

"""The loss and the optimizer of a model, and its compiled functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.compiled import is_optimizer

X = np.random.default_rng(0).normal(size=(60, 4)).astype("float32")
Y = (X[:, 0] > 0).astype(int)


def stack() -> nn.Model:
    """Return a compiled model of two layers."""
    model = nn.Model(seed=0)
    model.add(nn.Dense(6, "tanh"))
    model.add(nn.Dense(2, "softmax"))
    model.compile("categorical_crossentropy", "adam")
    return model


def test_frozen_layers_do_not_change() -> None:
    model = stack()
    model.build((4,))
    model.layers[0].trainable = False
    model.compile("categorical_crossentropy", "adam")
    before = model.get_weights()
    model.fit(X, Y, verbose=0)
    changed = [not np.array_equal(a, b) for a, b in zip(before, model.get_weights(), strict=True)]
    assert changed == [False, False, True, True]


def test_functions_are_compiled_once_until_a_layer_is_frozen() -> None:
    model = stack()
    model.build((4,))
    first = model.applied
    assert model.applied is first
    model.layers[0].trainable = False
    assert model.applied is not first


@pytest.mark.parametrize(
    ("given", "expected"),
    [("adam", True), ("conjugate_gradient", True), (nn.SGD(), True), ("mse", False), (3, False)],
)
def test_optimizers_are_told_from_losses(given: Any, expected: bool) -> None:
    assert is_optimizer(given) == expected


def test_exchanged_arguments() -> None:
    """Keras has the optimizer first; ours has the loss first, and takes both."""
    x, y = np.ones((4, 2), "float32"), np.ones((4, 1), "float32")
    losses = []
    for arguments in (("adam", "mse"), ("mse", "adam")):
        nn.seed(0)
        model = nn.Sequential([nn.Dense(1)])
        model.compile(*arguments)
        losses.append(model.train_on_batch(x, y))
    assert losses[0] == losses[1]

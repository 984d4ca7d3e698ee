"""Losses of probabilities whose outputs or targets are none."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.training.probabilities import activation_of, outside

X = np.random.default_rng(0).normal(size=(12, 3)).astype("float32")
LABELS = np.arange(12) % 3
ROWS = np.eye(3)[LABELS]
ONE = (X[:, 0] > 0).astype("float32")
CROSS = "categorical_crossentropy"


def texts_of(layers: list[Any], y: Any, loss: Any, how: str = "fit") -> list[str]:
    """Return the warnings of training that are due before the first step."""
    model = nn.Sequential(layers, seed=0)
    model.compile(loss, "sgd", backend="numpy")
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        if how == "fit":
            model.fit(X, y, verbose=0)
        elif how == "batches":
            model.fit([(X, y), (X, y)], verbose=0)
        else:
            model.train_on_batch(X, y)
            model.train_on_batch(X, y)
    assert all(one.filename == __file__ for one in caught)
    texts = [str(one.message) for one in caught]
    late = "fit: the loss is", "train_on_batch: the loss is"
    return [text for text in texts if not text.startswith(late)]


WRONG: dict[str, tuple[list[Any], Any, Any, str]] = {
    "linear": (
        [nn.Dense(3)], LABELS, CROSS,
        "the loss .* of Value.*: Dense 'dense' ends in 'linear', and .* take 'softmax', or nn.Loss"
    ),
    "relu": ([nn.Dense(3), nn.ReLU()], ROWS, CROSS, "ReLU 'relu' ends in 'relu'"),
    "tanh": (
        [nn.Dense(1), nn.Activation("tanh")], ONE, "binary_crossentropy",
        "Activation 'activation' ends in 'tanh', .* take 'sigmoid'",
    ),
    "sparse": ([nn.Dense(3)], LABELS, "sparse_categorical_crossentropy", "ends in 'linear'"),
    "focal": ([nn.Dense(3)], ROWS, "categorical_focal_crossentropy", "ends in 'linear'"),
    "focal of one": ([nn.Dense(1)], ONE, "binary_focal_crossentropy", "take 'sigmoid'"),
    "divergence": ([nn.Dense(3)], ROWS, "kld", "take 'softmax'$"),
    "a function": ([nn.Dense(3)], LABELS, nn.losses.categorical_crossentropy, "ends in 'linear'"),
    "normalized": ([nn.Dense(3), nn.BatchNorm()], LABELS, CROSS, "BatchNorm 'batch_norm' ends in"),
    "arranged anew": ([nn.Dense(3), nn.Reshape((3,))], LABELS, CROSS, "Dense 'dense' ends in"),
    "twice": (
        [nn.Dense(3, "softmax")], LABELS, nn.Loss(CROSS, from_logits=True),
        "from_logits=True applies softmax again",
    ),
    "classes that do not compete": (
        [nn.Dense(3, "sigmoid")], LABELS, CROSS, "the loss is 0 where all outputs are 1: take",
    ),
    "no logarithms": ([nn.Dense(3, "softmax")], LABELS, "nll", "take 'log_softmax'"),
    "means below 0": (
        [nn.Dense(1)], ONE, "poisson", r"take 'softplus' or 'exponential', or .*log_input=True"
    ),
    "labels of a hinge": (
        [nn.Dense(1, "sigmoid")], 2 * ONE - 1, "binary_crossentropy",
        "the targets of Value.*: the loss .* takes .* from 0 to 1, and .* from -1 to 1; 'hinge'"
    ),
    "labels of 0 and 255": (
        [nn.Dense(1, "sigmoid")], 255 * ONE, "binary_crossentropy", "from 0 to 255$"
    ),
    "rows of several classes": (
        [nn.Dense(3, "softmax")], np.maximum(ROWS, np.eye(3)[0]), CROSS,
        r"rows whose sum is 1, .* of 8 of 12 rows it is not, the first is 2 at \(1,\)",
    ),
    "counts below 0": ([nn.Dense(1, "softplus")], X[:, 0], "poisson", "the smallest is -"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("how", ["fit", "batches", "train_on_batch"])
def test_what_is_no_probability_is_said(name: str, how: str) -> None:
    layers, y, loss, pattern = WRONG[name]
    copies = [type(layer).from_config(layer.config()) for layer in layers]
    texts = texts_of(copies, y, loss, how)
    assert len(texts) == 1
    assert re.search(pattern, texts[0]), texts


class Own(nn.Dense):
    """A layer of the user."""

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.softmax(super().apply(*inputs, training=training))


SOUND: dict[str, tuple[list[Any], Any, Any]] = {
    "softmax": ([nn.Dense(3, "softmax")], LABELS, CROSS),
    "a layer": ([nn.Dense(3), nn.Softmax()], ROWS, CROSS),
    "a function": ([nn.Dense(3, T.nnet.softmax)], LABELS, CROSS),
    "a function of the user": ([nn.Dense(3, lambda x: T.nnet.softmax(x))], LABELS, CROSS),
    "sparsemax": ([nn.Dense(3, "sparsemax")], 0.2 * ROWS + 0.8 / 3, CROSS),
    "a layer of the user": ([Own(3)], LABELS, CROSS),
    "a lambda": ([nn.Dense(3), nn.Lambda(T.nnet.softmax)], LABELS, CROSS),
    "scores": ([nn.Dense(3)], LABELS, nn.Loss(CROSS, from_logits=True)),
    "sigmoid": ([nn.Dense(1, "sigmoid")], ONE, "binary_crossentropy"),
    "several classes of a sample": (
        [nn.Dense(3, "sigmoid")], np.maximum(ROWS, np.eye(3)[0]), "binary_crossentropy"
    ),
    "shares": ([nn.Dense(3, "softmax")], 0.5 * ROWS + 0.5 / 3, CROSS),
    "means": ([nn.Dense(1, "exponential")], 5 * ONE, "poisson"),
    "logarithms of means": ([nn.Dense(1)], ONE, nn.Loss("poisson", log_input=True)),
    "logarithms": ([nn.Dense(3, "log_softmax")], LABELS, "nll"),
    "numbers": ([nn.Dense(1)], X[:, 0], "mse"),
    "hinge": ([nn.Dense(1)], 2 * ONE - 1, "hinge"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_what_is_right_is_not_warned_of(name: str) -> None:
    layers, y, loss = SOUND[name]
    assert texts_of(layers, y, loss) == []


def test_masked_steps_may_have_rows_of_zeros() -> None:
    words = nn.Input((4,), "int32", seed=0)
    h = nn.Embedding(5, 3, mask_zero=True)(words)
    model = nn.Model(words, nn.Dense(3, "softmax")(h))
    model.compile(CROSS, "sgd", backend="numpy")
    y = np.zeros((2, 4, 3))
    y[:, :2, 1] = 1
    model.fit([[1, 2, 0, 0], [3, 4, 0, 0]], y, verbose=0)


def test_activation_functions_of_layers() -> None:
    for layer, name in {
        nn.Conv2D(2, 3, activation="relu"): "relu",
        nn.DepthwiseConv2D(3): "linear",
        nn.GRU(2): "tanh",
        nn.TimeDistributed(nn.Dense(2, "sigmoid")): "sigmoid",
        nn.Dense(2, nn.LeakyReLU()): "leaky_relu",
        nn.Dense(2, abs): None,
        nn.Softmax(1): None,
        nn.Flatten(): None,
        Own(2): None,
    }.items():
        assert activation_of(layer) == name


def test_rounding_is_within_the_range() -> None:
    y = nn.dense(nn.Input((3,)), 2, "softmax")
    for array, says in (([[1.0000001, 0.0]], False), ([[2.0, 0.0]], True), ([[-0.1, 1.1]], True)):
        assert bool(outside([y], [nn.Loss(CROSS)], [np.array(array)])) is says
    assert not outside([y], [nn.Loss(CROSS, from_logits=True)], [np.array([[-3.0, 3.0]])])
    assert not outside([y], [nn.Loss("mse")], [np.array([[-3.0, 3.0]])])

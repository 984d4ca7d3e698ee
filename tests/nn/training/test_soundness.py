"""Warnings of training that learns nothing or something wrong; sound programs have none."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.training.soundness import is_softmax, listed, not_finite

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).astype("float32")
BINARY = (X[:, 0] > 0).astype(int)
CLASSES = np.arange(60) % 3


def fitted(
    layers: Any, y: Any, loss: str, x: Any = X, optimizer: Any = "adam", **options: Any
) -> list[str]:
    """Return the warnings of a training of two epochs."""
    model = nn.Sequential(layers, seed=0)
    model.compile(loss, optimizer, backend="numpy")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(x, y, epochs=2, verbose=0, **options)
    assert all(one.filename == __file__ for one in caught)
    assert all(one.category is nn.TrainingWarning for one in caught)
    return [str(one.message) for one in caught]


def with_nan(x: Any, place: Any, value: float = np.nan) -> Any:
    """Return a copy with one element that is not finite."""
    copy = np.array(x, "float32")
    copy[place] = value
    return copy


def softmax(units: int) -> list[Any]:
    """Return one layer that ends in a softmax."""
    return [nn.Dense(units, "softmax")]


def cut(x: Any) -> Any:
    """Return x, through which no gradient goes."""
    return T.consider_constant(x)


def ones(x: Any) -> Any:
    """Return ones, which depend on the shape of x only."""
    return T.ones_like(x)


CROSS = "categorical_crossentropy"
WRONG: dict[str, tuple[Callable[[], list[str]], str]] = {
    "one softmax unit": (
        lambda: fitted(softmax(1), BINARY, "binary_crossentropy"),
        "Dense 'dense': the softmax of one unit is 1",
    ),
    "one softmax unit, as a layer": (
        lambda: fitted([nn.Dense(1), nn.Softmax()], BINARY, CROSS),
        "Softmax 'softmax': the softmax of one unit is 1",
    ),
    "one unit and a loss of classes": (
        lambda: fitted([nn.Dense(1, "sigmoid")], BINARY, CROSS),
        "the loss categorical_crossentropy of .*dense.* for one unit, use 'binary_crossentropy'",
    ),
    "NaN in x": (
        lambda: fitted(softmax(3), CLASSES, CROSS, with_nan(X, (4, 1))),
        r"training: x has 1 element that is NaN or infinite, the first is nan at \(4, 1\)",
    ),
    "infinity in y": (
        lambda: fitted([nn.Dense(1)], with_nan(X[:, 0], 7, np.inf), "mse"),
        r"the array of targets has 1 .* inf at \(7, 0\)",
    ),
    "NaN in a batch": (
        lambda: fitted(softmax(3), None, CROSS, [(X, CLASSES), (with_nan(X, (4, 1)), CLASSES)]),
        r"training: x has 1 element that is NaN",
    ),
    "a negative rate": (
        lambda: fitted([nn.Dense(1)], X[:, 0], "mse", optimizer=nn.SGD(-0.01)),
        "SGD: the learning rate is -0.01",
    ),
    "a rate of zero": (
        lambda: fitted([nn.Dense(1)], X[:, 0], "mse", optimizer=nn.SGD(0.0)),
        "SGD: the learning rate is 0, so training changes no parameter",
    ),
    "two units, and one class": (
        lambda: fitted(softmax(2), np.ones(60, int), CROSS),
        "fit: all targets of .* are the label 1",
    ),
    "negative weights": (
        lambda: fitted([nn.Dense(1)], X[:, 0], "mse", sample_weight=[-1] * 2 + [1] * 58),
        "2 weights of samples are negative, the smallest is -1",
    ),
    "no weights": (
        lambda: fitted([nn.Dense(1)], X[:, 0], "mse", sample_weight=np.zeros(60)),
        "all weights of samples are 0",
    ),
    "a rate that is too large": (
        lambda: fitted([nn.Dense(1)], X[:, 0], "mse", optimizer=nn.SGD(1e30)),
        "^fit: the loss is (inf|nan) in epoch 1, though the data are finite; a smaller learning",
    ),
    "labels from 1": (
        lambda: fitted(softmax(4), CLASSES + 1, CROSS),
        "no sample has the label 0, but .* has 4 units, for labels from 0 to 3",
    ),
    "too many units": (
        lambda: fitted(softmax(6), np.eye(6)[CLASSES], CROSS),
        "no sample has the label 3, 4, 5",
    ),
    "sorted labels": (
        lambda: fitted(softmax(3), np.sort(CLASSES), CROSS, validation_split=0.34),
        "only the validation data have the label 2; validation_split takes the last samples",
    ),
    "one class": (
        lambda: fitted([nn.Dense(1, "sigmoid")], np.ones(60, int), "binary_crossentropy"),
        "all targets of .* are 1",
    ),
    "zeros as initial values": (
        lambda: fitted(
            [nn.Dense(4, "relu", kernel_initializer="zeros"), nn.Dense(1, use_bias=False)],
            X[:, :1], "mse", optimizer="sgd",
        ),
        "the first epoch has not changed the parameters of Dense 'dense', Dense 'dense_1'",
    ),
    "a layer behind a constant": (
        lambda: fitted([nn.Dense(2, name="first"), nn.Lambda(cut), nn.Dense(1)], X[:, 0], "mse"),
        "the first epoch has not changed the parameters of Dense 'first':",
    ),
    "a layer of which the loss needs only the shape": (
        lambda: fitted([nn.Dense(2, name="first"), nn.Lambda(ones), nn.Dense(1)], X[:, 0], "mse"),
        "the loss does not depend on the parameters of Dense 'first'",
    ),
    "a layer before a step": (
        lambda: fitted(
            [nn.Dense(2, name="first"), nn.Lambda(lambda x: T.sgn(x)), nn.Dense(1)], X[:, 0], "mse"
        ),
        "the first epoch has not changed the parameters of Dense 'first':",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_at_the_line_of_the_user(name: str) -> None:
    run, message = WRONG[name]
    texts = "\n".join(run())
    assert re.search(message, texts), texts


SOUND: dict[str, Callable[[], list[str]]] = {
    "classes": lambda: fitted(softmax(3), CLASSES, CROSS),
    "a large vocabulary": lambda: fitted(softmax(50), CLASSES, CROSS),
    "a class that is missing": lambda: fitted(softmax(3), BINARY, CROSS),
    "words, of which 0 is padding": lambda: fitted(
        [nn.Embedding(4, 3), nn.Flatten(), *softmax(4)], CLASSES + 1, CROSS, CLASSES[:, None] + 1
    ),
    "labels of steps": lambda: fitted(
        softmax(4), np.repeat(CLASSES[:, None] + 1, 3, 1), CROSS, X[:, :, None]
    ),
    "a loss that is zero from the beginning": lambda: fitted(
        [nn.Dense(1, kernel_initializer="zeros")], 0 * X[:, 0], "mse"
    ),
    "two classes": lambda: fitted([nn.Dense(1, "sigmoid")], BINARY, "binary_crossentropy"),
    "attention over one unit": lambda: fitted(
        [nn.Dense(2, "softmax"), nn.Dense(1)], X[:, 0], "mse"
    ),
    "a frozen layer": lambda: fitted([nn.Dense(2, trainable=False), nn.Dense(1)], X[:, 0], "mse"),
    "a rate that begins with zero": lambda: fitted(
        [nn.Dense(1)], X[:, 0], "mse", optimizer=nn.SGD(nn.Warmup(0.01, 9))
    ),
    "a callback that sets the rate": lambda: fitted(
        [nn.Dense(1)],
        X[:, 0],
        "mse",
        optimizer=nn.SGD(0.0),
        callbacks=nn.LearningRateScheduler(lambda epoch, rate: 0.01),
    ),
    "a few samples of one class": lambda: fitted(softmax(2), [1, 1, 1], CROSS, X[:3]),
    "weights of which some are 0": lambda: fitted(
        [nn.Dense(1)], X[:, 0], "mse", sample_weight=[0] * 30 + [1] * 30
    ),
    "a NaN that a callback waits for": lambda: fitted(
        [nn.Dense(1)], X[:, 0], "mse", optimizer=nn.SGD(1e30), callbacks=nn.TerminateOnNaN()
    ),
    "large numbers": lambda: fitted(
        [nn.Lambda(lambda x: x / np.float32(3e38)), nn.Dense(1)],
        X[:, 0],
        "mse",
        np.full((60, 3), 3e38, "float32"),
    ),
    "batches": lambda: fitted(softmax(3), None, CROSS, [(X[:2], CLASSES[:2])]),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_programs_have_no_warnings(name: str) -> None:
    assert SOUND[name]() == []


def test_a_loss_that_nothing_changes_is_an_error() -> None:
    model = nn.Sequential([nn.Dense(2), nn.Lambda(ones)])
    model.compile("mse", backend="numpy")
    with pytest.raises(ValueError, match="the loss does not depend on any parameter"):
        model.fit(X, X[:, :2], verbose=0)


def test_a_loss_that_becomes_nan_is_said_once() -> None:
    model = nn.Sequential([nn.Dense(1)], seed=0)
    model.compile("mse", nn.SGD(0.01), backend="numpy")
    schedule = nn.LearningRateScheduler(lambda epoch, rate: 0.01 if epoch < 2 else 1e30)
    with pytest.warns(nn.TrainingWarning, match=r"epoch 3, .*on_nan=.raise") as caught:
        model.fit(X, X[:, 0], epochs=6, verbose=0, callbacks=schedule)
    assert len(caught) == 1
    batches = [(X[:30], X[:30, 0]), (X[30:], X[30:, 0])]
    texts = fitted([nn.Dense(1)], None, "mse", batches, nn.SGD(1e30))
    assert len(texts) == 1


def test_nan_in_data_is_the_only_warning_of_nan() -> None:
    assert len(fitted([nn.Dense(1)], X[:, 0], "mse", with_nan(X, (4, 1)))) == 1
    batches = [(with_nan(X, (4, 1)), X[:, 0])]
    texts = fitted([nn.Dense(1)], None, "mse", batches)
    assert len(texts) == 2  # one for each epoch
    assert all("training: x has 1 element " in text for text in texts)


def test_softmax_by_any_name() -> None:
    for layer in (
        nn.Dense(1, "softmax"), nn.Dense(1, "Softmax"), nn.Activation("softmax"), nn.Softmax(),
        nn.Dense(1, nn.Softmax()),
    ):  # fmt: skip
        assert is_softmax(layer)
    for layer in (nn.Dense(1), nn.Dense(1, "sigmoid"), nn.Softmax(axis=1), nn.Flatten()):
        assert not is_softmax(layer)


def test_places_of_what_is_not_finite() -> None:
    assert not_finite(np.zeros((0, 3))) is None
    assert not_finite(np.full(4, 3e38, "float32")) is None
    assert not_finite(np.full(4, 1.7e308)) is None
    assert not_finite(np.array([1.0, -np.inf, np.nan])) == (1,)
    assert listed([3]) == "3"


def test_single_batches_are_checked_too() -> None:
    model = nn.Sequential(softmax(1), seed=0)
    model.compile("binary_crossentropy", nn.SGD(-0.1), backend="numpy")
    with pytest.warns(nn.TrainingWarning) as caught:
        model.train_on_batch(X, BINARY)
    texts = [str(one.message) for one in caught]
    assert [text.partition(":")[0] for text in texts] == [
        "Dense 'dense'", "SGD", "train_on_batch"
    ]  # fmt: skip
    assert all(one.filename == __file__ for one in caught)
    with pytest.warns(nn.TrainingWarning, match=r"training: x has 1 element .*\(2, 1\)"):
        model.train_on_batch(with_nan(X, (2, 1)), BINARY)


def test_layers_that_a_batch_does_not_train_are_named() -> None:
    x = nn.Input((3,), seed=0)
    y = nn.dense(x, 2)
    free = nn.Dense(1, name="unused")
    model = nn.Model(x, y + nn.Lambda(ones)(free(x)))
    model.compile("mse", backend="numpy")
    with pytest.warns(nn.TrainingWarning, match="does not depend on the parameters of Dense 'unu"):
        model.train_on_batch(X, np.zeros((60, 2)))

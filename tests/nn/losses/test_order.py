"""The order of the arguments of losses and metrics that are functions of the user."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.losses.order import takes_targets_first

X = np.random.default_rng(0).uniform(1, 2, (40, 3)).astype("float32")
Y = X.sum(1, keepdims=True)


def asymmetric(y_true: Any, y_pred: Any) -> Any:
    """Return a loss in which predictions below the target cost ten times as much."""
    d = y_true - y_pred
    return T.mean(T.switch(d > 0, 10 * d, -d), axis=-1)


def ours(predictions: Any, targets: Any) -> Any:
    """Return the same, with the order of losses here."""
    return asymmetric(targets, predictions)


class Called:
    """The same as an object."""

    def __call__(self, target: Any, guess: Any) -> Any:
        return asymmetric(target, guess)


NAMES = {
    "y_true, y_pred": True,
    "target, x": True,
    "labels, logits": True,
    "y, y_pred": True,
    "Expected, Outputs": True,
    "a, prediction": True,
    "predictions, targets": False,
    "input, target": False,
    "output, expected": False,
    "y_pred, y_true": False,
    "p, t": False,
    "y, x": False,
    "labels, targets": False,
    "outputs, predictions": False,
    "*arrays": False,
    "x": False,
}


@pytest.mark.parametrize("names", NAMES)
def test_the_names_of_parameters_decide(names: str) -> None:
    assert takes_targets_first(eval(f"lambda {names}: 0")) is NAMES[names]


def test_what_has_no_signature_takes_predictions_first() -> None:
    assert not takes_targets_first(max)
    assert takes_targets_first(partial(lambda scale, y_true, y_pred: 0, 2.0))
    assert takes_targets_first(Called())


def test_losses_here_take_predictions_first() -> None:
    for loss in {*nn.losses.LOSSES.values()}:
        assert not takes_targets_first(loss)


def trained(loss: Any) -> dict[str, Any]:
    """Return what two epochs of training measure, with the loss as a metric, too."""
    model = nn.Sequential([nn.Dense(1)], seed=0)
    model.compile(loss, nn.SGD(0.01), metrics=[loss], backend="numpy")
    return model.fit(X, Y, epochs=2, verbose=0).history


def test_a_loss_in_the_style_of_keras_is_trained_the_right_way_round() -> None:
    expected = trained(ours)
    assert expected["ours"] == pytest.approx(expected["loss"])
    for loss, name in ((asymmetric, "asymmetric"), (Called(), "metric")):
        history = trained(loss)
        assert history["loss"] == expected["loss"]
        assert history[name] == expected["ours"]


def test_options_of_functions_are_kept() -> None:
    def loss(y_true: Any, y_pred: Any, reduction: Any = "mean") -> Any:
        losses = asymmetric(y_true, y_pred)
        return losses if reduction is None else losses.mean()

    assert trained(loss)["loss"] == trained(ours)["loss"]

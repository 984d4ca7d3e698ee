"""One step of training or evaluation, by ``train_on_batch`` and ``test_on_batch``."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from symtheano import nn

X = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")


def model(optimizer: nn.Optimizer) -> nn.Model:
    """Return a model of one layer."""
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.compile("mse", optimizer)
    return model


def test_a_loss_that_is_not_finite_gives_one_warning() -> None:
    net = model(nn.SGD(1e30))
    net.train_on_batch(X, X[:, 0])
    with pytest.warns(nn.TrainingWarning, match="train_on_batch: the loss is inf, though the") as w:
        assert net.train_on_batch(X, X[:, 0])["loss"] == float("inf")
    assert w[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(net.train_on_batch(X, X[:, 0])["loss"])


def test_data_that_are_not_finite_give_the_other_warning() -> None:
    x = X.copy()
    x[2, 1] = np.nan
    with pytest.warns(nn.TrainingWarning) as caught:
        model(nn.SGD(0.1)).train_on_batch(x, X[:, 0])
    (text,) = (str(one.message) for one in caught)
    assert text.startswith("training: x has 1 element that is NaN or infinite")


def test_steps_lower_the_loss() -> None:
    net = model(nn.SGD(0.1))
    losses = [net.train_on_batch(X, X[:, 0])["loss"] for _ in range(20)]
    assert losses[-1] < 0.1 * losses[0]
    assert net.test_on_batch(X, X[:, 0])["loss"] < losses[-1]

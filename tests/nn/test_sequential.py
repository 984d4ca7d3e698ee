"""Sequential: one chain of methods."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano import nn

X = np.random.default_rng(0).normal(size=(40, 4)).astype("float32")
Y = (X[:, 0] > 0).astype(int)


def chain() -> nn.Sequential:
    """Return a network with a loss and an optimizer."""
    return (
        nn.Sequential(seed=0)
        .dense(8, "tanh")
        .dropout(0.2)
        .dense(2, "softmax")
        .loss("categorical_crossentropy")
        .optimizer("sgd", 0.1, momentum=0.9)
        .metrics("accuracy")
    )


def test_a_chain_is_the_model_of_the_same_layers() -> None:
    model = nn.Model(seed=0)
    for layer in (nn.Dense(8, "tanh"), nn.Dropout(0.2), nn.Dense(2, "softmax")):
        model.add(layer)
    model.compile("categorical_crossentropy", nn.SGD(0.1, momentum=0.9), metrics=["accuracy"])
    expected = model.fit(X, Y, epochs=3, verbose=0)
    net = chain()
    assert net.train(X, Y, epochs=3).history == expected.history
    assert np.array_equal(net.predict(X), model.predict(X))
    assert net.evaluate(X, Y) == model.evaluate(X, Y)


def test_one_sample_gives_one_output() -> None:
    net = nn.Sequential([nn.Input((4,)), nn.Dense(3)], seed=1)
    assert net.predict(X[0]).shape == (3,)
    assert np.array_equal(net.predict(X[0]), net.predict(X[:1])[0])
    assert net.predict(X[0].tolist()).shape == (3,)


def test_training_goes_on_and_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    net = chain()
    net.train(X, Y, epochs=2)
    net.train(X, Y, epochs=1)
    assert len(net.history["loss"]) == 3
    assert capsys.readouterr().out == ""


def test_what_is_missing_or_unknown_is_said() -> None:
    with pytest.raises(ValueError, match="has no loss: call loss"):
        nn.Sequential().dense(2).train(X, Y)
    with pytest.raises(AttributeError, match="unknown layer 'dens'; did you mean 'dense'"):
        nn.Sequential().dens(2)
    with pytest.raises(ValueError, match="unknown optimizer 'adm'"):
        nn.Sequential().optimizer("adm")
    with pytest.raises(TypeError, match="arguments are for the name"):
        nn.Sequential().optimizer(nn.Adam(), 0.1)
    assert {"dense", "conv2d", "batch_norm", "train"} <= set(dir(nn.Sequential()))

"""A network in four styles: functions, chain, model, session; the same bits from one seed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_array_equal

import symtheano
import symtheano.nn.losses
import symtheano.tensor as T
from symtheano import nn

RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 4)).astype("float32")
Y = (X[:, 0] > X[:, 1]).astype("int32")
SEED, EPOCHS, BATCH = 7, 2, 8


def layers(x: Any) -> Any:
    """Return a network with dropout, running statistics and a penalty, by functions."""
    h = nn.batch_norm(nn.dense(x, 6, "relu", kernel_regularizer="l2"), momentum=0.9)
    return nn.dense(nn.dropout(h, 0.3), 3, "softmax")


def optimizer() -> Any:
    """Return the optimizer that all use."""
    return nn.Adam(0.01)


def batches(randomness: Any) -> Any:
    """Yield the batches that ``fit`` takes."""
    for epoch in range(EPOCHS):
        order = randomness.order(epoch, len(X))
        for chosen in np.split(order, range(BATCH, len(X), BATCH)):
            yield X[chosen], Y[chosen]


def by_functions() -> tuple[Any, list[Any]]:
    """Return predictions, parameters and running statistics after training."""
    x, labels = nn.Input((4,), seed=SEED), T.ivector("labels")
    scores = layers(x)
    cost = nn.losses.categorical_crossentropy(scores.train, labels) + scores.penalty
    updates = [*optimizer().updates(cost, scores.parameters).items(), *scores.updates]
    step = symtheano.function([x.train, labels], [], updates=updates, mode="INTERPRET")
    predict = symtheano.function([x.test], scores.test, mode="INTERPRET")
    for batch in batches(x.randomness):
        step(*batch)
    arrays = [p.variable.get_value() for layer in scores.layers for p in layer.parameters]
    return predict(X), arrays


def by_chain() -> tuple[Any, list[Any]]:
    """The same, by a chain of methods."""
    net = nn.Sequential(seed=SEED).dense(6, "relu", kernel_regularizer="l2")
    net.batch_norm(momentum=0.9).dropout(0.3).dense(3, "softmax")
    net.loss("categorical_crossentropy").optimizer(optimizer()).backend("numpy")
    net.train(X, Y, epochs=EPOCHS, batch_size=BATCH)
    return net.predict(X), net.model.get_weights()


def by_model() -> tuple[Any, list[Any]]:
    """The same, by a model with ``fit``."""
    x = nn.Input((4,), seed=SEED)
    model = nn.Model(x, layers(x))
    model.compile("categorical_crossentropy", optimizer(), backend="numpy")
    model.fit(X, Y, epochs=EPOCHS, batch_size=BATCH, verbose=0)
    return model.predict(X), model.get_weights()


def by_session() -> tuple[Any, list[Any]]:
    """The same, by a graph and a session."""
    with nn.Graph(seed=SEED).as_default() as graph, nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 4))
        labels = nn.placeholder("int32", (None,))
        scores = layers(x)
        loss = nn.losses.categorical_crossentropy(scores, labels) + scores.penalty
        step = optimizer().minimize(loss)
        for inputs, targets in batches(graph.randomness):
            session.run(step, {x: inputs, labels: targets})
        arrays = [p.variable.get_value() for layer in scores.layers for p in layer.parameters]
        return session.run(scores, {x: X}), arrays


def test_four_styles_have_the_same_bits() -> None:
    predicted, weights = by_functions()
    assert np.isfinite(predicted).all()
    assert len(weights) == 8
    for style in (by_chain, by_model, by_session):
        found, arrays = style()
        assert_array_equal(found, predicted, err_msg=style.__name__)
        for left, right in zip(arrays, weights, strict=True):
            assert_array_equal(left, right, err_msg=style.__name__)

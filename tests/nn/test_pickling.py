"""Pickles and deep copies: models that go on to the same bits, and functions by their names."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import MethodType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn

X = np.random.default_rng(0).normal(size=(24, 3)).astype("float32")
Y = X[:, :2] ** 2


def through_pickle(item: Any) -> Any:
    """Return what a pickle of something holds."""
    return pickle.loads(pickle.dumps(item))


COPIES = pytest.mark.parametrize("copied", [through_pickle, copy.deepcopy])
PARTS = [
    ("mse", "adam", None),
    (nn.losses.mean_squared_error, nn.RMSProp(0.01), [nn.losses.mean_absolute_error]),
    (nn.Loss("huber", delta=0.5), nn.SGD(nn.schedules.ExponentialDecay(0.1, 2, 0.5)), ["mae"]),
    (nn.losses.get("log_cosh"), nn.Adam(0.01, amsgrad=True), [nn.metrics.R2(), "rmse"]),
]


def compiled(loss: Any, optimizer: Any, metrics: Any, backend: str) -> nn.Model:
    """Return a model with dropout, running statistics and initializers of all kinds."""
    model = nn.Model(seed=1)
    model.add(nn.Dense(4, "tanh", kernel_initializer=nn.initializers.Orthogonal()))
    model.add(nn.Dropout(0.3))
    model.add(nn.BatchNorm())
    model.add(nn.Dense(2, kernel_initializer="he_normal", kernel_regularizer=nn.L2(0.01)))
    model.compile(loss, copy.deepcopy(optimizer), metrics, backend=backend)
    model.build((3,))
    return model


def check_goes_on(model: nn.Model, copied: Callable[[Any], Any]) -> None:
    """Fail unless a copy predicts and trains to the same bits, apart from the model."""
    twin = copied(model)
    assert_array_equal(twin.predict(X), model.predict(X))
    assert twin.evaluate(X, Y) == model.evaluate(X, Y)
    before = twin.get_weights()
    model.fit(X, Y, epochs=2, batch_size=8, verbose=0)
    for old, same in zip(before, twin.get_weights(), strict=True):
        assert_array_equal(old, same)
    twin.fit(X, Y, epochs=2, batch_size=8, verbose=0)
    for a, b in zip(model.get_weights(), twin.get_weights(), strict=True):
        assert_array_equal(a, b)
    assert twin.history.history == model.history.history


@COPIES
@pytest.mark.parametrize("parts", PARTS)
def test_models_that_nothing_trained(parts: Any, copied: Callable[[Any], Any]) -> None:
    check_goes_on(compiled(*parts, "numpy"), copied)


@COPIES
@pytest.mark.parametrize("parts", PARTS)
def test_models_in_the_middle_of_training(parts: Any, copied: Callable[[Any], Any]) -> None:
    model = compiled(*parts, "numpy")
    model.fit(X, Y, batch_size=8, verbose=0, callbacks=nn.EarlyStopping("loss"))
    model.predict(X)
    check_goes_on(model, copied)


@pytest.mark.needs_cc
@COPIES
def test_compiled_models(copied: Callable[[Any], Any]) -> None:
    model = compiled(*PARTS[1], "c")
    model.fit(X, Y, batch_size=8, verbose=0)
    check_goes_on(model, copied)


@COPIES
def test_chains(copied: Callable[[Any], Any]) -> None:
    net = nn.Sequential(seed=0).dense(3, "relu").dense(2).loss(nn.losses.huber).backend("numpy")
    net.metrics(nn.losses.mean_absolute_error).train(X, Y, epochs=1)
    twin = copied(net)
    assert net.train(X, Y, epochs=2).history == twin.train(X, Y, epochs=2).history
    assert_array_equal(net.predict(X), twin.predict(X))


@COPIES
def test_sessions(copied: Callable[[Any], Any]) -> None:
    with nn.Graph().as_default(), nn.Session() as session:
        x = nn.placeholder("float32", (None, 3))
        w = nn.Variable(np.ones((3, 2), "float32"), "w")
        loss = nn.losses.mean_squared_error(T.dot(x, w), np.zeros((24, 2), "float32"))
        step = nn.SGD(0.1).minimize(loss)
        session.run(step, {x: X})
        other, x2, loss2 = copied((session, x, loss))
        assert_array_equal(session.run(loss, {x: X}), other.run(loss2, {x2: X}))


def test_public_functions_and_classes_are_found_by_their_names() -> None:
    modules = [
        nn, nn.losses, nn.metrics, nn.optimizers, nn.schedules, nn.initializers, nn.regularizers,
        nn.constraints, nn.activations, symtheano, T, T.nnet, T.random, T.signal, T.fft,
        symtheano.gradient, symtheano.sparse, symtheano.printing,
    ]  # fmt: skip
    unlike = []
    for module in modules:
        for name in dir(module):
            item = getattr(module, name)
            if name.startswith("_") or not (callable(item) and hasattr(item, "__qualname__")):
                continue
            if isinstance(item, MethodType):  # of the generator of T.random, as in numpy.random
                continue
            try:
                same = through_pickle(item) is item
            except Exception as error:
                same, name = False, f"{name}: {error}"
            if not same:
                unlike.append(f"{module.__name__}.{name}")
    assert unlike == []

"""States that go from batch to batch: predictions, training, files, sessions, messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
from symtheano import nn

RNG = np.random.default_rng(8)
KINDS = pytest.mark.parametrize("kind", [nn.SimpleRNN, nn.LSTM, nn.GRU])
X = RNG.normal(size=(12, 4, 3)).astype("float32")
Y = RNG.normal(size=(12, 4, 2)).astype("float32")


def model(*, masked: bool = False) -> nn.Model:
    """Return a compiled network with a recurrent layer, the same for each call."""
    x = nn.Input((None, 3), seed=0)
    h = nn.Masking(9.0)(x) if masked else x
    h = nn.SimpleRNN(4, return_sequences=True, stateful=True)(h)
    made = nn.Model(x, nn.Dense(2)(h))
    made.compile("mse", nn.SGD(0.1), backend="numpy")
    return made


@pytest.mark.parametrize(
    ("kind", "backend"),
    [(nn.SimpleRNN, "numpy"), (nn.LSTM, "numpy"), (nn.GRU, "numpy"), (nn.GRU, "c")],
)
def test_two_halves_are_the_whole(kind: Any, backend: str) -> None:
    x = nn.Input((None, 3), seed=0)
    layer = kind(4, return_sequences=True, stateful=True)
    net = nn.Model(x, layer(x))
    net.compile("mse", backend=backend)
    whole = net.predict(X)
    assert {s.get_value().shape for s in layer.states} == {(12, 4)}
    net.reset_states()
    assert {s.get_value().shape for s in layer.states} == {(0, 4)}
    halves = [net.predict(X[:, :2]), net.predict(X[:, 2:])]
    assert_allclose(np.concatenate(halves, axis=1), whole, rtol=0, atol=1e-6)
    assert abs(net.predict(X) - whole).max() > 1e-3
    net.reset_states()
    assert_array_equal(net.predict(X), whole)


@KINDS
def test_carried_states_are_those_that_are_returned(kind: Any) -> None:
    """The same steps with states that are passed on by hand have the same bits."""
    x = nn.Input((None, 3), seed=0)
    layer = kind(4, stateful=True)
    net = nn.Model(x, layer(x))
    start = [nn.Input((4,)) for _ in layer.states]
    by_hand = kind(4, return_state=True)
    y, *states = by_hand(x, initial_state=start)
    for mine, other in zip(by_hand.parameters, layer.parameters, strict=True):
        mine.variable.set_value(other.variable.get_value())
    step = nn.Model([x, *start], [y, *states])
    for one in (net, step):
        one.compile("mse", backend="numpy")
    rows = [np.zeros((12, 4), "float32") for _ in start]
    for k in range(3):
        given = X[:, k : k + 1]
        output, *rows = step.predict([given, *rows])
        assert_array_equal(net.predict(given), output)
        for carried, row in zip(layer.states, rows, strict=True):
            assert_array_equal(carried.get_value(), row)


def test_return_state_is_a_tuple() -> None:
    x = nn.Input((None, 3), seed=0)
    assert [v.shape for v in nn.LSTM(4, return_state=True)(x)] == [(4,)] * 3
    y, h = nn.GRU(4, return_sequences=True, return_state=True)(x)
    assert (y.shape, h.shape) == ((None, 4), (4,))
    assert h is y.states[0]
    assert len(nn.lstm(x, 4, states=[h, h], return_state=True)) == 3
    assert nn.GRU(4)(x, initial_state=h).shape == (4,)
    both = nn.Bidirectional(nn.LSTM(2, return_state=True))(x)
    assert [v.shape for v in both] == [(4,), (2,), (2,), (2,), (2,)]
    again = nn.Bidirectional(nn.LSTM(2))(x, initial_state=both[1:])
    assert again.shape == (4,)
    net = nn.Model(x, [y, h])
    loaded = nn.Model.from_bytes(net.to_bytes())
    for mine, other in zip(net.predict(X), loaded.predict(X), strict=True):
        assert_array_equal(mine, other)


def test_states_can_be_set() -> None:
    net = model()
    layer = net.layers[0]
    rows = RNG.normal(size=(5, 4))
    layer.reset_states([rows])
    with pytest.raises(ValueError, match=r"12 samples .* of 256, and the previous batch had"):
        net.predict(X)
    x, start = nn.Input((None, 3)), nn.Input((4,))
    other = nn.Model([x, start], nn.Dense(2)(nn.SimpleRNN(4, return_sequences=True)(x, start)))
    other.set_weights(net.get_weights())
    assert_allclose(net.predict(X[:5]), other.predict([X[:5], rows]), rtol=0, atol=1e-6)
    with pytest.raises(
        ValueError, match=r"'simple_rnn': reset_states takes arrays of shape \(n, 4\)"
    ):
        layer.reset_states([rows, rows])
    with pytest.raises(ValueError, match=r"but was given \(5, 3\)"):
        layer.reset_states([rows[:, 1:]])
    with pytest.raises(ValueError, match="takes no arrays"):
        net.layers[1].reset_states([rows])


def test_steps_that_do_not_exist_keep_what_is_carried() -> None:
    net = model(masked=True)
    padded = X.copy()
    padded[:, 2:] = 9.0
    net.predict(padded)
    found = [s.get_value() for s in net.network.states]
    net.reset_states()
    net.predict(X[:, :2])
    for left, right in zip(found, net.network.states, strict=True):
        assert_array_equal(left, right.get_value())


def test_training_goes_on_from_batch_to_batch() -> None:
    """Steps of training are those of a network whose initial states are given by hand."""
    net = model()
    x, start = nn.Input((None, 3)), nn.Input((4,))
    h = nn.SimpleRNN(4, return_sequences=True)(x, start)
    other = nn.Model([x, start], nn.Dense(2)(h))
    reader = nn.Model([x, start], h.states[0])
    other.compile("mse", nn.SGD(0.1), backend="numpy")
    reader.compile("mse", backend="numpy")
    other.set_weights(net.get_weights())
    rows = np.zeros((6, 4), "float32")
    net.fit(X, Y, epochs=1, batch_size=6, shuffle=False, verbose=0)
    for k in (0, 6):
        new = reader.predict([X[k : k + 6], rows])  # by the weights before the step
        other.fit([X[k : k + 6], rows], Y[k : k + 6], batch_size=6, verbose=0)
        rows = new
    for left, right in zip(net.get_weights(), other.get_weights(), strict=True):
        assert_allclose(left, right, rtol=1e-5, atol=1e-7)
    (state,) = net.network.states
    assert_allclose(state.get_value(), rows, rtol=1e-5, atol=1e-7)


def test_validation_leaves_the_states_of_training_alone() -> None:
    alone, watched = model(), model()
    options: dict[str, Any] = {"epochs": 2, "batch_size": 4, "shuffle": False, "verbose": 0}
    alone.fit(X, Y, **options)
    history = watched.fit(X, Y, validation_data=(X[:8], Y[:8]), **options)
    for left, right in zip(alone.get_weights(), watched.get_weights(), strict=True):
        assert_array_equal(left, right)
    watched.reset_states()
    again = watched.evaluate(X[:8], Y[:8], batch_size=4)
    assert again["loss"] == history["val_loss"][-1]
    assert len(watched.network.states[0].get_value()) == 4


def test_files_have_the_states(tmp_path: Path) -> None:
    """Training that goes on from a file in the middle of a text has the same bits."""
    path = tmp_path / "model.safetensors"
    options: dict[str, Any] = {"batch_size": 4, "shuffle": False, "verbose": 0}
    net, fresh = model(), model()
    net.fit(X, Y, epochs=1, **options)
    net.save(path)
    loaded = nn.Model.load(path)
    fresh.restore(path)
    (mine,), (own,), (other,) = (one.network.states for one in (net, loaded, fresh))
    assert len(mine.get_value()) == 4
    assert_array_equal(other.get_value(), mine.get_value())
    for one in (net, loaded):
        one.fit(X, Y, epochs=1, **options)
    for left, right in zip(net.get_weights(), loaded.get_weights(), strict=True):
        assert_array_equal(left, right)
    assert_array_equal(own.get_value(), mine.get_value())
    assert mine.name == own.name == "simple_rnn/state_0"


def test_functions_and_sessions_carry_states() -> None:
    net = model()
    expected = [net.predict(X[:, k : k + 2]) for k in (0, 2)]
    net.reset_states()
    (x,), (y,) = net.network.inputs, net.network.outputs
    f = symtheano.function([x.test], y.test, updates=y.test_updates, mode="INTERPRET")
    for k, array in zip((0, 2), expected, strict=True):
        assert_array_equal(f(X[:, k : k + 2]), array)
    with nn.Graph().as_default() as graph, nn.Session(backend="numpy") as session:
        p = nn.placeholder("float32", (None, None, 3))
        h = nn.SimpleRNN(4, return_sequences=True, stateful=True)(p)
        y = nn.Dense(2)(h)
        for mine, other in zip(graph.trainable, net.parameters, strict=True):
            mine.set_value(other.variable.get_value())
        runs = [session.run(y, {p: X[:, k : k + 2]}) for k in (0, 2)]
        for left, right in zip(runs, expected, strict=True):
            assert_array_equal(left, right)
        (state,) = h.layer.states
        kept = state.get_value()
        session.run(y, {h: np.zeros((3, 4, 4))})  # what was fed instead carries nothing
        assert_array_equal(state.get_value(), kept)
        session.run(h, {p: X}, training=True)
        assert abs(state.get_value() - kept).max() > 1e-3
        h.layer.reset_states([kept])
        session.run(nn.SGD(0.1).minimize(nn.reduce_mean(y**2)), {p: X})
        assert abs(state.get_value() - kept).max() > 1e-3
        session.run(nn.global_variables_initializer())
        assert state.get_value().shape == (0, 4)


def test_messages() -> None:
    x = nn.Input((None, 3), seed=0)
    net = model()
    options: dict[str, Any] = {"batch_size": 4, "verbose": 0}
    with pytest.raises(ValueError, match=r"fit: a stateful layer keeps .* shuffle=False"):
        net.fit(X, Y, **options)
    with pytest.raises(ValueError, match="fit: 11 samples are in batches of 4, but a stateful"):
        net.fit(X[:11], Y[:11], shuffle=False, **options)
    with pytest.raises(ValueError, match="evaluate: 11 samples are in batches of 4"):
        net.evaluate(X[:11], Y[:11], batch_size=4)
    net.predict(X[:4])
    with pytest.raises(ValueError, match=r"predict: 1 samples .* the previous batch had 4"):
        net.predict(X[:1])
    (p,), (y,) = net.network.inputs, net.network.outputs
    f = symtheano.function([p.test], y.test, updates=y.test_updates, mode="INTERPRET")
    with pytest.raises(AssertionError, match=r"SimpleRNN 'simple_rnn' carries .*reset_states"):
        f(X[:1])
    layer = nn.GRU(2, stateful=True)
    with pytest.raises(ValueError, match=r"takes no initial states .* reset_states"):
        layer(x, initial_state=nn.Input((2,)))
    with pytest.raises(ValueError, match="called only once in a network"):
        nn.Model(x, [layer(x), layer(x)])
    with pytest.raises(ValueError, match="with go_backwards=True cannot be stateful"):
        nn.GRU(2, stateful=True, go_backwards=True)
    with pytest.raises(
        ValueError, match="Bidirectional 'bidirectional': does not support stateful"
    ):
        nn.Bidirectional(nn.GRU(2, stateful=True))
    with pytest.raises(ValueError, match="does not support stateful layers, because each step"):
        nn.TimeDistributed(nn.GRU(2, stateful=True))(nn.Input((None, 4, 3)))
    with pytest.raises(ValueError, match="GRU 'gru': also returns its final states"):
        nn.Sequential().gru(2, return_state=True).predict(X)

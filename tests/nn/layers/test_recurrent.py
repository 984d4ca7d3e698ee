"""Recurrent layers: loops without Python, masks, dropout, states, messages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.network import Network

RNG = np.random.default_rng(4)


def run(values: list[Any], outputs: list[Any], *arrays: Any) -> list[Any]:
    f = symtheano.function([v.test for v in values], outputs, mode="INTERPRET")
    found: list[Any] = f(*arrays)
    return found


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def test_lstm_by_hand() -> None:
    x = nn.Input((None, 3), "float64", seed=0)
    layer = nn.LSTM(2, bias_initializer="normal")
    y = layer(x)
    kernel, recurrent, bias = (p.variable.get_value() for p in layer.parameters)
    assert_array_equal(bias[2:4], [1, 1])
    data = RNG.normal(size=(2, 4, 3))
    h = c = np.zeros((2, 2))
    for step in range(4):
        i, f, g, o = np.split(data[:, step] @ kernel + h @ recurrent + bias, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    found = run([x], [y.test, *(s.test for s in y.states)], data)
    for array, expected in zip(found, (h, h, c), strict=True):
        assert_allclose(array, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", [nn.SimpleRNN, nn.LSTM, nn.GRU])
def test_steps_of_training_are_one_loop_in_c(kind: Any) -> None:
    x = nn.Input((None, 3), seed=0)
    y = kind(4)(x)
    grads = symtheano.grad(T.sum(y.train), y.parameters)
    f = symtheano.function([x.train], grads)
    f.wait()
    assert "->python(" not in f.c_source
    outside = [str(node.op) for node in f.fgraph.apply_nodes]
    assert sum(name.startswith("Scan") for name in outside) == 2
    # The input's products, and the gradients of both matrices, are one product each.
    assert outside.count("dot") == 3


def test_final_states_are_initial_ones_of_another_layer() -> None:
    source, target = nn.Input((None, 3), "float64", seed=0), nn.Input((None, 2), "float64")
    read = nn.lstm(source, 4)
    written = nn.lstm(target, 4, return_sequences=True, states=read.states)
    assert [s.shape for s in read.states] == [(4,), (4,)]
    assert len(written.parameters) == 6
    network = Network([source, target], [written, read.states[1]])
    again = Network.from_config(network.config())
    applied = network.again()
    for mine, other in zip(network.parameters, again.parameters, strict=True):
        other.variable.set_value(mine.variable.get_value())
    arrays = RNG.normal(size=(2, 5, 3)), RNG.normal(size=(2, 3, 2))
    left, right, third = (
        run(n.inputs, [v.test for v in n.outputs], *arrays) for n in (network, again, applied)
    )
    for a, b, c in zip(left, right, third, strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()
    assert left[1].shape == (2, 4)


@pytest.mark.parametrize("kind", [nn.SimpleRNN, nn.LSTM, nn.GRU])
@pytest.mark.parametrize("is_backwards", [False, True])
def test_padded_steps_keep_the_state(kind: Any, is_backwards: bool) -> None:
    """A padded sequence has the final states of the one without padding."""
    x = nn.Input((None,), "int32", seed=3)
    words = nn.embedding(x, 6, 3, mask_zero=True)
    y = kind(2, go_backwards=is_backwards, return_sequences=True)(nn.dropout(words, 0.0))
    outputs = [y.test, *(s.test for s in y.states), y.masks[1]]
    f = symtheano.function([x.test], outputs, mode="INTERPRET")
    long = f(np.array([[1, 2, 3, 0, 0], [4, 5, 1, 2, 3]], "int32"))
    short = f(np.array([[1, 2, 3]], "int32"))
    for a, b in zip(long[1:-1], short[1:-1], strict=True):
        assert_allclose(a[:1], b, rtol=1e-6)
    assert_array_equal(long[-1][0], [0, 0, 1, 1, 1] if is_backwards else [1, 1, 1, 0, 0])


def test_one_mask_of_dropout_serves_all_steps() -> None:
    x = nn.Input((None, 3), "float64", seed=1)
    layer = nn.SimpleRNN(
        3,
        "linear",
        dropout=0.5,
        kernel_initializer="identity",
        recurrent_initializer="zeros",
        return_sequences=True,
    )
    y = layer(x)
    assert y.train is not y.test
    train, test = run([x], [y.train, y.test], np.ones((50, 4, 3)))
    assert_array_equal(test, np.ones((50, 4, 3)))
    assert set(np.unique(train)) == {0.0, 2.0}
    assert (train == train[:, :1]).all()
    assert len(np.unique(train[:, 0], axis=0)) == 8


def test_recurrent_dropout_is_of_the_state() -> None:
    x = nn.Input((None, 1), "float64", seed=1)
    y = nn.SimpleRNN(
        1,
        "linear",
        recurrent_dropout=0.5,
        kernel_initializer="ones",
        recurrent_initializer="ones",
        return_sequences=True,
    )(x)
    (train,) = run([x], [y.train], np.ones((40, 3, 1)))
    rows = {tuple(row) for row in train[:, :, 0]}
    assert rows == {(1.0, 1.0, 1.0), (1.0, 3.0, 7.0)}


def test_gradient_of_one_step() -> None:
    x = nn.Input((1, 2), "float64", seed=0)
    y = nn.SimpleRNN(3, "relu", return_sequences=True, use_bias=False)(x)
    factors = T.tensor3("factors", "float64")
    slope = symtheano.grad((y.train * factors).sum(), x.train)
    kernel = y.parameters[0]
    one = np.ones((1, 1, 2))
    f = symtheano.function([x.test, factors], slope, mode="INTERPRET")
    found = f(one, np.ones((1, 1, 3)))
    active = one[0] @ kernel.get_value() > 0
    assert_allclose(found[0], active @ kernel.get_value().T)


def test_messages() -> None:
    x = nn.Input((None, 3))
    with pytest.raises(ValueError, match=r"LSTM 'lstm': takes samples of shape \(n, steps, fea"):
        nn.LSTM(2)(nn.Input((3,)))
    with pytest.raises(ValueError, match="known number of features"):
        nn.GRU(2)(nn.Input((3, None)))
    with pytest.raises(ValueError, match="2 initial states or none, not 1"):
        nn.LSTM(2)(x, nn.Input((2,)))
    with pytest.raises(ValueError, match=r"initial states of shape \(n, 2\), not \(n, 4\)"):
        nn.GRU(2)(x, nn.Input((4,)))
    with pytest.raises(ValueError, match="at least 0 and below 1, not 1"):
        nn.GRU(2, recurrent_dropout=1.0)

"""Layers around others: both directions, each step."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
from symtheano import nn

RNG = np.random.default_rng(6)


def test_both_directions_are_two_layers() -> None:
    x = nn.Input((None, 3), "float64", seed=0)
    layer = nn.Bidirectional(nn.GRU(2, return_sequences=True))
    y = layer(x)
    forward = nn.GRU(2, return_sequences=True)
    backward = nn.GRU(2, return_sequences=True)
    left, right = forward(x), backward(x)
    own = {p.name: p.variable.get_value() for p in layer.parameters}
    for part, prefix in ((forward, "forward/"), (backward, "backward/")):
        for p in part.parameters:
            p.variable.set_value(own[prefix + p.name])
    data = RNG.normal(size=(2, 4, 3))
    f = symtheano.function([x.test], [y.test, left.test, right.test], mode="INTERPRET")
    found, first, _ = f(data)
    _, _, second = f(data[:, ::-1])
    assert_allclose(found, np.concatenate([first, second[:, ::-1]], axis=-1), rtol=1e-12)


def test_each_step_is_a_sample() -> None:
    x = nn.Input((None, 3), "float64", seed=0)
    inner = nn.Dense(2, "tanh", kernel_regularizer="l2")
    y = nn.TimeDistributed(inner)(x)
    assert len(y.penalty.owner.inputs) > 0
    data = RNG.normal(size=(2, 4, 3))
    f = symtheano.function([x.test], y.test, mode="INTERPRET")
    kernel = inner.kernel.get_value()
    assert_allclose(f(data), np.tanh(data @ kernel), rtol=1e-12)


def test_updates_and_masks_go_through() -> None:
    words = nn.embedding(nn.Input((None,), "int32", seed=0), 5, 3, mask_zero=True)
    y = nn.TimeDistributed(nn.BatchNorm())(words)
    assert len(y.updates) == 2
    assert y.masks[1] is words.masks[1]
    x = nn.Input((None, 3))
    frozen = nn.TimeDistributed(nn.BatchNorm(), trainable=False)(x)
    assert frozen.parameters == []
    inner = nn.TimeDistributed(nn.BatchNorm(trainable=False))(x)
    assert (inner.parameters, inner.updates) == ([], [])


def test_steps_that_do_not_exist_are_zeros() -> None:
    x = nn.Input((None,), "int32", seed=0)
    y = nn.bidirectional(
        nn.embedding(x, 5, 3, mask_zero=True), nn.LSTM(2, return_sequences=True), merge_mode="sum"
    )
    found = y.test.eval({x.test: np.array([[1, 2, 0, 0]], "int32")})
    assert_array_equal(found[0, 2:], np.zeros((2, 2)))
    assert (found[0, :2] != 0).all()


def test_messages() -> None:
    with pytest.raises(ValueError, match="merge_mode must be one of concat, sum, mul, average"):
        nn.Bidirectional(nn.GRU(2), "both")
    with pytest.raises(ValueError, match="takes a recurrent layer, not Dense"):
        nn.Bidirectional(nn.Dense(2))
    with pytest.raises(ValueError, match="with the opposite go_backwards"):
        nn.Bidirectional(nn.GRU(2), backward_layer=nn.GRU(2))
    with pytest.raises(ValueError, match="cannot be merged by 'sum'"):
        nn.Bidirectional(nn.GRU(2), "sum", nn.GRU(3, go_backwards=True))(nn.Input((None, 3)))
    with pytest.raises(ValueError, match="takes a layer of one input, not Subtract"):
        nn.TimeDistributed(nn.Subtract())
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, steps, \.\.\.\)"):
        nn.TimeDistributed(nn.Dense(2))(nn.Input(()))

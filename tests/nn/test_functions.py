"""Functions of style one: shapes, parameters, and one graph for training and one for tests."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import nn


def test_two_graphs_share_their_parameters() -> None:
    x = nn.Input((1, 8, 8), name="x", seed=0)
    h = nn.maxpool(nn.conv(x, 4, 3, "relu", padding="same"))
    h = nn.dropout(nn.batch_norm(h), 0.5)
    y = nn.dense(nn.flatten(h), 10, "softmax")
    assert (h.shape, y.shape) == ((4, 4, 4), (10,))
    assert [p.name for p in y.parameters] == [
        "conv2d/kernel", "conv2d/bias", "batch_norm/gamma", "batch_norm/beta", "dense/kernel",
        "dense/bias",
    ]  # fmt: skip
    labels = T.ivector("labels")
    cost = T.nnet.categorical_crossentropy(y.train, labels).mean()
    updates = [*nn.Adam(0.01).updates(cost, y.parameters).items(), *y.updates]
    train = symtheano.function([x.train, labels], cost, updates=updates)
    predict = symtheano.function([x.test], y.test.argmax(axis=1))
    rng = np.random.default_rng(0)
    target = rng.integers(0, 10, 64).astype("int32")
    images = rng.normal(size=(64, 1, 8, 8)).astype("float32")
    images[range(64), 0, target % 8, target // 2] += 6
    costs = [float(train(images, target)) for _ in range(60)]
    assert costs[-1] < 0.3 * costs[0]
    assert (predict(images) == target).mean() > 0.9


@pytest.mark.parametrize(
    ("shape", "expected"), [((2, 9), (3, 3)), ((2, 9, 7), (3, 3, 2)), ((2, 9, 7, 5), (3, 3, 2, 1))]
)
def test_convolutions_and_pooling_take_any_number_of_axes(
    shape: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    y = nn.maxpool(nn.conv(nn.Input(shape), 3, 3))
    assert y.shape == expected
    assert y.test.eval({y.inputs[0].inputs[0].test: np.zeros((2, *shape), "float32")}).shape == (
        2,
        *expected,
    )
    assert nn.avgpool(nn.conv(nn.Input(shape), 3, 3)).shape == expected


def test_samples_without_channels_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"conv takes samples of shape \(channels, 1 to 3 lengths\)"
    ):
        nn.conv(nn.Input((3,)), 2, 3)
    with pytest.raises(ValueError, match="the length of the input's last axis must be known"):
        nn.dense(T.fmatrix(), 2)  # type: ignore[arg-type]


def test_linear_is_dense_without_an_activation() -> None:
    x = nn.Input((3,), seed=0)
    y = nn.linear(x, 2, name="scores")
    assert (y.shape, [p.name for p in y.parameters]) == ((2,), ["scores/kernel", "scores/bias"])
    points = np.ones((1, 3), "float32")
    np.testing.assert_allclose(y.test.eval({x.test: -points}), -y.test.eval({x.test: points}))


def test_activations_are_objects() -> None:
    for name in nn.activations.TABLE:
        assert nn.activations.get(getattr(nn.activations, name)) is nn.activations.get(name)
    with pytest.raises(AttributeError, match="has no attribute 'rleu'"):
        nn.activations.rleu  # noqa: B018

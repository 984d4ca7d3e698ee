"""Noise: what dropout of several kinds leaves, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import nn


def both(layer: Any, data: Any) -> tuple[Any, Any]:
    """Return a layer's output in training and at test."""
    x = nn.Input(data.shape[1:], "float64", seed=5)
    y = layer(x)
    train, test = symtheano.function([x.test], [y.train, y.test], mode="INTERPRET")(data)
    return train, test


def test_channels_stay_or_go_as_a_whole() -> None:
    data = np.ones((20, 4, 5, 6))
    train, test = both(nn.SpatialDropout2D(0.25), data)
    assert (test == data).all()
    assert (train == train[:, :, :1, :1]).all()
    values, counts = np.unique(train[:, :, 0, 0], return_counts=True)
    assert values.round(6).tolist() == [0.0, 1.333333]
    assert 8 < counts[0] < 36
    line, _ = both(nn.SpatialDropout1D(0.5), data[:, :, :, 0])
    assert (line == line[:, :, :1]).all()
    volume, _ = both(nn.SpatialDropout3D(0.5), np.ones((20, 5, 2, 2, 2)))
    assert (volume == volume[:, :, :1, :1, :1]).all()


def test_channels_that_look_last_give_a_warning() -> None:
    images = nn.Input((32, 32, 3))
    with pytest.warns(UserWarning, match="SpatialDropout2D .* so these have 32 channels"):
        nn.SpatialDropout2D(0.2)(images)
    nn.SpatialDropout2D(0.2, data_format="channels_first")(images)
    assert nn.SpatialDropout2D(0.2, data_format="channels_last")(images).shape == (32, 32, 3)


def test_samples_have_as_many_axes_as_the_layer_takes() -> None:
    text = r"samples of shape \(n, channels, rows, columns\), not \(n, 28, 28\)"
    with pytest.raises(ValueError, match=text):
        nn.SpatialDropout2D(0.2)(nn.Input((28, 28)))


def test_alpha_dropout_keeps_mean_and_variance() -> None:
    data = np.random.default_rng(3).normal(size=(400, 100))
    train, test = both(nn.AlphaDropout(0.3), data)
    assert (test == data).all()
    assert abs(train.mean()) < 0.02
    assert abs(train.var() - 1) < 0.02
    limit = np.unique(train.round(9), return_counts=True)
    assert limit[1].max() > 0.28 * data.size


@pytest.mark.parametrize("kind", [nn.Dropout, nn.AlphaDropout, nn.SpatialDropout1D])
@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_rates_are_checked(kind: Any, rate: float) -> None:
    with pytest.raises(ValueError, match="at least 0 and below 1"):
        kind(rate)


def test_rate_of_zero_changes_nothing() -> None:
    x = nn.Input((3, 2), seed=0)
    for layer in (nn.Dropout(0), nn.AlphaDropout(0), nn.SpatialDropout1D(0)):
        assert layer(x).train is x.train

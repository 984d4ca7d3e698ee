"""Normalization over samples and channels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano
from symtheano import nn
from tests.nn.layers.channels import FIRST, LAST, stem


def test_batch_normalization_of_the_last_axis() -> None:
    x = nn.Input((4, 5, 3))
    named, numbered = nn.BatchNorm(**LAST)(x), nn.BatchNorm(axis=-1)(x)
    assert named.parameters[0].get_value().shape == (3,)
    data = np.random.default_rng(0).normal(size=(2, 4, 5, 3)).astype("float32")
    f = symtheano.function([x.test], [named.train, numbered.train])
    assert_array_equal(*f(data))
    assert nn.BatchNorm(**FIRST)(nn.Input((3, 5, 4))).parameters[0].get_value().shape == (3,)


def test_batch_normalization_warns_of_channels_that_look_last() -> None:
    with pytest.warns(UserWarning, match="BatchNorm 'batch_norm': the axes of samples of") as it:
        nn.BatchNorm()(nn.Input((32, 32, 3)))
    assert it[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.BatchNorm(axis=-1)(nn.Input((32, 32, 3)))
        nn.BatchNorm(axis=1)(nn.Input((32, 32, 3)))
        nn.BatchNorm(data_format="channels_first")(nn.Input((32, 32, 3)))
        nn.BatchNorm()(nn.Input((3, 32, 32)))
        nn.BatchNorm()(nn.Input(3))
        nn.BatchNorm()(stem())


def test_a_layer_that_was_built_with_channels_first_warns() -> None:
    for kind in (nn.MaxPool2D, nn.BatchNorm, nn.SpatialDropout2D):
        layer = kind()
        layer(nn.Input((8, 7, 6)))
        with pytest.warns(
            UserWarning, match=f"{kind.__name__} .* was built with its channels"
        ) as it:
            assert layer(stem()).shape[0] in (4, 8)
        assert it[0].filename == __file__
        assert layer.data_format is None
    layer = nn.MaxPool2D(data_format="channels_first")
    layer(nn.Input((8, 7, 6)))
    assert layer(stem()).shape == (8, 3, 3)

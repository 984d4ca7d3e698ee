"""Depthwise and separable convolutions are convolutions of groups."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from symtheano import nn

DATA = np.random.default_rng(0).normal(size=(2, 3, 6, 5)).astype("float32")


def test_channels_of_a_depthwise_convolution_do_not_mix() -> None:
    x = nn.Input((3, 6, 5), seed=0)
    y = nn.DepthwiseConv2D(3, depth_multiplier=2)(x)
    changed = DATA.copy()
    changed[:, 1] += 1
    before, after = (y.test.eval({x.test: data}) for data in (DATA, changed))
    differs = (before != after).any(axis=(0, 2, 3))
    assert differs.tolist() == [False, False, True, True, False, False]


def test_a_separable_convolution_is_a_depthwise_one_and_a_pointwise_one() -> None:
    x = nn.Input((3, 6, 5), seed=0)
    both = nn.SeparableConv2D(4, 3, use_bias=False)
    y = both(x)
    first, second = nn.DepthwiseConv2D(3, use_bias=False), nn.Conv2D(4, 1, use_bias=False)
    z = second(first(x))
    depthwise, pointwise = both.get_weights()
    first.set_weights([depthwise])
    second.set_weights([pointwise])
    assert_allclose(y.test.eval({x.test: DATA}), z.test.eval({x.test: DATA}), rtol=1e-5, atol=1e-6)

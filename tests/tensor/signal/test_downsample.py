"""Theano's older module of pooling: its names of arguments."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano.tensor.signal import downsample, pool
from tests.support.compare import ORACLE


def test_arguments_are_those_of_pooling() -> None:
    x = T.matrix("x")
    value = np.random.default_rng(0).normal(size=(7, 9))
    pairs = [
        (downsample.max_pool_2d(x, (2, 3), True), pool.pool_2d(x, (2, 3), True)),
        (downsample.max_pool_2d(x, (2, 3), False), pool.pool_2d(x, (2, 3), False)),
        (
            downsample.max_pool_2d(x, (3, 3), True, (2, 1), (1, 1), "sum"),
            pool.pool_2d(x, (3, 3), True, (2, 1), (1, 1), "sum"),
        ),
    ]
    for older, newer in pairs:
        found, expected = (item.eval({x: value}, mode=ORACLE) for item in (older, newer))
        np.testing.assert_array_equal(found, expected)
    assert downsample.max_pool_2d_same_size is pool.max_pool_2d_same_size

"""Statistics over processes, in one process; several: tests/nn/training/test_ranks.py."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, nn
from symtheano.nn.layers.synchronized import moments, synchronized, synchronizes

pytestmark = pytest.mark.needs_mpi


def test_moments_are_those_of_the_batch() -> None:
    x = T.ftensor3("x")
    values = np.random.default_rng(0).normal(3, 2, size=(5, 4, 3)).astype("float32")
    mean, variance, count = function([x], moments(x, [0, 2]))(values)
    np.testing.assert_allclose(mean, values.mean((0, 2), keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(variance, values.var((0, 2), keepdims=True), rtol=1e-5)
    assert count == 15
    mean, variance, count = function([x], moments(x, [0, 2]))(values[:0])
    assert (count, mean.tolist(), variance.tolist()) == (0, [[[0.0]] * 4], [[[0.0]] * 4])


def test_layers_are_the_same_with_one_process() -> None:
    x = nn.Input((6, 4, 4))
    layer = nn.BatchNorm(momentum=0.9)
    assert not synchronizes()
    plain = layer(x)
    with synchronized(True):
        assert synchronizes()
        other = layer(x)
    assert not synchronizes()
    values = np.random.default_rng(1).normal(1, 3, size=(5, 6, 4, 4)).astype("float32")
    outputs = [[value.train, *(new for _, new in value.updates)] for value in (plain, other)]
    first, second = (function([x.train], each)(values) for each in outputs)
    for a, b in zip(first, second, strict=True):
        assert a.dtype == b.dtype == "float32"
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)

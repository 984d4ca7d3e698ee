"""Positions, masks and what tells of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from symtheano import nn


def test_positional_encoding() -> None:
    x = nn.Input((None, 5), "float64")
    y = nn.PositionalEncoding(100.0)(x)
    found = y.test.eval({x.test: np.zeros((1, 7, 5))})[0]
    for position, k in np.ndindex(7, 5):
        angle = position / 100.0 ** (2 * (k // 2) / 5)
        assert_allclose(found[position, k], np.cos(angle) if k % 2 else np.sin(angle), atol=1e-12)


def test_learned_positions() -> None:
    x = nn.Input((None, 2), "float64", seed=0)
    layer = nn.PositionEmbedding(4)
    y = layer(x)
    table = layer.table.get_value()
    assert_array_equal(y.test.eval({x.test: np.zeros((1, 3, 2))})[0], table[:3])


def test_messages() -> None:
    with pytest.raises(ValueError, match="6 steps are more than max_length, 5"):
        nn.PositionEmbedding(5)(nn.Input((6, 2)))
    for layer in (nn.PositionalEncoding(), nn.PositionEmbedding(5)):
        with pytest.raises(ValueError, match="with a known number of features"):
            layer(nn.Input((3, None)))
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, steps, features\)"):
        nn.Masking()(nn.Input((3,)))
    with pytest.raises(ValueError, match="takes integers, not float32"):
        nn.Embedding(5, 2)(nn.Input((3,)))
    with pytest.raises(ValueError, match="heads=3 must divide the number of features, which is 4"):
        nn.TransformerBlock(3, 8)(nn.Input((None, 4)))

"""Pooling: windows at the edges, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano import nn

KINDS: list[tuple[Any, Any]] = [(nn.MaxPool2D, np.nanmax), (nn.AveragePool2D, np.nanmean)]


@pytest.mark.parametrize(("kind", "function"), KINDS)
@pytest.mark.parametrize("padding", ["same", ((1, 0), (0, 2)), 1])
def test_padding_does_not_count(kind: Any, function: Any, padding: Any) -> None:
    data = np.random.default_rng(2).normal(size=(2, 3, 6, 5)) - 3
    x = nn.Input((3, 6, 5), "float64")
    y = kind(3, 2, padding)(x)
    found = y.test.eval({x.test: data})
    pairs = ((0, 1), (1, 1)) if padding == "same" else ((1, 1), (1, 1)) if padding == 1 else padding
    wide = np.pad(data, ((0, 0), (0, 0), *pairs), constant_values=np.nan)
    expected = np.empty((2, 3, *y.shape[1:]))
    for row, column in np.ndindex(*y.shape[1:]):
        window = wide[:, :, 2 * row : 2 * row + 3, 2 * column : 2 * column + 3]
        expected[:, :, row, column] = function(window, axis=(2, 3))
    assert_allclose(found, expected, rtol=1e-12)


def test_messages() -> None:
    with pytest.raises(ValueError, match="must be less than pool_size"):
        nn.MaxPool1D(2, padding=2)(nn.Input((3, 5)))
    with pytest.raises(ValueError, match="does not fit into"):
        nn.MaxPool2D(4)(nn.Input((3, 5, 3)))
    with pytest.raises(
        ValueError, match=r"takes samples of shape \(n, channels, rows, columns\), not"
    ):
        nn.MaxPool2D(4)(nn.Input((3, 5)))
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, channels, \.\.\.\), not"):
        nn.GlobalMaxPool()(nn.Input((3,)))

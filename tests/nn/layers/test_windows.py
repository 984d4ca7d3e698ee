"""Padding and numbers of windows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from symtheano.nn.layers import windows


def test_one_number_or_one_for_each_axis() -> None:
    assert windows.per_axis(np.int64(2), 3, "strides") == (2, 2, 2)
    assert windows.per_axis([1, 3], 2, "strides") == (1, 3)
    for wrong in (0, 1.5, (1, 2, 3), "2", (1, 0)):
        with pytest.raises(ValueError, match="strides must be one positive integer"):
            windows.per_axis(wrong, 2, "strides")


@pytest.mark.parametrize(
    ("padding", "expected"),
    [
        ("valid", ((0, 0), (0, 0))),
        ("full", ((2, 2), (1, 1))),
        ("causal", ((2, 0), (1, 0))),
        ("same", ((1, 1), (0, 1))),
        (1, ((1, 1), (1, 1))),
        ((1, 2), ((1, 1), (2, 2))),
        (((1, 0), (0, 2)), ((1, 0), (0, 2))),
    ],
)
def test_padding(padding: Any, expected: windows.Pairs) -> None:
    assert windows.padding_pairs(padding, (8, 9), (3, 2), (1, 1)) == expected


def test_padding_that_is_refused() -> None:
    with pytest.raises(ValueError, match="not 'Same'; it is 'same'"):
        windows.padding_pairs("Same", (8,), (3,), (1,))
    for wrong in (-1, (1, 2, 3), ((1, -1), 0), 0.5):
        with pytest.raises(ValueError, match="margin must be a non-negative integer"):
            windows.padding_pairs(wrong, (8, 8), (3, 3), (1, 1), "margin")
    with pytest.raises(
        ValueError, match="padding: 'same' with strides above 1 needs axes of known"
    ):
        windows.padding_pairs("same", (None,), (3,), (2,))


def test_same_padding_gives_as_many_results_as_strides() -> None:
    for length in range(1, 12):
        for window in (1, 2, 3, 5):
            for stride in (1, 2, 3):
                pair = windows.same(length, window, stride)
                assert pair[1] - pair[0] in (0, 1)
                assert windows.moved(length, window, stride, pair) == -(-length // stride)
    assert windows.same(None, 4, 1) == (1, 2)
    assert windows.moved(None, 3, 1, (0, 0)) is None


def test_windows_of_layers() -> None:
    layer = SimpleNamespace(axes=2, size=(2, 2), padding="valid", argument=lambda name: f"L.{name}")
    windows.check_window(layer, "size", 1)
    for strides, dilation, size, said in (
        (0, 1, (2, 2), "L.strides"), (1, 0, (2, 2), "L.dilation_rate"), (1, 1, (2, 0), "L.size"),
    ):  # fmt: skip
        layer.size = size
        with pytest.raises(ValueError, match=said):
            windows.check_window(layer, "size", strides, dilation)
    layer.size, layer.padding = (2, 2), "wide"
    with pytest.raises(ValueError, match=r"L\.padding must be 'valid', 'same', 'causal'"):
        windows.check_window(layer, "size", 1)
    layer.padding = np.array([[1, 0], [0, 2]])
    windows.check_window(layer, "size", 1)
    assert layer.padding == [[1, 0], [0, 2]]

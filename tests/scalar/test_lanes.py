"""Rows that loops in vectors use, as NumPy functions; compiled code is tested with the passes."""

from __future__ import annotations

import numpy as np

from symtheano.scalar.lanes import round_half, total_of_lanes


def test_floats_are_rounded_to_the_nearest_half() -> None:
    x = np.array([1 + 2**-12, 1 + 2**-11, 1 + 3 * 2**-11, 65520.0, -1e-9, np.nan], "float32")
    want = np.array([1, 1, 1 + 2**-9, np.inf, -0.0, np.nan], "float32")
    rounded = round_half.numpy(x)
    assert rounded.dtype == "float32"
    np.testing.assert_array_equal(rounded, want)
    assert np.signbit(rounded[4])


def test_lanes_are_added_in_pairs() -> None:
    x = np.array([1e16, 1.0, -1e16, 1.0])
    assert total_of_lanes.numpy(x) == (1e16 + 1.0) + (-1e16 + 1.0)

"""Convolutions of films, with time before the channels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal

import symtheano.tensor as T
from symtheano import function

pytestmark = pytest.mark.needs_cc


def normal(*shapes: tuple[int, ...]) -> list[Any]:
    """Return random arrays."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("mode", ["valid", "full", "half", ("full", "valid", "valid"),
                                  ("half", "full", "full")])  # fmt: skip
def test_films(mode: Any) -> None:
    x, w = (T.TensorType("float64", (None,) * 5)() for _ in range(2))
    values = normal((2, 4, 2, 5, 5), (3, 3, 2, 3, 2))
    made = [
        T.nnet.conv3d2d.conv3d(x, w, border_mode=mode),
        T.nnet.conv3d2d.conv3d(x, w, (2, 4, 2, 5, 5), (3, None, 2, 3, 2), mode),
    ]
    names = (mode,) * 3 if isinstance(mode, str) else mode
    pads = [
        {"valid": 0, "full": k - 1, "half": k // 2}[name]
        for name, k in zip(names, (3, 3, 2), strict=True)
    ]
    margins = [(0, 0), (pads[0],) * 2, (0, 0), (pads[1],) * 2, (pads[2],) * 2]
    padded = np.pad(values[0], margins)
    expected = np.array([
        [sum(scipy.signal.convolve(item[:, c], kernel[:, c], "valid") for c in range(2))
         for kernel in values[1]]
        for item in padded
    ]).swapaxes(1, 2)  # fmt: skip
    for found in function([x, w], made)(*values):
        np.testing.assert_allclose(found, expected, atol=1e-12)
    with pytest.raises(TypeError, match="both arrays have 5 axes"):
        T.nnet.conv3d2d.conv3d(x, T.dtensor4("w"))
    with pytest.raises(ValueError, match="border_mode"):
        T.nnet.conv3d2d.conv3d(x, w, border_mode="same")

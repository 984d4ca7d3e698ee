"""Convolutions of matrices, and of several of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal

import symtheano.tensor as T
from symtheano import function
from symtheano.gradient import verify_grad

pytestmark = pytest.mark.needs_cc


def normal(*shapes: tuple[int, ...]) -> list[Any]:
    """Return random arrays."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("mode", ["valid", "full"])
def test_matrices(mode: str) -> None:
    matrices, several = T.dmatrices("a", "b"), (T.dtensor3("x"), T.dtensor3("w"))
    image, kernel = normal((6, 5), (3, 2))
    f = function(list(matrices), T.signal.conv.conv2d(*matrices, border_mode=mode))
    np.testing.assert_allclose(f(image, kernel), scipy.signal.convolve2d(image, kernel, mode))
    images, kernels = normal((4, 6, 5), (3, 3, 2))
    each = np.array([[scipy.signal.convolve2d(x, w, mode) for w in kernels] for x in images])
    made = [
        T.signal.conv.conv2d(*several, (4, 6, 5), (3, 3, 2), mode),
        T.signal.conv.conv2d(several[0], several[1][1], border_mode=mode),
        T.signal.conv.conv2d(several[0][2], several[1], (6, 5), border_mode=mode),
    ]
    for found, expected in zip(function(list(several), made)(images, kernels),
                               (each, each[:, 1], each[2]), strict=True):  # fmt: skip
        np.testing.assert_allclose(found, expected, atol=1e-12)
    verify_grad(lambda a, b: T.signal.conv.conv2d(a, b, border_mode=mode), [image, kernel],
                rng=np.random.default_rng(1))  # fmt: skip
    with pytest.raises(TypeError, match="images and filters are matrices"):
        T.signal.conv.conv2d(T.dtensor4("y"), matrices[0])

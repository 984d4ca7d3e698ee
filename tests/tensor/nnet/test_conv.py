"""The first interface to convolutions: nnet.conv."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.tensor.nnet.conv import ConvOp, conv2d

pytestmark = pytest.mark.needs_cc


def normal(*shapes: tuple[int, ...]) -> list[Any]:
    """Return random arrays."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("mode", ["valid", "full"])
def test_the_first_interface(mode: str) -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = normal((2, 3, 6, 7), (4, 3, 3, 2))
    made = [
        conv2d(x, w, border_mode=mode, subsample=(2, 1)),
        conv2d(input=x, filters=w, image_shape=(2, 3, 6, 7), filter_shape=(4, 3, 3, 2),
               border_mode=mode, subsample=(2, 1)),
        ConvOp((3, 6, 7), (3, 2), 4, 2, 2, 1, output_mode=mode)(x, w),
        ConvOp((6, 7), None, dx=2, output_mode=mode)(x, w),
    ]  # fmt: skip
    expected = T.nnet.conv2d(x, w, border_mode=mode, subsample=(2, 1))
    *found, plain = function([x, w], [*made, expected])(*values)
    for item in found:
        np.testing.assert_array_equal(item, plain)
    shape = ConvOp.getOutputShape((6, 7), (3, 2), (2, 1), mode)
    assert shape == list(plain.shape[2:])


def test_what_the_first_interface_refuses() -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    with pytest.raises(ValueError, match="'half' is neither 'valid' nor 'full'"):
        conv2d(x, w, border_mode="half")
    with pytest.raises(NotImplementedError, match="logical"):
        conv2d(x, w, kshp_logical=(9, 9))
    with pytest.raises(NotImplementedError, match="logical"):
        ConvOp((3, 6, 7), (3, 2), imshp_logical=(3, 12, 14))
    with pytest.raises(ValueError, match=r"imshp=.* has not 2 or 3 lengths"):
        ConvOp((1, 3, 6, 7))
    with pytest.warns(DeprecationWarning, match="conv2d ignores unroll_batch"):
        conv2d(x, w, unroll_batch=2)
    with pytest.raises(ShapeError):
        function([x, w], ConvOp((3, 6, 7), (3, 2))(x, w))(*normal((2, 3, 6, 7), (4, 3, 2, 2)))

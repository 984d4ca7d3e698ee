"""Longer and shorter samples, and functions with arguments: messages."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from symtheano import nn


def test_one_pair_for_one_axis() -> None:
    x = nn.Input((1, None), "float64")
    data = np.arange(5.0).reshape(1, 1, 5)
    wide = nn.ZeroPadding1D((2, 1))(x).test.eval({x.test: data})
    assert wide.ravel().tolist() == [0, 0, 0, 1, 2, 3, 4, 0]
    short = nn.Cropping1D((2, 1))(x).test.eval({x.test: data})
    assert short.ravel().tolist() == [2, 3]
    assert nn.Cropping1D((4, 3))(x).test.eval({x.test: data}).shape == (1, 1, 0)
    assert_array_equal(nn.UpSampling1D(2)(x).test.eval({x.test: data}).ravel(), data.repeat(2))


def test_bilinear_as_in_keras_and_torch() -> None:
    x = nn.Input((1, 2, 2), "float64")
    y = nn.UpSampling2D((2, 3), "bilinear")(x)
    found = y.test.eval({x.test: np.array([[[[0.0, 6.0], [12.0, 18.0]]]])})
    # torch.nn.functional.interpolate(x, scale_factor=(2, 3), mode="bilinear")
    row = np.array([0.0, 0, 2, 4, 6, 6])
    assert_allclose(found[0, 0], [row, row + 3, row + 9, row + 12], rtol=1e-14)


def test_messages() -> None:
    x = nn.Input((3, 5, 4))
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, channels, length\), not"):
        nn.ZeroPadding1D(1)(x)
    with pytest.raises(ValueError, match="elements off an axis of length"):
        nn.Cropping2D(3)(x)
    with pytest.raises(ValueError, match="size must be one positive integer, or one for each of 2"):
        nn.UpSampling2D((2, 0))(x)
    with pytest.raises(ValueError, match="must be 'nearest' or 'bilinear', not 'cubic'"):
        nn.UpSampling2D(2, "cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="numbers for each of 2 axes, not 'same'"):
        nn.ZeroPadding2D("same")(x)
    with pytest.raises(ValueError, match="with a known number of channels"):
        nn.DepthwiseConv2D(3)(nn.Input((None, 5, 4)))
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, channels, length\)"):
        nn.SeparableConv1D(2, 3)(x)
    with pytest.raises(ValueError, match="pieces must be a positive integer, not 0"):
        nn.Maxout(2, pieces=0)
    with pytest.raises(ValueError, match="have no axis 4"):
        nn.Softmax(4)(x)
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, channels, \.\.\.\)"):
        nn.InstanceNorm()(nn.Input((3,)))

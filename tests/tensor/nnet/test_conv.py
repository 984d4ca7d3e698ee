"""The old interfaces to convolutions: nnet.conv, nnet.conv3d2d and signal.conv."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.signal

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.gradient import verify_grad
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

"""Theano's convolution of films with channels last, against sums over windows."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import NotScalarConstantError, ShapeError
from symtheano.gradient import verify_grad
from symtheano.tensor.nnet.Conv3D import Conv3D, conv3D

SHAPES = ((2, 5, 4, 3, 2), (3, 2, 1, 2, 2), (3,))


def test_sums_over_windows():
    rng = np.random.default_rng(0)
    V, W, b = values = [rng.normal(size=shape) for shape in SHAPES]
    variables = [T.TensorType("float64", (None,) * len(shape))() for shape in SHAPES]
    found = function(variables, Conv3D()(*variables, (2, 1, 1)), mode="INTERPRET")(*values)
    assert found.shape == (2, 2, 4, 2, 3)
    for r, c, t in np.ndindex(2, 4, 2):
        window = V[:, 2 * r : 2 * r + 2, c : c + 1, t : t + 2]
        np.testing.assert_allclose(found[:, r, c, t], np.einsum("nabcd,fabcd->nf", window, W) + b)
    verify_grad(lambda *arrays: conv3D(*arrays, d=(2, 1, 1)), values, rng=rng, mode="INTERPRET")


def test_distances_may_be_constants():
    V, W, b = (T.TensorType("float64", (None,) * n)() for n in (5, 5, 1))
    assert conv3D(V=V, W=W, b=b, d=T.constant([1, 2, 1])).ndim == 5
    with pytest.raises(NotScalarConstantError):
        conv3D(V, W, b, T.lvector("d"))


def test_arrays_that_do_not_fit():
    V, W, b = (T.TensorType("float64", (None,) * n)() for n in (5, 5, 1))
    with pytest.raises(TypeError, match="videos are"):
        conv3D(V, W, W, (1, 1, 1))
    f = function([V, W, b], conv3D(V, W, b, (1, 1, 1)), mode="INTERPRET")
    with pytest.raises(ShapeError, match="the image has 2 channels, the filter 3"):
        f(np.ones(SHAPES[0]), np.ones((3, 2, 1, 2, 3)), np.ones(3))

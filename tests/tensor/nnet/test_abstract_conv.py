"""Theano's module has its own order of arguments."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import ShapeError
from symtheano.tensor.nnet import abstract_conv

pytestmark = pytest.mark.needs_cc


def test_the_module_has_its_own_order_of_arguments() -> None:
    rng = np.random.default_rng(1)
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = [rng.normal(size=s) for s in ((1, 2, 6, 6), (2, 1, 2, 2))]
    windows = (None, None, "half", (1, 2), False, (2, 1), 2)
    made = abstract_conv.conv2d(x, w, *windows)
    named = T.nnet.conv2d(x, w, border_mode="half", subsample=(1, 2), filter_flip=False,
                          filter_dilation=(2, 1), num_groups=2)  # fmt: skip
    found, expected = function([x, w], [made, named])(*values)
    np.testing.assert_array_equal(found, expected)
    assert T.nnet.abstract_conv2d is abstract_conv.conv2d


def test_gradients_take_a_shape_as_a_vector() -> None:
    """Only a call knows how many lengths an input vector has."""
    rng = np.random.default_rng(2)
    image, filters, result = (
        rng.normal(size=s) for s in ((2, 3, 7, 6), (4, 3, 3, 2), (2, 4, 4, 3))
    )
    x, w, y, s = T.dtensor4("x"), T.dtensor4("w"), T.dtensor4("y"), T.ivector("s")
    conv = {"subsample": (2, 2), "border_mode": (1, 0)}
    options = {**conv, "data_format": "channels_last"}
    last = (0, 2, 3, 1)
    cases = [
        (abstract_conv.AbstractConv2d_gradInputs(**conv)(w, y, s), (7, 6), 0),
        (abstract_conv.conv2d_grad_wrt_inputs(y, w, s, **conv), image.shape, 0),
        (abstract_conv.AbstractConv2d_gradWeights(**conv)(x, y, s), (3, 2), 1),
        (abstract_conv.conv2d_grad_wrt_weights(x, y, s, **conv), filters.shape, 1),
        (
            abstract_conv.conv2d_grad_wrt_inputs(y.transpose(*last), w, s, **options),
            np.take(image.shape, last), 2,
        ),
    ]  # fmt: skip
    total = (T.nnet.conv2d(x, w, **conv) * y).sum()
    by_image, by_filters = function([x, w, y], grad(total, [x, w]))(image, filters, result)
    expected = [by_image, by_filters, by_image.transpose(*last)]
    for made, lengths, number in cases:
        f = function([x, w, y, s], made, on_unused_input="ignore")
        shape = np.array(lengths, "int32")
        np.testing.assert_allclose(f(image, filters, result, shape), expected[number], rtol=1e-10)
        with pytest.raises(ShapeError, match="axis 0 was declared to have length"):
            f(image, filters, result, shape[1:])

"""Theano's module has its own order of arguments."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
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

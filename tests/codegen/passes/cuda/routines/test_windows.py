"""Launches over images: what a thread computes."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from tests.codegen.passes.cuda.programs import emulated

pytestmark = pytest.mark.needs_cxx

x, w = T.dtensor4("x"), T.dtensor4("w")


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (17, 19)])
def test_each_element_has_a_thread(shape: tuple[int, int]) -> None:
    """A convolution with one filter element multiplies each of them once."""
    image = np.random.default_rng(0).normal(size=(2, 1, *shape))
    result = emulated([x, w], T.nnet.conv2d(x, w))(image, np.full((1, 1, 1, 1), 3.0))
    np.testing.assert_array_equal(result, image * 3)

"""Parameters: their values, read and set."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn


def layer() -> nn.Dense:
    """Return a layer with a kernel of shape (3, 2)."""
    made = nn.Dense(2)
    made(nn.Input((3,), seed=0))
    return made


def test_values_are_copies() -> None:
    kernel = layer().parameters[0]
    kernel.get_value()[:] = 7
    assert not (kernel.get_value() == 7).any()
    kernel.set_value(np.full((3, 2), 7))
    assert (kernel.variable.get_value() == 7).all()
    assert kernel.shape == (3, 2)
    assert kernel.get_value().dtype == "float32"


def test_a_value_of_another_shape_is_refused() -> None:
    kernel = layer().parameters[0]
    with pytest.raises(ValueError, match=r"dense/kernel has shape \(3, 2\), not \(2, 3\)"):
        kernel.set_value(np.zeros((2, 3)))


def test_weights_of_a_layer() -> None:
    dense = layer()
    dense.set_weights([np.ones((3, 2)), [5, 6]])
    kernel, bias = dense.get_weights()
    assert_array_equal(kernel, np.ones((3, 2)))
    assert_array_equal(bias, [5, 6])
    with pytest.raises(ValueError, match="'dense': set_weights: takes 2 arrays, not 1"):
        dense.set_weights([np.zeros((3, 2))])
    with pytest.raises(ValueError, match=r"dense/bias has shape \(2,\)"):
        dense.set_weights([np.zeros((3, 2)), np.zeros(3)])
    assert_array_equal(dense.get_weights()[0], np.ones((3, 2)))

"""Constants from numbers and arrays."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T


def test_names_of_constants() -> None:
    assert repr(T.constant(2)) == "TensorConstant{2}"
    assert repr(T.constant([1, 2])) == "TensorConstant{[1, 2]}"
    assert repr(T.constant(np.zeros((3, 3)))) == "TensorConstant{(3, 3) of 0.0}"
    assert repr(T.constant(np.arange(9))) == "TensorConstant{array of shape (9,)}"
    assert repr(T.constant(1.0, name="one")) == "one"
    with pytest.raises(ValueError, match="read-only"):
        T.constant(np.zeros(3)).data[0] = 1
    source = np.zeros(3)
    held = T.constant(source)
    source[0] = 5
    assert held.data[0] == 0

"""Tensors as linear maps: their inverses and solutions."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.tensor.linalg.tensors import tensorinv, tensorsolve
from tests.tensor.linalg.matrices import (
    arrays,
    same,
    variables,
)


def test_tensors_as_maps() -> None:
    a, b = arrays("float64", (2, 3, 6), (2, 3))
    x, y = variables(a, b)
    same(tensorsolve(x, y), [x, y], [a, b], np.linalg.tensorsolve(a, b), tolerance=1e-9)
    c = a.transpose(0, 2, 1)
    (z,) = variables(c)
    same(tensorsolve(z, y, axes=(1,)), [z, y], [c, b], np.linalg.tensorsolve(c, b, (1,)),
         tolerance=1e-9)  # fmt: skip
    same(tensorinv(x), [x], [a], np.linalg.tensorinv(a), tolerance=1e-9)
    turned = a.reshape(6, 2, 3)
    (x,) = variables(turned)
    same(tensorinv(x, ind=1), [x], [turned], np.linalg.tensorinv(turned, 1), tolerance=1e-9)
    with pytest.raises(ValueError, match="ind=0"):
        tensorinv(x, ind=0)

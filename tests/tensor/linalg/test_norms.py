"""Norms of vectors and matrices of all orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.linalg.norms import norm
from tests.tensor.linalg.matrices import (
    arrays,
    same,
    variables,
)

ORDERS: list[Any] = [None, 1, 2, 3, 0.5, -1, 0, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int32"])
def test_norms(dtype: str) -> None:
    a, m = arrays(dtype, (3, 4, 2), (3, 4))
    a[0, 0, 0] = 1
    a[a == 0] = 1
    x, y = variables(a, m)
    outputs, wanted = [], []
    for keepdims in (False, True):
        for axis in (0, -1):
            outputs += [norm(x, ord, axis, keepdims) for ord in ORDERS]
            wanted += [np.linalg.norm(a, ord, axis, keepdims) for ord in ORDERS]
        for ord in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
            outputs += [norm(x, ord, (0, 2), keepdims), norm(x, ord, (-1, 1), keepdims)]
            wanted += [np.linalg.norm(a, ord, axes, keepdims) for axes in ((0, 2), (-1, 1))]
            outputs.append(norm(y, ord, keepdims=keepdims))
            wanted.append(np.linalg.norm(m, ord, keepdims=keepdims))
    outputs.append(norm(x))
    wanted.append(np.linalg.norm(a))
    same(outputs, [x, y], [a, m], wanted, tolerance=1e-10)
    for bad in ((x, 2), (y, "max"), (x[0, 0], "fro")):
        with pytest.raises(ValueError, match="norm"):
            norm(*bad)


def test_orders_of_norms_by_name() -> None:
    a = np.array([[3.0, -4.0], [0.5, 1.0]])
    for ord in ("inf", "-inf"):
        for value in (a, a[0]):
            wanted = np.linalg.norm(value, float(ord))
            np.testing.assert_allclose(T.nlinalg.norm(value, ord).eval(), wanted)
        extremum = np.max if ord == "inf" else np.min
        np.testing.assert_allclose(T.constant(a).norm(ord).eval(), extremum(abs(a)))
    with pytest.raises(ValueError, match=r"'fro' is not a number(.|\n)*nlinalg.norm"):
        T.constant(a).norm("fro")

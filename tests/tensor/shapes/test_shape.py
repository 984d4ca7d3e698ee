"""Shapes as values, reshape, specify_shape, and functions that rename axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("ndim", [0, 1, 2, 3, 4, 5])
def test_shape_as_a_value(ndim: int) -> None:
    x = TensorType("float32", (None,) * ndim).make_variable("x")
    outputs = [x, x.shape, x.size, T.exp(x).shape, x.T.shape, T.shape(x) * 2]
    outputs += [x.shape[axis] for axis in range(ndim)]
    calls = [[np.zeros(shape, "float32")] for shape in sizes(ndim)]

    def reference(value: Array) -> list[Any]:
        shape = np.array(value.shape, "int64")
        found = [value, shape, np.array(value.size, "int64"), shape, shape[::-1], shape * 2]
        return [*found, *(np.array(n, "int64") for n in value.shape)]

    check([x], outputs, calls, reference, kind="shapes")


def test_lengths_compute() -> None:
    x, v = T.tensor3("x"), T.vector("v")
    n, m = x.shape[0], x.shape[1]
    outputs = [
        n + m, n * m // 2, T.cast(n, "float64") / m, x.sum() / n, v * n, T.zeros((n, m)).shape,
        T.switch(n > m, v, -v), x[: n // 2].shape[0], x.reshape((n * m, -1)).shape,
        T.dot(x[0], x[0].T).shape,
        x[:, 1:].shape, v[v.shape[0] - 1], T.arange(n) + m, x.flatten().shape[0],
        T.stack([n, m, n]),
        T.concatenate([x.shape, v.shape]), x.shape[::-1], x.shape[-1], T.prod(x.shape), x.shape[1:],
    ]  # fmt: skip
    calls = [[np.ones(shape), np.arange(4.0)] for shape in ((2, 3, 4), (5, 2, 1), (1, 1, 1))]
    check([x, v], outputs, calls, kind="shapes")


def test_known_lengths_that_do_not_fit() -> None:
    x, y = TensorType("float64", (3,))("x"), TensorType("float64", (3, 2))("y")
    with pytest.raises(ShapeError, match=r"\(3,\) and \(3, 2\) do not have the same number"):
        x.reshape(y.shape, ndim=2)


def test_layouts() -> None:
    random = np.random.default_rng(4)
    x = T.tensor3("x", "float32")
    outputs = [x.reshape((-1, x.shape[2])), x.flatten(), x.T, x.dimshuffle(1, 0, 2), x.shape,
               x.T.reshape((-1,)), x.reshape((-1,)) * 2]  # fmt: skip
    f, g = compiled([x], outputs), oracle([x], outputs)
    value = random_array(random, "float32", (2, 3, 4))
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(value, layout)], kind="layouts")
    for axis in range(3):
        compare_call(f, g, [repeated(value, axis)], kind="layouts")

"""Products of batches over any axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, dtypes
from symtheano.errors import ShapeError
from symtheano.tensor.linalg.batched import batched_tensordot
from tests.support.arrays import random_array
from tests.support.compare import check, compiled, oracle, outcome
from tests.tensor.linalg.matrices import (
    arrays,
    same,
    tolerance,
    variables,
)


def test_batched_tensordot() -> None:
    a, b = arrays("float64", (2, 3, 4, 5), (2, 4, 5, 3))
    x, y = variables(a, b)
    cases: list[Any] = [2, 0, [[2], [1]], [[1, 3], [3, 2]], [[-1], [2]], [3, 2]]

    def one(axes: Any) -> Any:
        if isinstance(axes, int):
            return axes
        return [[n % 4 - 1 for n in (m if isinstance(m, list) else [m])] for m in axes]

    wanted = [
        np.stack([np.tensordot(p, q, one(axes)) for p, q in zip(a, b, strict=True)])
        for axes in cases
    ]
    outputs = [batched_tensordot(x, y, axes) for axes in cases]
    same(outputs, [x, y], [a, b], wanted, tolerance=1e-12)
    with pytest.raises(ValueError, match="2 axes of the first array, but 1 of the second"):
        batched_tensordot(x, y, [[1, 2], [1]])
    with pytest.raises(ValueError, match="the first axis is the batch"):
        batched_tensordot(x, y, [[0], [1]])
    swapped = oracle([x, y], batched_tensordot(x, y, 2))
    with pytest.raises(ShapeError, match="axis 1 has length 5, but must have length 4"):
        swapped(a, b.transpose(0, 2, 1, 3))


@pytest.mark.needs_cc
@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int16", "float16"])
def test_batched_dot(dtype: str) -> None:
    random = np.random.default_rng(8)
    x, y = T.tensor3("x", dtype), T.tensor3("y", dtype)
    a, b, v = T.matrix("a", dtype), T.matrix("b", dtype), T.vector("v", dtype)
    outputs = [
        T.batched_dot(x, y), T.batched_dot(x, b), T.batched_dot(a, y), T.batched_dot(a, a),
        T.batched_dot(v, y), T.batched_dot(x, v), T.batched_dot(v, v), T.matmul(x, y),
        T.batched_dot(x, y) + 1, T.batched_dot(y.dimshuffle(0, 2, 1), x.dimshuffle(0, 2, 1)),
        T.batched_dot(x[::-1], y), T.batched_dot(x[:, ::-1], y), T.batched_dot(x, y[:, :, ::2]),
    ]  # fmt: skip
    calls = []
    for n, r, k, c in ((3, 2, 4, 5), (0, 2, 4, 5), (3, 0, 4, 5), (3, 2, 0, 5), (3, 2, 4, 0)):
        shapes = ((n, r, k), (n, k, c), (n, k), (n, k), (n,))
        calls.append([random_array(random, dtype, shape) for shape in shapes])
    check([x, y, a, b, v], outputs, calls, kind="products", tolerance=tolerance(dtype))
    f, g = compiled([x, y], outputs[0]), oracle([x, y], outputs[0])
    for shapes in (((2, 3, 4), (3, 4, 5)), ((2, 3, 4), (2, 5, 4))):
        args = [np.ones(shape, dtype) for shape in shapes]
        assert outcome(f, args)[0] is outcome(g, args)[0] is ShapeError


@pytest.mark.needs_cc
@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_batched_dot_of_repeated_and_strided_batches(dtype: str) -> None:
    random = np.random.default_rng(12)
    x, y = T.tensor3("x", dtype), T.tensor3("y", dtype)
    n, k = x.shape[0], x.shape[2]
    outputs = [
        T.batched_dot(x, T.alloc(y[0], n, k, y.shape[2])),
        T.batched_dot(T.alloc(x[0], n, x.shape[1], k), y),
        T.batched_dot(x[::-1], y), T.batched_dot(x[:, ::-1], y[::-1]),
        T.batched_dot(x[::2], y[::2]), T.batched_dot(x[..., ::-1], y[:, ::-1, ::-1]),
        T.batched_dot(x[:, :, :1], y[:, :1]), T.batched_dot(x[:, :1], y[:, :, :1]),
    ]  # fmt: skip
    calls = []
    for n, r, k, c in ((3, 2, 4, 5), (1, 2, 4, 5), (3, 0, 4, 5), (3, 1, 1, 5), (3, 2, 4, 0)):
        calls.append([random_array(random, dtype, shape) for shape in ((n, r, k), (n, k, c))])
    check([x, y], outputs, calls, kind="products", tolerance=tolerance(dtype))


@pytest.mark.needs_cc
@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex128", "int32"])
@pytest.mark.parametrize("order", ["straight", "backwards", "repeated"])
def test_threads_do_not_change_batched_products(dtype: str, order: str) -> None:
    x, y = T.tensor3("x", dtype), T.tensor3("y", dtype)
    left = x[::-1] if order == "backwards" else x
    right = T.alloc(y[0], *y.shape) if order == "repeated" else y
    outputs = [T.batched_dot(left, right), T.batched_dot(left.dimshuffle(0, 2, 1), right)]
    functions = []
    for threads in (1, 2):
        with config.change_flags(threads=threads):
            functions.append(compiled([x, y], outputs))
    random = np.random.default_rng(13)
    # Little work, much in small products, and products that are large themselves.
    for count, n in ((3, 5), (600, 9), (70, 33), (2, 180)):
        args = [random_array(random, dtype, (count, n, n)) for _ in "xy"]
        one, two = (f(*args) for f in functions)
        for first, second in zip(one, two, strict=True):
            np.testing.assert_array_equal(first, second)


@pytest.mark.needs_cc
def test_batched_dot_of_many_dims() -> None:
    rng = np.random.default_rng(0)
    for left, right, words in (
        ((2, 3, 4, 5), (2, 5, 6), "zabk,zkc->zabc"),
        ((2, 4, 5), (2, 3, 5, 6), "zak,zbkc->zabc"),
        ((2, 3, 4, 5), (2, 2, 5, 6), "zabk,zdkc->zabdc"),
        ((2, 3, 4, 5), (2, 5), "zabk,zk->zab"),
        ((0, 3, 4, 5), (0, 5, 6), "zabk,zkc->zabc"),
    ):
        a, b = rng.normal(size=left), rng.normal(size=right)
        x, y = (T.tensor("float64", (False,) * item.ndim) for item in (a, b))
        made = T.batched_dot(x, y)
        np.testing.assert_allclose(made.eval({x: a, y: b}), np.einsum(words, a, b), atol=1e-12)

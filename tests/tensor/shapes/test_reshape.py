"""reshape: static, symbolic and free lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import check, compare_call, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_reshape(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    n, m, k = x.shape[0], x.shape[1], x.shape[2]
    outputs = [
        x.reshape((-1,)), x.reshape((n, -1)), x.reshape((n * m, k)), x.reshape((k, m, n)),
        x.reshape((n, 1, m, k)), x.reshape((1, -1, 1)), x.reshape((m, n * k)).T,
        x.T.reshape((-1, n)),
        x.flatten(), x.flatten(2), x.ravel(), x[::-1].reshape((n, -1)), x[:, ::2].flatten(),
        x.dimshuffle(1, 0, 2).reshape((-1,)), x.reshape((n, -1))[:, ::2], x.reshape(x.shape),
        x.reshape((-1, k)).reshape((n, m, k)).dimshuffle(2, 0, 1).flatten(),
        x.reshape(x.shape[::-1]),
    ]  # fmt: skip
    calls = [[random_array(random, dtype, shape)] for shape in sizes(3)]
    check([x], outputs, calls, kind="reshape")


def test_reshape_of_computed_arrays() -> None:
    random = np.random.default_rng(2)
    x = T.matrix("x")
    e = T.exp(x)
    outputs = [
        e.reshape((-1,)), e.reshape((-1,)).sum(), e.flatten() * 2 + x.flatten(), e.T.flatten(),
        T.tanh(e.reshape((x.shape[1], x.shape[0]))), e.sum(0).reshape((-1, 1)),
        x.sum().reshape((1, 1)),
        x.reshape((x.shape[0], 1, -1)) + e.dimshuffle(0, "x", 1), (x + 1).reshape((-1,))[::-1],
        T.dot(x.reshape((x.shape[1], x.shape[0])), x.reshape((x.shape[0], x.shape[1]))),
    ]  # fmt: skip
    check([x], outputs, [[random_array(random, "float64", s)] for s in sizes(2)], kind="reshape")


def test_reshape_by_sizes_from_the_call() -> None:
    x, n, shape = T.vector("x"), T.lscalar("n"), T.lvector("shape")
    outputs = [x.reshape((n, -1)), x.reshape((-1, n)), T.reshape(x, shape, ndim=2)]
    f, g = compiled([x, n, shape], outputs), oracle([x, n, shape], outputs)
    value = np.arange(12.0)
    for k, dims in ((3, [3, 4]), (12, [1, 12]), (1, [-1, 6]), (4, [6, -1])):
        compare_call(f, g, [value, np.array(k), np.array(dims)], kind="reshape")
        assert f(value, k, dims)[2].tolist() == value.reshape(dims).tolist()
    for k, dims in ((5, [3, 4]), (3, [5, 2]), (3, [-1, 5]), (7, [-1, 7]), (-2, [3, 4])):
        got = outcome(f, [value, np.array(k), np.array(dims)])
        assert got[0] is outcome(g, [value, np.array(k), np.array(dims)])[0]
        assert got[0] is ShapeError


def test_a_free_length_in_a_symbolic_shape() -> None:
    x, n, s = T.dvector("x"), T.lscalar("n"), T.lvector("s")
    minus = T.constant(-1)
    shapes = [
        T.stack([minus, T.constant(3)]),
        T.stack([minus, n]),
        T.stack([x.shape[0] // 3, minus]),
        T.stack([x.shape[0] // 3, minus])[::-1],
        T.as_tensor_variable([n, -1]),
        T.constant([4, -1]),
        T.concatenate([[n], [-1]]),
        T.concatenate([x.shape[:1] // 4, [-1]]),
        T.join(0, T.constant([2, 2]), T.constant([-1])),
        T.set_subtensor(T.stack([n, n])[0], -1),
        T.switch(n > 5, n, T.stack([n, minus])),
    ]
    outputs = [x.reshape(shape) for shape in shapes]
    outputs.append(x.reshape(s, ndim=2))
    rows = [4, 4, 4, 3, 3, 4, 3, 3, 2, 4, 3, 6]
    calls = [(np.arange(12.0), np.array(3), np.array([-1, 2]))]

    def reference(x: Any, n: Any, s: Any) -> list[Any]:
        found = [x.reshape((count, -1)) for count in rows]
        found[8] = x.reshape((2, 2, 3))
        return found

    check([x, n, s], outputs, calls, reference, kind="reshape")


def test_symbolic_shapes_that_do_not_fit() -> None:
    x, s = T.dvector("x"), T.lvector("s")
    f, g = compiled([x, s], x.reshape(s, ndim=2)), oracle([x, s], x.reshape(s, ndim=2))
    for dims, words in (
        ([-1, -1], "only one length may be -1"),
        ([-1, 3, 1], "length 2, but has 3"),
        ([4], "length 2, but has 1"),
        ([-1, 5], r"12 elements can't have shape \(2, 5\)"),
    ):
        got = outcome(f, [np.arange(12.0), np.array(dims)])
        assert got[0] is outcome(g, [np.arange(12.0), np.array(dims)])[0]
        with pytest.raises(ShapeError, match=words):
            f(np.arange(12.0), np.array(dims))


def test_what_reshape_refuses() -> None:
    x = TensorType("float64", (2, 3))("x")
    with pytest.raises(ShapeError, match="do not have the same number of elements"):
        x.reshape((4, 2))
    with pytest.raises(ValueError, match="only one dim may be -1"):
        x.reshape((-1, -1))
    with pytest.raises(ValueError, match="negative dim"):
        x.reshape((-2, 3))
    with pytest.raises(TypeError, match="a dim must be a 0-d integer"):
        x.reshape((2.0, 3))
    y = T.vector("y")
    f, g = compiled([y], y.reshape((2, 3))), oracle([y], y.reshape((2, 3)))
    for size in (0, 5, 7):
        got = outcome(f, [np.ones(size)])
        assert got == outcome(g, [np.ones(size)])
        wanted = "can't have shape (2, 3)"
        assert got == (ShapeError, f"reshape: an array of {size} elements {wanted}")

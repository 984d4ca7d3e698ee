"""Shapes as values, reshape, specify_shape, and functions that rename axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, function
from symtheano.errors import DeclaredShapeError, ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
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


# -- reshape -------------------------------------------------------------------------------------


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


def test_known_lengths_that_a_rule_finds_not_to_fit() -> None:
    """The shape is an array, whose elements are known only when the graph is rewritten."""
    x, y = TensorType("float64", (3,))("x"), TensorType("float64", (3, 2))("y")
    made = x.reshape(y.shape, ndim=2)
    for f in (compiled([x, y], made), oracle([x, y], made)):
        with pytest.raises(ShapeError, match=r"3 elements can't have shape \(3, 2\)"):
            f(np.arange(3.0), np.ones((3, 2)))


# -- static shapes -------------------------------------------------------------------------------


def test_specify_shape_and_addbroadcast() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    fixed = T.specify_shape(x, (3, None))
    row = T.addbroadcast(y, 0)
    assert fixed.type.shape == (3, None)
    assert row.broadcastable == (True, False)
    outputs = [
        fixed * 2,
        fixed,
        x + row,
        row.sum(0),
        fixed.sum(1) + T.patternbroadcast(y, (True, False))[0, 0],
    ]
    f, g = compiled([x, y], outputs), oracle([x, y], outputs)
    compare_call(f, g, [np.ones((3, 4)), np.arange(4.0).reshape(1, 4)], kind="shapes")
    for a, b in (((2, 4), (1, 4)), ((3, 4), (2, 4)), ((0, 4), (1, 4)), ((3, 4), (0, 4))):
        got = outcome(f, [np.ones(a), np.ones(b)])
        assert got == outcome(g, [np.ones(a), np.ones(b)])
        assert got[0] is DeclaredShapeError
        assert "was declared to have length" in got[1]
    with pytest.raises(ShapeError, match="static length 3"):
        T.specify_shape(fixed, (4, None))
    with pytest.raises(ValueError, match="lengths for 2 dims"):
        T.specify_shape(x, (3,))
    assert T.unbroadcast(row, 0) is row


def test_static_shapes_of_inputs_are_checked() -> None:
    x = TensorType("float64", (2, None, 1))("x")
    f = compiled([x], x * 2)
    assert f(np.ones((2, 5, 1))).shape == (2, 5, 1)
    for shape in ((3, 5, 1), (2, 5, 2), (0, 5, 1)):
        with pytest.raises(TypeError, match="static length"):
            f(np.ones(shape))
    with pytest.raises(TypeError, match="wrong number of dims"):
        f(np.ones((2, 5)))


def test_functions_that_rename_axes() -> None:
    random = np.random.default_rng(3)
    x, c = T.tensor3("x"), TensorType("float64", (None, 1, None))("c")
    outputs = [
        T.transpose(x), T.transpose(x, (1, 2, 0)), x.transpose(2, 0, 1), x.transpose((0, -1, 1)),
        T.swapaxes(x, 0, 2), T.swapaxes(x, -1, 1), T.squeeze(c), c.squeeze(1), T.expand_dims(x, 1),
        T.expand_dims(x, -1), T.shape_padleft(x, 2), T.shape_padright(x), T.shape_padaxis(x, 1),
        T.squeeze(T.expand_dims(x, 0)) + x, x.dimshuffle(0, "x", 1, 2) + x.dimshuffle("x", 0, 1, 2),
    ]  # fmt: skip

    def reference(x: Array, c: Array) -> list[Array]:
        return [
            x.T, x.transpose(1, 2, 0), x.transpose(2, 0, 1), x.transpose(0, 2, 1),
            x.swapaxes(0, 2), x.swapaxes(-1, 1), c[:, 0], c[:, 0], x[:, None], x[..., None],
            x[None, None], x[..., None], x[:, None], x + x, x[:, None] + x[None],
        ]  # fmt: skip

    calls = [[random_array(random, "float64", s), random_array(random, "float64", (s[0], 1, 3))]
             for s in ((3, 3, 4), (1, 1, 1), (0, 0, 2))]  # fmt: skip
    check([x, c], outputs, calls, reference, kind="shapes")
    with pytest.raises(ValueError, match="not a permutation of 3 axes"):
        T.transpose(x, (0, 1))


# -- layouts -------------------------------------------------------------------------------------


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


def test_specify_shape_checks_symbolic_lengths() -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    for mode in ("FAST_RUN", "INTERPRET"):
        f = function([x, n], T.specify_shape(x, (n, 2)) * 2, mode=mode)
        np.testing.assert_array_equal(f(np.ones((3, 2)), 3), np.full((3, 2), 2.0))
        with pytest.raises(ValueError, match="axis 0 does not have its declared length"):
            f(np.ones((3, 2)), 4)

"""repeat, tile, and arrays repeated to a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, function
from symtheano.errors import ShapeError
from symtheano.tensor.shapes.repetition import (
    RepeatOp,
    Tile,
    broadcast_arrays,
    broadcast_shape,
    broadcast_to,
    repeat,
    tile,
)
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_repeat_by_numbers(dtype: str) -> None:
    random = np.random.default_rng(1)
    x, n = T.tensor3("x", dtype), T.lscalar("n")
    outputs = [repeat(x, 2, axis) for axis in (None, 0, 1, 2, -1)]
    outputs += [repeat(x, n, axis) for axis in (None, 0, -2)] + [repeat(x, [3], 1)]

    def reference(x: Array, n: Array) -> list[Array]:
        found = [np.repeat(x, 2, axis) for axis in (None, 0, 1, 2, -1)]
        found += [np.repeat(x, int(n), axis) for axis in (None, 0, -2)]
        return [*found, np.repeat(x, 3, 1)]

    calls = [[random_array(random, dtype, dims), np.array(n)] for dims in sizes(3) for n in (0, 3)]
    check([x, n], outputs, calls[:10], reference, kind="repetition")


def test_repeat_by_counts() -> None:
    x, i = T.matrix("x"), T.ivector("i")
    outputs = [
        repeat(x, i, 0), repeat(x.T, i, 1), repeat(T.exp(x), i, 0).sum(0), repeat(x[:, 0], i),
        repeat(x, [2, 0, 1], 1), repeat(x[::-1], i, 0), repeat(x, i, 0).shape[0],
    ]  # fmt: skip

    def reference(x: Array, i: Array) -> list[Array]:
        whole = np.repeat(x, i, 0)
        return [
            whole, np.repeat(x.T, i, 1), np.exp(whole).sum(0), np.repeat(x[:, 0], i),
            np.repeat(x, [2, 0, 1], 1), np.repeat(x[::-1], i, 0), np.array(len(whole)),
        ]  # fmt: skip

    calls = [
        [np.random.default_rng(2).uniform(-1, 1, (len(counts), 3)), np.array(counts, "int32")]
        for counts in ([1, 2, 3], [0, 0], [4], [0, 5, 0, 1], [])
    ]
    check([x, i], outputs, calls, reference, kind="repetition")


def test_counts_that_repeat_refuses() -> None:
    x, i = T.matrix("x"), T.lvector("i")
    y = repeat(x, i, 0)
    for h in (compiled([x, i], y), oracle([x, i], y)):
        found = outcome(h, [np.ones((2, 3)), np.array([1, 2, 3])])
        assert found == (
            ValueError, "repeat: the number of counts is not the length of axis 0"
        )  # fmt: skip
        found = outcome(h, [np.ones((2, 3)), np.array([1, -2])])
        assert found == (ValueError, "repeat: a count is negative")
    with pytest.raises(TypeError, match="counts must be an integer"):
        repeat(x, 1.5)
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        repeat(x, 2, 2)
    k = T.lscalar("k")
    for h in (compiled([x, k], repeat(x, k, 0)), oracle([x, k], repeat(x, k, 0))):
        assert issubclass(outcome(h, [np.ones((2, 3)), np.array(-1)])[0], ValueError)


def test_tile() -> None:
    x, v, n, r = T.matrix("x"), T.vector("v"), T.lscalar("n"), T.lvector("r")
    outputs = [
        tile(x, 2), tile(x, (2, 3)), tile(x, (2, 1, 3)), tile(x, (1, 1)), tile(x, (n, 2)),
        tile(v, (n, 2)), tile(v, n), tile(x, r, ndim=2), tile(v, (2, 2), ndim=3), tile(x, [n]),
        tile(T.exp(x), (2, 2)).sum(0), tile(x.T, (0, 2)),
    ]  # fmt: skip

    def reference(x: Array, v: Array, n: Array, r: Array) -> list[Array]:
        k = int(n)
        return [
            np.tile(x, 2), np.tile(x, (2, 3)), np.tile(x, (2, 1, 3)), x, np.tile(x, (k, 2)),
            np.tile(v, (k, 2)), np.tile(v, k), np.tile(x, tuple(r)), np.tile(v, (1, 2, 2)),
            np.tile(x, k), np.tile(np.exp(x), (2, 2)).sum(0), np.tile(x.T, (0, 2)),
        ]  # fmt: skip

    random = np.random.default_rng(3)
    calls = [
        [random.uniform(-1, 1, shape), random.uniform(-1, 1, 3), np.array(k), np.array([k, 2])]
        for shape in sizes(2)
        for k in (0, 1, 3)
    ]
    check([x, v, n, r], outputs, calls, reference, kind="repetition")
    with pytest.raises(ValueError, match="ndim=1, but the result has at least 2 dims"):
        tile(x, (2, 2), ndim=1)


def test_tile_by_a_vector_of_any_length() -> None:
    x, counts = T.dmatrix("x"), T.ivector("counts")
    value = np.arange(6.0).reshape(2, 3)
    for mode in ("FAST_RUN", "INTERPRET"):
        f = function([x, counts], tile(x, counts, ndim=3), mode=mode)
        for reps in ([], [2], [2, 0], [3, 1, 2]):
            found = f(value, np.array(reps, "int32"))
            expected = np.tile(value, reps)
            np.testing.assert_array_equal(found, expected.reshape((1,) * (3 - expected.ndim)
                                                                  + expected.shape))  # fmt: skip
        with pytest.raises(ValueError, match="tile: more than ndim=3 counts"):
            f(value, np.array([1, 2, 1, 2], "int32"))
        with pytest.raises(ValueError, match="can't have length -1"):
            f(value, np.array([-1], "int32"))
    with pytest.raises(ValueError, match="ndim=1"):
        tile(x, counts, ndim=1)


def test_arrays_repeated_to_a_shape() -> None:
    x, c, v, n = T.matrix("x"), T.col("c"), T.vector("v"), T.lscalar("n")
    outputs = [
        broadcast_to(v, (2, v.shape[0])), broadcast_to(c, (c.shape[0], n)), broadcast_to(3, (n, 2)),
        *broadcast_arrays(c, x, v), *broadcast_arrays(1.5, v),
    ]  # fmt: skip

    def reference(x: Array, c: Array, v: Array, n: Array) -> list[Array]:
        k = int(n)
        return [
            np.broadcast_to(v, (2, len(v))), np.broadcast_to(c, (len(c), k)),
            np.full((k, 2), np.int8(3)), *np.broadcast_arrays(c, x, v),
            *np.broadcast_arrays(np.float32(1.5), v),
        ]  # fmt: skip

    random = np.random.default_rng(4)
    calls = [
        [*(random.uniform(-1, 1, s) for s in ((a, b), (a, 1), (b,))), np.array(k)]
        for a, b, k in ((3, 4, 2), (0, 4, 0), (1, 1, 1))
    ]
    check([x, c, v, n], outputs, calls, reference, kind="repetition")
    assert broadcast_shape() == ()
    with pytest.raises(ShapeError, match="different length"):
        broadcast_shape(T.zeros((3,)), T.zeros((4,)))


def test_gradients_of_repetitions() -> None:
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (2, 3))
    functions: list[Any] = [
        lambda x: repeat(x, 2, 0), lambda x: repeat(x, 3), lambda x: repeat(x, [1, 0, 2], 1),
        lambda x: tile(x, (2, 1, 2)), lambda x: broadcast_to(x, (2, 2, 3)) ** 2,
    ]  # fmt: skip
    check_derivatives([(function, [x]) for function in functions])


def test_the_classes_of_theano() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert Tile(2)(x, (2, 2)).eval().tolist() == np.tile(x, (2, 2)).tolist()
    assert RepeatOp(1)(x, 2).eval().tolist() == np.repeat(x, 2, 1).tolist()

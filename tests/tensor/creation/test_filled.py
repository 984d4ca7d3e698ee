"""Arrays made from shapes and numbers: alloc, zeros, ones, fill, arange, eye."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.tensor.creation.filled import AllocEmpty, empty, empty_like, full
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_filled_arrays_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(1)
    x, s = T.matrix("x", dtype), T.scalar("s", dtype)
    n, m = x.shape[0], x.shape[1]
    outputs = [
        T.zeros((n, m), dtype), T.ones((3, m), dtype), T.zeros_like(x), T.ones_like(x),
        x.zeros_like(),
        T.zeros_like(x, "float32"), T.fill(x, s), T.full_like(x, s), T.alloc(s, n, m),
        T.alloc(x, 2, n, m),
        T.alloc(x[0], n, m), T.zeros((), dtype),
        T.ones_like(s), T.ones(2, dtype), T.eye(n, m, 1, dtype), T.identity_like(x),
        x.ones_like("int8"),
    ]  # fmt: skip

    def reference(x: Array, s: Array) -> list[Any]:
        n, m = x.shape
        return [
            np.zeros((n, m), dtype), np.ones((3, m), dtype), np.zeros_like(x), np.ones_like(x),
            np.zeros_like(x), np.zeros(x.shape, "float32"), np.full_like(x, s), np.full_like(x, s),
            np.full((n, m), s), np.array([x, x]), np.array([x[0]] * n), np.zeros((), dtype),
            np.ones((), dtype), np.ones(2, dtype), np.eye(n, m, 1, dtype), np.eye(n, m, 0, dtype),
            np.ones(x.shape, "int8"),
        ]  # fmt: skip

    calls = [
        [random_array(random, dtype, shape) for shape in (dims, ())] for dims in sizes(2) if dims[0]
    ]
    check([x, s], outputs, calls, reference, kind="creation")


def test_filled_arrays_within_expressions() -> None:
    random = np.random.default_rng(2)
    x, n = T.matrix("x"), T.lscalar("n")
    outputs = [
        x + T.ones_like(x), x * T.zeros_like(x), T.zeros_like(x).sum(), T.ones((n, n)).sum(0),
        T.dot(T.eye(n), T.eye(n)), T.alloc(2.0, n)[1:], T.zeros((n, 3))[::-1] + 1, T.arange(n)[::2],
        T.inc_subtensor(T.zeros((n, n))[0], 1.0), T.exp(T.zeros(n)), T.max(T.ones(n)),
        T.arange(n) * 2,
        T.alloc(x.sum(), n, 2), T.alloc(x.sum(0), n, x.shape[1]),
        T.alloc(x.sum(0), n, x.shape[1]) + 1,
        T.alloc(T.exp(x).dimshuffle("x", 0, 1), n, x.shape[0], x.shape[1]).sum(0), T.fill(x, n),
        T.switch(T.eq(T.arange(n), 1), 5.0, T.zeros(n)),
        T.sum(T.arange(n).dimshuffle(0, "x") * T.arange(n)),
    ]  # fmt: skip
    calls = [[random_array(random, "float64", (3, 4)), np.array(k)] for k in (1, 2, 7)]
    check([x, n], outputs, calls, kind="creation")


def test_lengths_that_alloc_refuses() -> None:
    v, n = T.vector("v"), T.lscalar("n")
    for output in (
        T.zeros((n, 2)),
        T.alloc(v, n),
        T.alloc(v, 2, n),
        T.exp(T.zeros(n)),
    ):
        inputs = [v, n] if v in output.owner.inputs else [n]
        f, g = compiled(inputs, output), oracle(inputs, output)
        for k in (0, 1, 3):
            args = [np.ones(3), np.array(k)] if v in inputs else [np.array(k)]
            compare_call(f, g, args, kind="creation")
        for h in (f, g):
            assert issubclass(outcome(h, [*args[:-1], np.array(-1)])[0], ValueError)
    assert outcome(compiled([n], T.zeros((n, 2))), [np.array(-1)])[0] is ValueError
    assert outcome(compiled([v, n], T.alloc(v, n)), [np.ones(3), np.array(4)])[0] is ShapeError
    with pytest.raises(ValueError, match="can't be broadcast"):
        T.alloc(T.matrix("x"), 3)
    with pytest.raises(TypeError, match="a dim must be a 0-d integer"):
        T.zeros((2.5,))


def test_constants_of_every_kind() -> None:
    x = T.vector("x")
    table = np.arange(200.0).reshape(2, 100)
    values: list[Any] = [1, 2.5, True, 300, 0.1, [1, 2, 3], [[1.5, 2], [3, 4]], np.float32(2),
                         table,
                         np.zeros((0, 3)), table[::-1, ::2], np.array(7, ">i4"), 1j]  # fmt: skip
    outputs = [T.constant(value) for value in values] + [T.constant(table).sum() + x]
    outputs += [T.as_tensor_variable(value) * 2 for value in values]
    check([x], outputs, [[np.arange(3.0)]], kind="creation")
    empty = TensorType("float64", (0, 3))("e")
    check([empty], [empty * 2, empty.sum(0)], [[np.zeros((0, 3))]], kind="creation")


def test_arrays_like_another_of_another_shape() -> None:
    x, n = T.matrix("x", "int8"), T.lscalar("n")
    outputs = [
        T.zeros_like(x, shape=(n, 2)), T.ones_like(x, "float32", shape=(3,)),
        T.full_like(x, 7, shape=(n,)), T.full_like(x, 7, shape=()), empty_like(x, shape=(2, n)),
    ]  # fmt: skip

    def reference(x: Array, n: Array) -> list[Array]:
        k = int(n)
        return [
            np.zeros_like(x, shape=(k, 2)), np.ones_like(x, "float32", shape=(3,)),
            np.full_like(x, 7, shape=(k,)), np.full_like(x, 7, shape=()),
            np.zeros_like(x, shape=(2, k)),
        ]  # fmt: skip

    calls = [[np.ones((2, 3), "int8"), np.array(k)] for k in (0, 4)]
    check([x, n], outputs, calls, reference, kind="creation")


def test_full_and_empty() -> None:
    n, s = T.lscalar("n"), T.scalar("s")
    outputs = [
        full((n, 2), s), full((2, 3), 7), full(n, s, "float32"), full((), s),
        full((2, 3), [1, 2, 3]),
    ]  # fmt: skip

    def reference(n: Array, s: Array) -> list[Array]:
        k = int(n)
        return [
            np.full((k, 2), s), np.full((2, 3), np.int8(7)), np.full(k, s, "float32"),
            np.full((), s),
            np.full((2, 3), np.array([1, 2, 3], "int8")),
        ]  # fmt: skip

    calls = [[np.array(k), np.array(2.5)] for k in (0, 1, 4)]
    check([n, s], outputs, calls, reference, kind="creation")
    for made in (empty((n, 2), "float32"), AllocEmpty("float32")(n, 2)):
        assert made.type == TensorType("float32", (None, 2))
        filled = T.set_subtensor(made[:, :], s.astype("float32"))
        check([n, s], [filled], calls, lambda n, s: [np.full((int(n), 2), s, "f4")],
              kind="creation")  # fmt: skip
    x = T.matrix("x", "int8")
    assert empty_like(x).type == x.type
    assert empty_like(x, "float64").dtype == "float64"


@pytest.mark.parametrize("make", [T.zeros, T.ones])
def test_lengths_that_are_not_one_argument(make: Any) -> None:
    with pytest.raises(TypeError, match=r"the lengths are one argument: \w+\(\(3, 4\)\)"):
        make(3, 4)

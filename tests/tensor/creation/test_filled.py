"""Arrays made from shapes and numbers: alloc, zeros, ones, fill, arange, eye."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, dtypes
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


# -- arange --------------------------------------------------------------------------------------

RANGES: list[tuple[Any, ...]] = [
    (5,), (0,), (-3,), (2, 7), (7, 2), (0, 10, 3), (10, 0, -3), (0, -10, -4), (5, 5), (0, 1, 2),
    (0.0, 1.0, 0.25), (1.0, 0.0, -0.3), (0.5, 3), (0, 1, 0.1), (2.0, 2.0), (-1.5, 1.5, 0.5),
]  # fmt: skip


@pytest.mark.parametrize("floating", [False, True])
def test_arange(floating: bool) -> None:
    fixed = [T.arange(*numbers) for numbers in RANGES]
    dtype = "float64" if floating else "int64"
    a, b, c = (T.scalar(name, dtype) for name in "abc")
    calls = []
    for numbers in RANGES:
        if floating or all(isinstance(n, int) for n in numbers):
            start, stop, step = {1: (0, *numbers, 1), 2: (*numbers, 1)}.get(len(numbers), numbers)
            calls.append([np.array(item, dtype) for item in (start, stop, step)])
    outputs = [*fixed, T.arange(a, b, c), T.arange(a, b, c) * 2, T.arange(a, b, c).sum()]

    def reference(a: Array, b: Array, c: Array) -> list[Any]:
        found = np.arange(a.item(), b.item(), c.item()).astype(dtype)
        return [*(np.arange(*numbers) for numbers in RANGES), found, found * 2, found.sum()]

    f = check([a, b, c], outputs, calls, kind="creation")
    for args in calls:
        for got, want in zip(f(*args), reference(*args), strict=True):
            assert got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


def test_dtypes_of_arange() -> None:
    assert T.arange(3).dtype == "int64"
    assert T.arange(T.bscalar("n")).dtype == "int64"
    assert T.arange(0, 1, T.fscalar("s")).dtype == "float32"
    assert T.arange(3, dtype="int8").dtype == "int8"
    with config.change_flags(floatX="float32"):
        assert T.arange(0.0, 1.0, 0.1).dtype == "float32"
    with pytest.raises(ValueError, match="step is zero"):
        T.arange(0, 3, 0)
    for dtype in ("int8", "uint8", "float16", "float32", "complex64"):
        n = T.lscalar("n")
        y = T.arange(n, dtype=dtype)
        check([n], [y, y + y], [[np.array(k)] for k in (0, 1, 5)], kind="creation")


def test_an_arange_whose_step_turns_out_to_be_zero() -> None:
    a, b, c = (T.lscalar(name) for name in "abc")
    f, g = compiled([a, b, c], T.arange(a, b, c)), oracle([a, b, c], T.arange(a, b, c))
    args = [np.array(0), np.array(3), np.array(0)]
    assert outcome(g, args)[0] is ValueError
    assert outcome(f, args) == outcome(g, args)


def test_eye() -> None:
    n, m, k = T.lscalar("n"), T.lscalar("m"), T.lscalar("k")
    outputs = [T.eye(n, m, k), T.eye(n), T.eye(3, 4, -1), T.eye(n, m, k, "int8") + 1]
    calls = [
        [np.array(v) for v in (a, b, c)] for a in (0, 1, 3) for b in (0, 2, 5) for c in (-3, 0, 1)
    ]

    def reference(n: Array, m: Array, k: Array) -> list[Array]:
        whole = np.eye(int(n), int(m), int(k))
        return [whole, np.eye(int(n)), np.eye(3, 4, -1), whole.astype("int8") + np.int8(1)]

    check([n, m, k], outputs, calls, reference, kind="creation")


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


# -- NumPy's names -------------------------------------------------------------------------------


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


def test_an_identity_matrix_of_negative_size_is_refused() -> None:
    n = T.lscalar("n")
    f, g = compiled([n], T.nonzero(T.eye(n, 2))), oracle([n], T.nonzero(T.eye(n, 2)))
    for run in (f, g):
        with pytest.raises(ValueError, match="eye: axis 0 can't have length -1"):
            run(np.array(-1))
    with pytest.raises(ValueError, match="eye: a length can't be -2"):
        T.eye(-2)

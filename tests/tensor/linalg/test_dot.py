"""Products: all dims, dtypes and layouts, lengths of zero, tensordot, batched products."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, dtypes, function
from symtheano.errors import ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import check, compare_call, compiled, oracle, outcome
from tests.support.layouts import LAYOUTS, laid_out, repeated
from tests.tensor.linalg.matrices import tolerance

pytestmark = pytest.mark.needs_cc


LENGTHS = [(3, 4, 5), (0, 4, 5), (3, 0, 5), (3, 4, 0), (1, 1, 1), (1, 4, 1), (7, 1, 6)]


LENGTHS += [(33, 40, 35)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_dot_of_every_dtype_and_number_of_dims(dtype: str) -> None:
    random = np.random.default_rng(1)
    a, b = T.matrix("a", dtype), T.matrix("b", dtype)
    v, w, s = T.vector("v", dtype), T.vector("w", dtype), T.scalar("s", dtype)
    outputs = [T.dot(a, b), T.dot(a, v), T.dot(v, b), T.dot(v, w), T.dot(s, b), T.dot(v, s)]
    calls = [
        [random_array(random, dtype, shape) for shape in ((n, k), (k, m), (k,), (k,), ())]
        for n, k, m in LENGTHS
    ]
    check([a, b, v, w, s], outputs, calls, kind="products", tolerance=tolerance(dtype))


PAIRS = [("float32", "float64"), ("int8", "float32"), ("bool", "int16"), ("complex64", "float64"),
         ("float16", "float32"), ("uint8", "int8")]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_dot_promotes(pair: tuple[str, str]) -> None:
    random = np.random.default_rng(2)
    a, b = T.matrix("a", pair[0]), T.matrix("b", pair[1])
    c = T.dot(a, b)
    assert c.dtype == dtypes.upcast(*pair)
    args = [random_array(random, pair[0], (3, 4)), random_array(random, pair[1], (4, 2))]
    outputs = [c, T.dot(b.T, a.T)]
    check([a, b], outputs, [args], kind="products", tolerance=tolerance(c.dtype))


SEEN: dict[str, Callable[[Any], Any]] = {
    "plain": lambda a: a,
    "transposed": lambda a: a.T,
    "row step": lambda a: a[::2],
    "column step": lambda a: a[:, ::2],
    "rows reversed": lambda a: a[::-1],
    "columns reversed": lambda a: a[:, ::-1],
    "inside": lambda a: a[1:-1, 1:-1],
    "transposed inside": lambda a: a[1:-1, 1:-1].T,
    "computed": lambda a: T.exp(a),
    "computed and transposed": lambda a: T.tanh(a).T,
    "one row repeated": lambda a: T.alloc(a[0], a.shape[0], a.shape[1]),
    "one column repeated": lambda a: T.alloc(a[:, :1][:, 0], a.shape[1], a.shape[0]),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "float16", "int32"])
def test_operands_seen_in_many_ways(dtype: str) -> None:
    random = np.random.default_rng(3)
    n = 6
    a, b = T.matrix("a", dtype), T.matrix("b", dtype)
    outputs = []
    for left, right in product(SEEN, repeat=2):
        if dtype in ("float16", "int32") and "plain" not in (left, right):
            continue  # loops read any layout
        x, y = SEEN[left](a), SEEN[right](b)
        outputs.append(T.dot(x[:, :3], y[:3]))
    v, w = a[0], b[:, 1]
    for view in (v, v[::-1], v[::2], w, w[::-1], w[::2]):
        outputs += [T.dot(view, b[: view.shape[0]]), T.dot(a[:, : view.shape[0]], view)]
        outputs += [T.dot(view, view), T.dot(view, view[::-1])]
    small = (random_array(random, dtype, (n, n)) / 4).astype(dtype)
    other = (random_array(random, dtype, (n, n)) / 4).astype(dtype)
    check([a, b], outputs, [[small, other]], kind="products", tolerance=tolerance(dtype))


STATIC = [(1, 4, 5), (3, 1, 5), (3, 4, 1), (1, 1, 1), (3, 4, 5), (3, 0, 5), (0, 0, 0), (3, 4, 0)]


@pytest.mark.parametrize("static", STATIC)
def test_static_lengths(static: tuple[int, int, int]) -> None:
    random = np.random.default_rng(4)
    n, k, m = static
    a = TensorType("float64", (n, k)).make_variable("a")
    b = TensorType("float64", (k, m)).make_variable("b")
    outputs = [T.dot(a, b), T.dot(a, b) + 1, T.dot(b.T, a.T), T.dot(T.exp(a), b).sum(0)]
    args = [random_array(random, "float64", shape) for shape in ((n, k), (k, m))]
    check([a, b], outputs, [args], kind="products", tolerance=1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_operands_with_one_row_or_column(n: int) -> None:
    random = np.random.default_rng(5)
    x, v, s, r = T.matrix("x"), T.vector("v"), T.scalar("s"), T.row("r")
    seen = [
        r, r.T, r * s, T.tanh(r).T, r[:, ::-1], r[:, 1:], x[:1], x[:, :1], x[-1:, -1:].T, v[1:],
        v[::-1], v.dimshuffle(0, "x"), v[1:].dimshuffle("x", 0), x.sum(0, keepdims=True),
        T.concatenate([r, r], 0),
        x.sum(1, keepdims=True), s.dimshuffle("x", "x"), x.reshape((-1, 1)), T.alloc(v, 3, n), x,
    ]  # fmt: skip
    values = [random_array(random, "float64", shape) for shape in ((n, n), (n,), (), (1, n))]
    shapes = oracle([x, v, s, r], [item.shape for item in seen])(*values)
    outputs = [
        T.dot(a, b)
        for (a, one), (b, two) in product(zip(seen, shapes, strict=True), repeat=2)
        if one[-1] == two[0] and (a.type.shape[-1], b.type.shape[0]) != (1, None)
    ]
    assert len(outputs) > 90
    check([x, v, s, r], outputs, [values], kind="products", tolerance=1e-12)


def test_products_within_expressions() -> None:
    random = np.random.default_rng(5)
    a, b, c = T.matrices("a", "b", "c")
    v, s = T.vector("v"), T.scalar("s")
    outputs = [
        T.dot(a, b) + c, c - T.dot(a, b), 2 * T.dot(a, b), s * T.dot(a, b) + 0.5 * c,
        T.dot(a, b) * s - c * 3, T.dot(a, b) + v, T.tanh(T.dot(a, b) + v), T.dot(a, T.dot(b, c.T)),
        T.dot(T.dot(a, b), c.T), T.dot(a, b).T, T.dot(a, b).T + c.T, -T.dot(a, b), T.dot(a, b)[1:],
        T.dot(a, b).sum(1), T.dot(a, b) + T.dot(a, b), T.dot(a, b) + T.dot(a * 2, b),
        c + c * T.dot(a, b), T.dot(c.T, a).sum(),
        T.dot(a * s, b), T.dot(a, b * 0), T.outer(v, v), T.outer(a, b)[:2],
        T.dot(c, v) * s + a[:, 0], T.dot(v, c.T) - a[:, 1], T.dot(T.zeros_like(a), b),
        T.dot(a, T.zeros_like(b)) + c,
        T.nnet.softmax(T.dot(a, b)), T.dot(T.nnet.sigmoid(a), b).mean(0), T.dot(a, b) / (1 + s * s),
    ]  # fmt: skip
    calls = [
        [random_array(random, "float64", shape) for shape in ((n, k), (k, m), (n, m), (m,), ())]
        for n, k, m in ((3, 4, 5), (3, 2, 1), (2, 2, 0), (20, 30, 25))
    ]
    check([a, b, c, v, s], outputs, calls, kind="products", tolerance=1e-12)


def test_nan_and_infinity_pass_through_products() -> None:
    a, b, c = T.matrices("a", "b", "c")
    outputs = [T.dot(a, b), T.dot(a, b) + c, 0 * T.dot(a, b), c * 0 + T.dot(a, b)]
    outputs.append(T.dot(b, a[:, 0]))
    calls = []
    for value, where in product((np.nan, np.inf, -np.inf), range(3)):
        args = [np.ones((4, 4)), np.eye(4) + 1, np.full((4, 4), 2.0)]
        args[where][1, 2] = value
        calls.append(args)
    check([a, b, c], outputs, calls, kind="products")


def test_inner_lengths_that_differ() -> None:
    a, b, v = T.matrix("a"), T.matrix("b"), T.vector("v")
    cases: list[tuple[list[Any], Any, list[Any]]] = [
        ([a, b], T.dot(a, b), [np.ones((2, 3)), np.ones((4, 2))]),
        ([a, b], T.dot(a, b), [np.ones((2, 1)), np.ones((4, 2))]),
        ([a, v], T.dot(a, v), [np.ones((2, 3)), np.ones(2)]),
        ([a, v], T.dot(v, a), [np.ones((2, 3)), np.ones(0)]),
        ([a, b], T.tensordot(a, b, 1), [np.ones((2, 3)), np.ones((2, 3))]),
        ([a, b], T.dot(a, b).sum(), [np.ones((2, 3)), np.ones((4, 2))]),
    ]
    for inputs, output, args in cases:
        got = outcome(compiled(inputs, output), args)
        assert got == outcome(oracle(inputs, output), args)
        assert got[0] is ShapeError
        assert "the left factor has" in got[1]
    with pytest.raises(
        ShapeError, match="the left factor has 3 columns, but the right one has 4 rows"
    ):
        T.dot(TensorType("float64", (2, 3))("x"), TensorType("float64", (4, 2))("y"))


def test_dot_of_more_dims() -> None:
    random = np.random.default_rng(6)
    x, a, v = T.tensor3("x"), T.matrix("a"), T.vector("v")
    outputs = [T.dot(x, a), T.dot(x, v), T.dot(a.T, x), T.dot(v, x)]
    outputs.append(T.dot(x, x.dimshuffle(0, 2, 1)))
    args = [random_array(random, "float64", shape) for shape in ((2, 3, 3), (3, 3), (3,))]

    def reference(x: Any, a: Any, v: Any) -> list[Any]:
        turned = x.transpose(0, 2, 1)
        return [np.dot(x, a), np.dot(x, v), np.dot(a.T, x), np.dot(v, x), np.dot(x, turned)]

    check([x, a, v], outputs, [args], reference, kind="products", tolerance=1e-12)


AXES: list[Any] = [0, 1, 2, [[0], [0]], [[2], [0]], [[0, 1], [1, 0]], [[1, 2], [2, 0]],
                   [[1], [2]], [[0, 1, 2], [0, 1, 2]], [[2, 0, 1], [1, 2, 0]], [[-1], [-2]],
                   [1, 1]]  # fmt: skip


def test_tensordot_over_many_axes() -> None:
    random = np.random.default_rng(7)
    x, y = T.tensor3("x"), T.tensor3("y")
    outputs = [T.tensordot(x, y, axes) for axes in AXES]
    calls = [[random_array(random, "float64", (n, n, n)) for _ in "xy"] for n in (3, 1, 0)]

    def reference(x: Any, y: Any) -> list[Any]:
        return [np.tensordot(x, y, axes) for axes in AXES]

    check([x, y], outputs, calls, reference, kind="products", tolerance=1e-12)
    with pytest.raises(ValueError, match="2 axes of the first array, but 1 of the second"):
        T.tensordot(x, y, [[0, 1], [0]])


def test_tensordot_of_axes_that_do_not_fit() -> None:
    x, y = T.matrices("x", "y")
    args = [np.ones((2, 3)), np.ones((3, 2))]
    for axes in (2, [[0, 1], [0, 1]], [[0, 1], [-2, -1]]):
        output = T.tensordot(x, y, axes)
        got = outcome(compiled([x, y], output), args)
        assert got == outcome(oracle([x, y], output), args)
        assert got[0] is ShapeError
        assert got[1] == "tensordot of x and y: axis 0 has length 3, but must have length 2"
    a = T.tensor3("a")
    for axes in ([[0, 3], [1, 2]], [[0, 1], [1, -4]], 4):
        with pytest.raises(ValueError, match="are out of range"):
            T.tensordot(a, a, axes)
    with pytest.raises(ValueError, match="contain one axis twice"):
        T.tensordot(a, a, [[0, -3], [1, 2]])
    with pytest.raises(ShapeError, match="axis 1 has length 4, but must have length 3"):
        T.tensordot(T.zeros((2, 3)), T.zeros((2, 4)), 2)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int8"])
def test_layouts(dtype: str) -> None:
    random = np.random.default_rng(9)
    a, b, v = T.matrix("a", dtype), T.matrix("b", dtype), T.vector("v", dtype)
    outputs = [T.dot(a, b), T.dot(b, a), T.dot(a.T, b), T.dot(a, v), T.dot(v, b)]
    f, g = compiled([a, b, v], outputs), oracle([a, b, v], outputs)
    x, y = random_array(random, dtype, (4, 4)), random_array(random, dtype, (4, 4))
    z = random_array(random, dtype, (4,))
    for one, two in product(LAYOUTS, repeat=2):
        args = [laid_out(x, one), laid_out(y, two), laid_out(z, one)]
        compare_call(f, g, args, kind="layouts", tolerance=tolerance(dtype))
    args = [repeated(x, 0), repeated(y, 1), repeated(z, 0)]
    compare_call(f, g, args, kind="layouts", tolerance=tolerance(dtype))
    compare_call(f, g, [x, x, x[0]], kind="layouts", tolerance=tolerance(dtype))


@pytest.mark.parametrize("dtype", ["int8", "float16"])
def test_loops_of_products_whatever_is_contiguous(dtype: str) -> None:
    x, y, v = T.matrix("x", dtype=dtype), T.matrix("y", dtype=dtype), T.vector("v", dtype=dtype)
    batch = T.tensor3("batch", dtype=dtype)
    other = batch.dimshuffle(0, 2, 1)
    outputs = [T.dot(x, y), T.dot(x.T, y.T), T.dot(v, y), T.dot(x, v), T.dot(v, v)]
    outputs += [T.batched_dot(batch, batch), T.batched_dot(batch, other)]

    def expected(*values: Any) -> list[Any]:
        wide = "float32" if dtype == "float16" else dtype
        x, y, v, batch = (value.astype(wide) for value in values)
        products = [x @ y, x.T @ y.T, v @ y, x @ v, v @ v]
        products += [batch @ batch, batch @ batch.swapaxes(1, 2)]
        return [np.asarray(value).astype(dtype) for value in products]

    random = np.random.default_rng(0)
    lengths = (0, 1, 2, 3, 5, 17, 33, 100)
    squares = [random.integers(-3, 4, (6, n, n)).astype(dtype) for n in lengths]
    calls = [[s[0], s[1], s[2, :1].ravel(), s[3:]] for s in squares]
    calls += [[s[0, ::-1], s[1, :, ::-1], s[2, :, :1].ravel(), s[::2]] for s in squares[4:]]
    check([x, y, v, batch], outputs, calls, expected, kind="products")


@pytest.mark.needs_cc
def test_product_of_vectors_without_rewrites() -> None:
    x, y = T.dvectors("x", "y")
    f = function([x, y], T.dot(x, y), mode=Mode("c", "none"))
    assert f([1.0, 2.0], [3.0, 4.0]) == 11
    assert f([], []) == 0

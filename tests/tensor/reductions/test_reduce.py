"""Reductions: every op, dtype and set of axes; NaN and infinities; empty axes; many elements."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, dtypes, function, grad
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.layouts import LAYOUTS, laid_out, repeated
from tests.tensor.reductions.operands import small

pytestmark = pytest.mark.needs_cc


ORDERED = [dtype for dtype in dtypes.ALL if not dtypes.is_complex(dtype)]


def subsets(ndim: int) -> list[tuple[int, ...]]:
    """Return every set of axes but the empty one."""
    return [axes for n in range(1, ndim + 1) for axes in combinations(range(ndim), n)]


def total(value: Array, axis: Any, ufunc: Any, dtype: Any, inner: Any) -> Array:
    """Return a NumPy reduction with its accumulator's dtype."""
    with np.errstate(all="ignore"):
        result = ufunc.reduce(value.astype(inner), axis=axis)
    return np.asarray(result).astype(dtype)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_sum_and_prod_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    outputs = [op(x, axes) for axes in subsets(3) for op in (T.sum, T.prod, T.any, T.all)]
    calls = [[small(random, dtype, shape)] for shape in sizes(3)]
    kind = np.dtype(dtype).kind
    result = {"b": "int64", "i": "int64", "u": "uint64"}.get(kind, dtype)
    inner = {"float16": "float32", "float32": "float64", "complex64": "complex128"}.get(
        dtype, result
    )

    def reference(value: Array) -> list[Array]:
        found = []
        for axes in subsets(3):
            found += [total(value, axes, u, result, inner) for u in (np.add, np.multiply)]
            found += [(value != 0).any(axes), (value != 0).all(axes)]
        return found

    check([x], outputs, calls, reference, kind="reductions")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", ORDERED)
def test_extrema_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(2)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    outputs = [op(x, axes) for axes in subsets(3) for op in (T.max, T.min)]
    outputs += [op(x, axis) for axis in (0, 1, 2, None) for op in (T.argmax, T.argmin)]
    calls = [[random_array(random, dtype, shape)] for shape in sizes(3) if 0 not in shape]

    def reference(value: Array) -> list[Array]:
        found = [op(value, axis=axes) for axes in subsets(3) for op in (np.max, np.min)]
        arg = [op(value, axis=a) for a in (0, 1, 2, None) for op in (np.argmax, np.argmin)]
        return [*found, *arg]

    f = check([x], outputs, calls, reference, kind="reductions")
    g = oracle([x], outputs)
    for shape in sizes(3):
        if 0 in shape:
            assert outcome(f, [np.zeros(shape, dtype)])[0] is ValueError
            assert outcome(g, [np.zeros(shape, dtype)])[0] is ValueError


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_every_set_of_axes(ndim: int) -> None:
    random = np.random.default_rng(3)
    x = TensorType("float64", (None,) * ndim).make_variable("x")
    chosen = subsets(ndim)
    outputs = [T.sum(x, a) for a in chosen] + [T.sum(x, a, keepdims=True) for a in chosen]
    outputs += [T.max(T.exp(x), a, keepdims=True) for a in chosen]
    calls = [[small(random, "float64", shape)] for shape in sizes(ndim) if 0 not in shape]

    def reference(value: Array) -> list[Any]:
        plain = [value.sum(a) for a in chosen] + [value.sum(a, keepdims=True) for a in chosen]
        return plain + [np.exp(value).max(a, keepdims=True) for a in chosen]

    check([x], outputs, calls, reference, kind="reductions")


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_sums_of_nothing(ndim: int) -> None:
    x = TensorType("float64", (None,) * ndim).make_variable("x")
    outputs = [op(x, a) for a in subsets(ndim) for op in (T.sum, T.prod, T.mean, T.any, T.all)]
    calls = [[np.zeros(shape)] for shape in sizes(ndim) if 0 in shape]

    def reference(value: Array) -> list[Any]:
        found: list[Any] = []
        for axes in subsets(ndim):
            with np.errstate(all="ignore"):
                count = np.prod([value.shape[axis] for axis in axes])
                mean = value.sum(axes) / np.float64(count)
            found += [value.sum(axes), value.prod(axes), mean]
            found += [(value != 0).any(axes), (value != 0).all(axes)]
        return found

    check([x], outputs, calls, reference, kind="reductions")


def test_dtype_and_acc_dtype() -> None:
    random = np.random.default_rng(4)
    cases: list[tuple[str, Any, Any]] = [
        ("float32", None, None), ("float32", "float64", None), ("float32", None, "float32"),
        ("float32", "float32", "float64"), ("float16", None, "float16"),
        ("float16", "float64", None),
        ("int8", "int8", None), ("int8", "int8", "int8"), ("int8", "float32", None),
        ("uint8", "uint8", "uint8"), ("int32", "int32", "int64"), ("bool", "int32", None),
        ("bool", "float64", None), ("complex64", "complex64", "complex64"),
        ("int64", "float64", None),
        ("float64", "float32", None), ("uint16", "int64", "int64"), ("float64", "complex128", None),
    ]  # fmt: skip
    for dtype, result, inner in cases:
        x = T.matrix("x", dtype)
        outputs = [
            op(x, a, dtype=result, acc_dtype=inner) for a in (None, 0, 1) for op in (T.sum, T.prod)
        ]
        assert {item.dtype for item in outputs} == {outputs[0].dtype}
        assert result is None or outputs[0].dtype == result
        calls = [[small(random, dtype, shape)] for shape in ((5, 6), (0, 3), (3, 0), (1, 1))]
        check(
            [x], outputs, calls, kind="reductions", tolerance=6e-3 if dtype == "float16" else None
        )


def test_integer_sums_wrap_around() -> None:
    x = T.matrix("x", "int8")
    outputs = [T.sum(x, a, dtype="int8") for a in (None, 0, 1)]
    outputs += [T.prod(x, a, dtype="int8", acc_dtype="int8") for a in (None, 0, 1)]
    outputs += [T.sum(T.cast(x, "int64") * 2**60, a) for a in (None, 0, 1)]
    random = np.random.default_rng(5)
    calls = [[random.integers(-128, 128, (9, 40)).astype("int8")]]
    check([x], outputs, calls, kind="reductions")


def test_axis_is_checked() -> None:
    x = T.matrix("x")
    with pytest.raises(ValueError, match="out of range"):
        x.sum(axis=2)
    with pytest.raises(ValueError, match="contains an axis twice"):
        x.sum(axis=(1, -1))
    assert x.sum(axis=()) is x
    assert T.sum(T.scalar("s")).ndim == 0


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_nan_infinities_and_zeros(dtype: str) -> None:
    x = TensorType(dtype, (None, None)).make_variable("x")
    outputs = [op(x, a) for a in (None, 0, 1) for op in (T.sum, T.prod, T.max, T.min, T.mean)]
    outputs += [op(x, a) for a in (None, 0, 1) for op in (T.argmax, T.argmin, T.any, T.all)]
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
    calls = []
    for value in special:
        for at in ((0, 0), (1, 2), (3, 16)):
            array = np.linspace(-1, 1, 4 * 17).reshape(4, 17).astype(dtype)
            array[at] = value
            calls.append([array])
    calls.append([np.full((3, 3), -np.inf, dtype)])
    calls.append([np.full((3, 3), np.nan, dtype)])
    calls.append([np.array([[np.inf, -np.inf], [np.nan, 1], [-np.inf, -np.inf]], dtype)])

    def reference(value: Array) -> list[Any]:
        wide = value.astype({"float16": "float32", "float32": "float64"}.get(dtype, dtype))
        found: list[Any] = []
        with np.errstate(all="ignore"):
            for a in (None, 0, 1):
                count = value.size if a is None else value.shape[a]
                sum_ = np.asarray(wide.sum(a)).astype(dtype)
                mean = (sum_ / np.dtype(dtype).type(count)).astype(dtype)
                found += [sum_, np.asarray(wide.prod(a)).astype(dtype)]
                found += [value.max(a), value.min(a), mean]
            for a in (None, 0, 1):
                found += [
                    value.argmax(a),
                    value.argmin(a),
                    (value != 0).any(a),
                    (value != 0).all(a),
                ]
        return found

    check([x], outputs, calls, reference, kind="reductions")


def test_zeros_keep_their_sign_in_extrema_and_empty_sums_are_positive() -> None:
    x = T.vector("x")
    f = compiled([x], [x.sum(), x.max(), x.min(), x.prod()])
    for value in (0.0, -0.0):
        results = f(np.full(9, value))
        assert [np.signbit(item) for item in results[1:3]] == [np.signbit(value)] * 2
    assert not np.signbit(compiled([x], x.sum())(np.zeros(0)))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "complex64"])
def test_layouts(dtype: str) -> None:
    random = np.random.default_rng(9)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    outputs = [T.sum(x * x, a) for a in subsets(3)] + [T.sum(x.dimshuffle(2, 0, 1), 1)]
    if not dtypes.is_complex(dtype):
        outputs += [T.argmax(x, 1), T.max(x, 0)]
    f, g = compiled([x], outputs), oracle([x], outputs)
    array = random_array(random, dtype, (4, 5, 6))
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(array, layout)], kind="layouts")
    for axis in range(3):
        compare_call(f, g, [repeated(array, axis)], kind="layouts")


def test_reductions_of_views() -> None:
    random = np.random.default_rng(10)
    x = T.tensor3("x")
    views = [x[::2], x[::-1], x[:, 1:-1, ::-2], x.dimshuffle(2, 1, 0), x.reshape((-1, x.shape[2])),
             x[0], x[:, :, -1], x.dimshuffle(0, "x", 1, 2), x[:, None, ::2].T]  # fmt: skip
    outputs = []
    for view in views:
        outputs += [T.sum(view, a) for a in (None, *range(view.ndim))]
        outputs += [T.argmin(view, a) for a in range(view.ndim)]
        outputs += [T.max(T.exp(view), -1) - T.min(view, -1)]
    check([x], outputs, [[random_array(random, "float64", (4, 5, 6))]], kind="reductions")


LARGE = [(100_003,), (2**15,), (2**15 + 1,), (3, 40_001), (40_001, 3), (300, 301), (2, 200, 201)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32", "bool"])
@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_large_reductions_have_the_same_bits_on_any_number_of_threads(
    dtype: str, ndim: int
) -> None:
    random = np.random.default_rng(11)
    x = TensorType(dtype, (None,) * ndim).make_variable("x")
    outputs = [op(x, a) for a in subsets(ndim) for op in (T.sum, T.max, T.any)]
    outputs += [T.argmax(x, a) for a in range(ndim)]
    if not dtypes.is_discrete(dtype):
        outputs += [T.sum(T.exp(-x * x), a) for a in subsets(ndim)] + [T.nnet.softmax(x)]
    g = oracle([x], outputs)
    f = {}
    for threads in (1, 2):
        with config.change_flags(threads=threads):
            f[threads] = compiled([x], outputs)
    for shape in LARGE:
        if len(shape) == ndim:
            array = np.abs(random_array(random, dtype, shape))
            tolerance = {"float16": 4e-3, "float64": 1e-12}.get(dtype)
            compare_call(f[1], g, [array], kind="large reductions", tolerance=tolerance)
            for one, two in zip(f[1](array), f[2](array), strict=True):
                assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("shape", [(1, 5), (4, 5), (7, 33), (9, 1), (1023, 3)])
def test_equal_rows_have_equal_sums(shape: tuple[int, int]) -> None:
    """Rows are reduced several at once; which of them a row is does not show."""
    x = T.dmatrix("x")
    row = np.random.default_rng(0).normal(size=shape[1])
    f = function([x], [x.sum(axis=1), x.prod(axis=1), (x * x).sum(axis=1)])
    for found in f(np.tile(row, (shape[0], 1))):
        assert len(set(found.tolist())) == 1


def test_columns_of_what_one_row_makes() -> None:
    x = T.vector("x")
    slope = grad((T.outer(x, x) * 2).sum(axis=0).sum(), x)
    values = np.arange(1.0, 8.0)
    np.testing.assert_allclose(function([x], slope)(values), np.full(7, 4 * values.sum()))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64"])
@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_reductions_by_bits(dtype: str, mode: str) -> None:
    rows = {"and_": np.bitwise_and, "or_": np.bitwise_or, "xor": np.bitwise_xor}
    x = TensorType(dtype, (None, None))("x")
    by_bits = function([x], [T.CAReduce(row, (0,), dtype, dtype)(x) for row in rows], mode=mode)
    values = np.array([[3, 5, 7], [6, 2, 0]]).astype(dtype)
    for part in (values, values[:0]):
        for result, ufunc in zip(by_bits(part), rows.values(), strict=True):
            np.testing.assert_array_equal(result, ufunc.reduce(part, axis=0))

"""Running sums and products, differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, grad
from symtheano.function.verify import verify_grad
from symtheano.tensor.reductions.cumulative import Recurrence, cumprod, cumsum, diff
from symtheano.tensor.type import TensorType
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle
from tests.support.gradients import check_derivatives
from tests.support.layouts import LAYOUTS, laid_out

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_running_sums_and_products(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None, None, None))("x")
    outputs = [f(x, axis) for f in (cumsum, cumprod) for axis in (None, 0, 1, 2)]
    result = {"b": "int64", "i": "int64", "u": "uint64"}.get(np.dtype(dtype).kind, dtype)

    def reference(x: Array) -> list[Array]:
        with np.errstate(all="ignore"):
            return [
                f(x, axis, dtype=result)
                for f in (np.cumsum, np.cumprod)
                for axis in (None, 0, 1, 2)
            ]

    calls = [[(random_array(random, dtype, shape) / 4).astype(dtype)] for shape in sizes(3)]
    # Each result of a half precision sum is rounded, and products of few bits round differently.
    tolerance = 5e-3 if dtype == "float16" else None
    check([x], outputs, calls, reference, kind="cumulative", tolerance=tolerance)


def test_special_values_and_fusion() -> None:
    x = T.matrix("x")
    values = np.array([[1.0, np.inf, -np.inf, 2.0], [np.nan, 1.0, 0.0, -0.0]])
    outputs = [
        cumsum(x, 0), cumsum(x, 1), cumprod(x, 0), cumprod(x, 1), cumsum(T.exp(x), 1).sum(0),
        cumsum(x.T, 0) + 1, cumsum(x[::-1, ::2], -1), cumsum(x, 1, dtype="float32"),
    ]  # fmt: skip

    def reference(x: Array) -> list[Array]:
        with np.errstate(all="ignore"):
            return [
                np.cumsum(x, 0), np.cumsum(x, 1), np.cumprod(x, 0), np.cumprod(x, 1),
                np.cumsum(np.exp(x), 1).sum(0), np.cumsum(x.T, 0) + 1,
                np.cumsum(x[::-1, ::2], 1), np.cumsum(x.astype("f4"), 1),
            ]  # fmt: skip

    check([x], outputs, [[values]], reference, kind="cumulative")
    f, g = compiled([x], outputs), oracle([x], outputs)
    plain = np.random.default_rng(2).uniform(-1, 1, (3, 4))
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(plain, layout)], kind="layouts")


def test_gradients_of_running_sums_and_products() -> None:
    point = np.random.default_rng(3).uniform(-2, 2, (3, 4))
    point[1, 2] = point[2, 2] = point[1, 0] = 0
    functions: list[Any] = []
    for axis in (0, 1, None):
        functions += [lambda x, f=f, axis=axis: f(x, axis) for f in (cumsum, cumprod)]
        functions.append(lambda x, axis=axis: grad((cumprod(x, axis) ** 2).sum(), x))
    check_derivatives([(function, [point]) for function in functions])


def test_gradient_of_a_complex_product() -> None:
    random = np.random.default_rng(4)
    point = random.uniform(-1, 1, 4) + 1j * random.uniform(-1, 1, 4)
    check_derivatives([(lambda x: T.abs(cumprod(x)), [point])])


def test_integers_have_no_gradient_of_running_sums() -> None:
    n = T.lvector("n")
    cost = cumsum(n).sum() * 1.5
    assert grad(cost, n, disconnected_inputs="ignore").eval({n: [1, 2]}).tolist() == [0, 0]


def test_recurrence() -> None:
    a, b = T.matrix("a"), T.matrix("b")
    random = np.random.default_rng(5)

    def reference(a: Array, b: Array) -> list[Array]:
        found = b.copy()
        for k in range(1, len(b)):
            found[k] = a[k] * found[k - 1] + b[k]
        across = b.copy()
        for k in range(1, b.shape[1]):
            across[:, k] = a[:, k] * across[:, k - 1] + b[:, k]
        return [found, across]

    calls = [[random.uniform(-1, 1, shape) for _ in "ab"] for shape in sizes(2)]
    outputs = [Recurrence(0)(a, b), Recurrence(1)(a, b)]
    check([a, b], outputs, calls, reference, kind="cumulative")
    points = [random.uniform(-1, 1, (3, 4)) for _ in "ab"]
    check_derivatives([(Recurrence(0), points), (Recurrence(1), points)])


def test_running_sums_of_batches() -> None:
    x, xs, a, many = T.vector("x"), T.matrix("xs"), T.vector("a"), T.tensor3("many")
    value = np.random.default_rng(8).uniform(-1, 1, (3, 4))
    for made, want in ((cumsum(x), np.cumsum), (cumprod(x), np.cumprod)):
        found = vectorize_graph(made, {x: xs}).eval({xs: value})
        np.testing.assert_allclose(found, want(value, axis=1), rtol=1e-12)
    recurrence = vectorize_graph(Recurrence(0)(a, x), {a: many, x: xs})
    found = recurrence.eval({many: np.ones((2, 3, 4)), xs: value})
    want = np.broadcast_to(np.cumsum(value, 1), (2, 3, 4))
    np.testing.assert_allclose(found, want, rtol=1e-12)


# -- differences -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "complex128"])
def test_diff(dtype: str) -> None:
    random = np.random.default_rng(6)
    x = T.matrix("x", dtype)
    kinds = [(1, -1), (1, 0), (2, 1), (3, 0), (0, 0)]
    outputs = [diff(x, n, axis) for n, axis in kinds]

    def reference(x: Array) -> list[Array]:
        return [np.diff(x, n, axis) for n, axis in kinds]

    calls = [[random_array(random, dtype, shape)] for shape in sizes(2)]
    check([x], outputs, calls, reference, kind="cumulative")


def test_diff_and_its_gradient() -> None:
    point = np.random.default_rng(7).uniform(-1, 1, (4, 2))
    verify_grad(lambda x: diff(x, 2, 0), [point], mode="INTERPRET")
    with pytest.raises(ValueError, match="n=-1 is negative"):
        diff(T.vector("v"), -1)
    with pytest.raises(ValueError, match="axis 3 is out of range"):
        diff(T.vector("v"), 1, 3)
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        cumsum(T.matrix("x"), 2)

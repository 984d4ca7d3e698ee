"""The functions of Theano's module for pooling, and its classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.gradient import Rop, grad
from symtheano.tensor.signal import downsample, pool

X = np.random.default_rng(0).permutation(2 * 6 * 8).reshape(2, 6, 8) / 8.0
TWOS = X.reshape(2, 3, 2, 4, 2)


def test_names_of_arguments() -> None:
    expected = TWOS.max((2, 4))
    x = T.constant(X)
    for made in (
        pool.pool_2d(input=x, ws=(2, 2), ignore_border=True),
        pool.pool_2d(x, ds=(2, 2), st=(2, 2), padding=(0, 0), ignore_border=True, mode="max"),
        pool.pool_2d(x, np.array([2, 2]), True, stride=[2, 2], pad=(0, 0)),
        pool.pool_2d(x, ws=T.constant([2, 2]), ignore_border=True),
        downsample.max_pool_2d(x, ds=(2, 2), ignore_border=True),
        pool.Pool(ignore_border=True)(x, ws=(2, 2)),
        pool.Pool(ignore_border=True, ds=(2, 2), st=(2, 2), padding=(0, 0))(x),
    ):
        np.testing.assert_array_equal(made.eval(), expected)
    with pytest.warns(UserWarning, match="ignore_border is not given"):
        made = downsample.max_pool_2d(x, (4, 5))
    np.testing.assert_array_equal(
        made.eval()[0], [[X[0, :4, :5].max(), X[0, :4, 5:].max()],
                         [X[0, 4:, :5].max(), X[0, 4:, 5:].max()]],
    )  # fmt: skip


def test_modes() -> None:
    padded = np.pad(X, [(0, 0), (1, 0), (1, 0)])[:, :6, :8].reshape(2, 3, 2, 4, 2)
    given: Any = {"ws": (2, 2), "ignore_border": True, "pad": (1, 1)}
    counts = np.full((4, 5), 4)
    counts[[0, -1]] //= 2
    counts[:, [0, -1]] //= 2
    total = pool.pool_2d(X, mode="sum", **given).eval()
    np.testing.assert_allclose(total[:, :3, :4], padded.sum((2, 4)))
    np.testing.assert_allclose(pool.pool_2d(X, mode="average_inc_pad", **given).eval(), total / 4)
    exc = pool.pool_2d(X, mode="average_exc_pad", **given).eval()
    np.testing.assert_allclose(exc, total / counts)


def test_three_axes() -> None:
    x = X.reshape(2, 3, 2, 8)
    made = pool.pool_3d(x, ws=(3, 2, 4), ignore_border=True).eval()
    np.testing.assert_array_equal(made, x.reshape(2, 1, 3, 1, 2, 2, 4).max((2, 4, 6)))


@pytest.mark.parametrize("dtype", ["float16", "int32", "uint8", "int8"])
def test_dtypes_are_kept(dtype: str) -> None:
    x = np.array([[3, 4, 100], [5, 9, 120]], dtype)
    f = function([a := T.TensorType(dtype, (None, None))()], [
        pool.pool_2d(a, (2, 2), False, mode=mode)
        for mode in ("max", "average_exc_pad")
    ])  # fmt: skip
    largest, average = f(x)
    assert {largest.dtype.name, average.dtype.name} == {dtype}
    np.testing.assert_array_equal(largest, [[9, 120]])
    np.testing.assert_array_equal(average, [[5.25 if dtype == "float16" else 5, 110]])


def test_same_size() -> None:
    made = pool.max_pool_2d_same_size(X[:, :5, :7], (2, 2)).eval()
    whole = X[:, :4, :6]
    largest = np.repeat(np.repeat(whole.reshape(2, 2, 2, 3, 2).max((2, 4)), 2, 1), 2, 2)
    expected = np.zeros_like(X[:, :5, :7])
    expected[:, :4, :6] = np.where(whole == largest, whole, 0)
    np.testing.assert_array_equal(made, expected)


def test_classes_of_gradients() -> None:
    rng = np.random.default_rng(1)
    values = [X, rng.normal(size=(2, 3, 4)), rng.normal(size=X.shape)]
    x, g, v = variables = T.dtensor3s("x", "g", "v")
    y = pool.pool_2d(x, (2, 2), True)
    mean = pool.pool_2d(x, (2, 2), True, mode="average_inc_pad")
    left = [
        pool.MaxPoolGrad(True)(x, y, g, (2, 2)),
        pool.AveragePoolGrad(True)(x, g, (2, 2), (2, 2), (0, 0)),
        pool.MaxPoolRop(True)(x, v, (2, 2)),
        pool.DownsampleFactorMaxGradGrad(True)(x, y, v, (2, 2)),
    ]
    slope = Rop(y, [x], [v])
    right = [grad((y * g).sum(), x), grad((mean * g).sum(), x), slope, slope]
    made = function(variables, [*left, *right])(*values)
    for a, b in zip(made[:4], made[4:], strict=True):
        np.testing.assert_allclose(a, b)


def test_shapes_of_results() -> None:
    assert pool.Pool.out_shape((2, 3, 9, 5), ws=(2, 3), ignore_border=False) == [2, 3, 5, 2]
    made = pool.Pool.out_shape((9, 5), (3, 3), True, (2, 2), (1, 1))
    assert made == [5, 3]
    with pytest.raises(ValueError, match="give 2 lengths"):
        pool.Pool.out_shape((4,), (2, 2))


@pytest.mark.parametrize("mode", ["max", "sum", "average"])
def test_spatial_pyramids(mode: str) -> None:
    x = np.random.default_rng(2).normal(size=(2, 3, 5, 7))
    reduce = {"max": np.max, "sum": np.sum, "average": np.mean}[mode]
    expected = [
        [
            reduce(x[item, c, 5 * i // n : -(-5 * (i + 1) // n), 7 * j // n : -(-7 * (j + 1) // n)])
            for n in (3, 1) for c in range(3) for i in range(n) for j in range(n)
        ]
        for item in range(2)
    ]  # fmt: skip
    a = T.dtensor4()
    made = function([a], pool.spatial_pyramid_pool_2d(a, (3, 1), mode))
    np.testing.assert_allclose(made(x), expected)


def test_numbers_may_be_variables_that_are_computed_from_constants() -> None:
    x = T.TensorType("float64", (None, 8, 6))("x")
    value = np.random.default_rng(0).normal(size=(2, 8, 6))
    one, two = T.constant(1), T.constant(2)
    for ws in (
        T.constant([2, 2]), T.constant([1, 1]) * 2, (one + 1, 2), T.stack([two, 2]),
        T.constant([3, 2, 2])[1:], (x.shape[1] // 4, T.constant(2, dtype="int8")),
        T.concatenate([T.constant([2]), x.shape[2:] // 3]),
    ):  # fmt: skip
        got = pool.pool_2d(x, ws, True, stride=T.constant([1, 2]), pad=(one, 0)).eval({x: value})
        wanted = pool.pool_2d(x, (2, 2), True, stride=(1, 2), pad=(1, 0)).eval({x: value})
        np.testing.assert_array_equal(got, wanted)
    whole = pool.pool_2d(x, x.shape[1:], True).eval({x: value})
    np.testing.assert_array_equal(whole, value.max((1, 2), keepdims=True))


def test_arguments_that_are_refused() -> None:
    with pytest.raises(ValueError, match="ws is not given"):
        pool.pool_2d(X, ignore_border=True)
    with pytest.raises(ValueError, match="ws and ds are the same argument"):
        pool.pool_2d(X, (2, 2), True, ds=(2, 2))
    with pytest.raises(ValueError, match="pad and padding are the same argument"):
        pool.pool_2d(X, (2, 2), True, pad=(1, 1), padding=(1, 1))
    with pytest.raises(ValueError, match="at least 3"):
        pool.pool_3d(X[0], (2, 2, 2), True)
    with pytest.raises(ValueError, match="give 2 numbers"):
        pool.pool_2d(X, (2, 2, 2), True, pad=(0, 0, 0))
    with pytest.raises(TypeError, match="arrays of bool"):
        pool.pool_2d(X > 1, (2, 2), True)
    with pytest.raises(ValueError, match="levels="):
        pool.spatial_pyramid_pool_2d(X[None], (0,))
    with pytest.raises(ValueError, match="mode='mean'"):
        pool.spatial_pyramid_pool_2d(X[None], mode="mean")
    with pytest.raises(TypeError, match="items, channels, rows and columns"):
        pool.spatial_pyramid_pool_2d(X)

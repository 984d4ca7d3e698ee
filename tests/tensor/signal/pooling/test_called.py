"""Pooling with numbers that only a call knows, against the op with the same numbers."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, function, grad
from symtheano.errors import ShapeError
from symtheano.gradient import verify_grad
from symtheano.tensor.signal.pool import pool_2d, pool_3d
from symtheano.tensor.signal.pooling.ops import Mode

X, DIRECTION = T.dtensor4("x"), T.dtensor4("direction")
WS, STRIDE, PAD = T.ivector("ws"), T.lvector("stride"), T.lvector("pad")
NUMBERS = [
    ((2, 2), (2, 2), (0, 0)), ((3, 2), (1, 2), (0, 0)), ((3, 3), (2, 1), (2, 1)),
    ((2, 3), (3, 4), (1, 0)), ((9, 2), (1, 1), (0, 0)), ((9, 9), (1, 2), (8, 3)),
]  # fmt: skip

MODES = [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]


def weighted(pooled: Any) -> Any:
    return (pooled * T.arange(pooled.size).reshape(pooled.shape)).sum()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ignore_border", [True, False])
@pytest.mark.parametrize("kind", get_args(Mode))
def test_results_and_gradients_are_those_of_the_op(
    kind: Any, ignore_border: bool, mode: str
) -> None:
    """Also of elements that are equal to the maximum of their window, and of NaN."""
    values = np.random.default_rng(0).integers(0, 4, (2, 2, 7, 8)).astype("float64")
    values[0, 0, 0, 0] = np.nan
    toward = np.random.default_rng(1).normal(size=values.shape)
    made = pool_2d(X, WS, ignore_border, STRIDE, PAD, kind)
    outputs = [made, grad(weighted(made), X), Rop(made, X, DIRECTION)]
    f = function([X, DIRECTION, WS, STRIDE, PAD], outputs, mode=mode)
    for ws, stride, pad in NUMBERS:
        if any(pad) and not ignore_border:
            continue
        known = pool_2d(X, ws, ignore_border, stride, pad, kind)
        wanted = [known, grad(weighted(known), X), Rop(known, X, DIRECTION)]
        expected = function([X, DIRECTION], wanted, mode="INTERPRET")(values, toward)
        found = f(values, toward, np.array(ws, "int32"), stride, pad)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, 1e-12, 1e-12)


@pytest.mark.parametrize("kind", get_args(Mode))
def test_gradients_by_finite_differences(kind: Any) -> None:
    values = np.random.default_rng(2).permutation(30).reshape(5, 6) * 1.0
    verify_grad(lambda x: pool_2d(x, (x.shape[0] - 2, 2), True, (2, 1), (1, 0), kind), [values])


@pytest.mark.parametrize("mode", MODES)
def test_one_window_as_large_as_the_image(mode: str) -> None:
    values = np.random.default_rng(3).normal(size=(2, 3, 4, 5))
    images = T.itensor4("images")
    made = [
        pool_2d(X, X.shape[2:], True), pool_2d(X, X.shape[2:], True, mode="average_exc_pad"),
        pool_2d(X, (X.shape[2], 2), False, data_format="channels_first"),
        pool_3d(X, (1, 2, T.constant(5) * X.shape[0] // 2), True, mode="sum"),
        pool_2d(images, (images.shape[2], 2), True, mode="average_inc_pad"),
    ]  # fmt: skip
    counts = (10 * values).astype("int32")
    largest, mean, half, cube, whole = function([X, images], made, mode=mode)(values, counts)
    np.testing.assert_array_equal(largest, values.max((2, 3), keepdims=True))
    np.testing.assert_allclose(mean, values.mean((2, 3), keepdims=True))
    assert half.shape == (2, 3, 1, 3)
    np.testing.assert_array_equal(half[..., 0, 2], values[..., 4].max(2))
    np.testing.assert_allclose(cube[..., 0], values.reshape(2, 3, 2, 10).sum(-1))
    sums = counts[..., :4].reshape(2, 3, 4, 2, 2).sum((2, 4))
    np.testing.assert_array_equal(whole[:, :, 0], np.trunc(sums / 8))
    assert whole.dtype == "int32"


@pytest.mark.parametrize("mode", MODES)
def test_numbers_that_do_not_fit_are_refused_in_a_call(mode: str) -> None:
    x = T.dmatrix("x")
    some, none = np.ones((3, 3)), np.ones((0, 3))
    whole = function([x, WS, STRIDE, PAD], pool_2d(x, WS, True, STRIDE, PAD), mode=mode)
    cut = function([x, WS, STRIDE, PAD], pool_2d(x, WS, False, STRIDE, PAD), mode=mode)
    two, one, zero = np.array([2, 2], "int32"), [1, 1], [0, 0]
    assert whole(some, two, one, zero).shape == (2, 2)
    assert whole(none, two, one, zero).shape == (0, 2)
    for f, arguments, said in (
        (whole, (some, np.array([0, 2], "int32"), one, zero), "ws and stride must be positive"),
        (whole, (some, two, [1, 0], zero), "ws and stride must be positive"),
        (whole, (some, two, one, [2, 0]), "pad must be at least 0 and less than ws"),
        (whole, (some, two, one, [-1, 0]), "pad must be at least 0 and less than ws"),
        (whole, (none, two, one, one), "axis 0 of the image has no elements"),
        (cut, (some, two, one, [1, 0]), "pad needs ignore_border=True"),
        (cut, (none, two, one, zero), "axis 0 of the image has no elements"),
    ):
        with pytest.raises(ValueError, match=said):
            f(*arguments)
    with pytest.raises(ShapeError, match="axis 0 was declared to have length 2"):
        whole(some, np.array([2, 2, 2], "int32"), one, zero)


def test_arguments_that_are_refused() -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    with pytest.raises(ValueError, match="ws has 3 numbers"):
        pool_2d(x, (n, n, n), True)
    with pytest.raises(ValueError, match="needs at least 2"):
        pool_2d(T.dvector("v"), WS, True)
    with pytest.raises(ValueError, match="mode='least' is not known"):
        pool_2d(x, WS, True, mode="least")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="arrays of bool"):
        pool_2d(T.gt(x, 0), WS, True)

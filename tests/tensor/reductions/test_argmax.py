"""Positions of extrema."""

from __future__ import annotations

import math

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, check

pytestmark = pytest.mark.needs_cc


def test_argmax_takes_the_first_of_equals() -> None:
    x = T.matrix("x")
    outputs = [
        op(x, a, keepdims=keepdims)
        for op in (T.argmax, T.argmin)
        for a in (None, 0, 1)
        for keepdims in (False, True)
    ]
    outputs += [*T.max_and_argmax(x, 1), *T.max_and_argmax(x, 0), *T.max_and_argmax(x)]
    random = np.random.default_rng(6)
    calls = [[random.integers(0, 3, (7, n)).astype("float64")] for n in (1, 2, 9, 100)]
    nan = calls[-1][0].copy()
    nan[random.random(nan.shape) < 0.1] = np.nan
    calls.append([nan])
    check([x], outputs, calls, kind="reductions")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64", "bool"])
@pytest.mark.parametrize("length", [1, 3, 8, 511, 512, 513, 1030, 2049])
def test_positions_in_rows_of_many_blocks(dtype: str, length: int) -> None:
    """The first extremum is found at any position: ties, NaN, infinities, in any block."""
    random = np.random.default_rng(length)
    x = TensorType(dtype, (None, None)).make_variable("x")
    value = random.integers(0, 2, (40, length)).astype(dtype)
    if dtype.startswith("float"):
        value += random.normal(size=value.shape).astype(dtype) * (random.random((40, 1)) < 0.5)
        value[:10] = -np.inf
        value[10:20, random.integers(0, length, 10)] = np.nan
        value[20, :] = np.nan
        value[21, -1] = np.inf
    check(
        [x],
        [T.argmax(x, axis=1), T.argmin(x, axis=1), T.max(x, axis=1), T.min(x, axis=1)],
        [[value], [np.asfortranarray(value[::2])]],
        lambda v: [np.argmax(v, 1), np.argmin(v, 1), np.max(v, 1), np.min(v, 1)],
        kind="reductions",
    )


@pytest.mark.parametrize("length", [3, 10, 37, 600])
def test_position_of_an_extremum_of_what_is_computed(length: int) -> None:
    """The last comparison uses bitwise the same values as the first."""
    x = T.dmatrix("x")
    value = np.random.default_rng(length).normal(size=(30, length))
    outputs = [T.argmax(T.exp(x) / T.exp(x).sum(axis=1, keepdims=True), axis=1)]
    outputs += [T.argmin(T.gammaln(abs(x)), axis=1)]

    def reference(v: Array) -> list[Array]:
        gammaln = np.vectorize(math.lgamma)
        return [np.argmax(v, axis=1), np.argmin(gammaln(abs(v)), axis=1)]

    check([x], outputs, [[value]], reference, kind="reductions")


def test_several_axes_count_as_one() -> None:
    x = T.dtensor3("x")
    value = np.random.default_rng(8).integers(0, 9, (2, 3, 4)).astype("float64")
    value[1, 1, 1] = np.nan
    outputs = [
        T.argmax(x, axis=(0, 2)), T.argmin(x, axis=[1, 0]), T.argmax(x, (1, -1), keepdims=True),
        T.argmax(x, axis=()), *T.max_and_argmax(x, axis=(0, 1, 2)), x.argmin((2, 1)),
    ]  # fmt: skip

    def expected(v: Array) -> list[Array]:
        rows = v.reshape(2, 12)
        return [
            v.transpose(1, 0, 2).reshape(3, 8).argmax(1), v.reshape(6, 4).argmin(0),
            rows.argmax(1)[:, None, None], np.zeros((2, 3, 4), "int64"), np.max(v), np.argmax(v),
            rows.argmin(1),
        ]  # fmt: skip

    check([x], outputs, [[value], [np.asfortranarray(value)]], expected)
    function([x], T.argmax(x, axis=(0, 2)))(np.zeros((1, 0, 1)))  # no rows
    with pytest.raises(ValueError, match="has length 0, so there is no maximum"):
        function([x], T.argmax(x, axis=(0, 2)))(np.zeros((1, 3, 0)))
    with pytest.raises(ValueError, match="contains an axis twice"):
        T.argmax(x, axis=(0, -3))

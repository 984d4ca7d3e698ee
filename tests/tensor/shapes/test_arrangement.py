"""Axes moved, items reversed and shifted, at least so many dims."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.function.verify import verify_grad
from symtheano.tensor.shapes.arrangement import (
    append,
    array_split,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    dsplit,
    flip,
    fliplr,
    flipud,
    hsplit,
    moveaxis,
    ravel,
    roll,
    rollaxis,
    rot90,
    unstack,
    vsplit,
)
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float64", "complex64"])
def test_axes_and_items_in_another_order(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    outputs = [
        moveaxis(x, 0, -1), moveaxis(x, (0, 2), (1, 0)), moveaxis(x, -1, 0), rollaxis(x, 2),
        rollaxis(x, 0, 3), rollaxis(x, -1, -2), flip(x), flip(x, 1), flip(x, (0, -1)), fliplr(x),
        flipud(x), *(rot90(x, k) for k in range(-1, 5)), rot90(x, 1, (2, 0)), rot90(x, 3, (-1, 1)),
    ]  # fmt: skip

    def reference(x: Array) -> list[Array]:
        return [
            np.moveaxis(x, 0, -1), np.moveaxis(x, (0, 2), (1, 0)), np.moveaxis(x, -1, 0),
            np.rollaxis(x, 2), np.rollaxis(x, 0, 3), np.rollaxis(x, -1, -2), np.flip(x),
            np.flip(x, 1), np.flip(x, (0, -1)), np.fliplr(x), np.flipud(x),
            *(np.rot90(x, k) for k in range(-1, 5)), np.rot90(x, 1, (2, 0)),
            np.rot90(x, 3, (-1, 1)),
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = [[random_array(random, dtype, shape)] for shape in sizes(3)]
    check([x], outputs, calls, reference, kind="arrangement")


def test_roll() -> None:
    x, n = T.matrix("x"), T.iscalar("n")
    outputs = [
        roll(x, 1), roll(x, -2, 0), roll(x, 5, 1), roll(x, n), roll(x, n, -1),
        roll(x, (1, n), (0, 1)), roll(x, (1, 2), 0), roll(x, n, (0, 1)),
        roll(T.exp(x), n, 0).sum(1), roll(x.T, n, 1)[::-1],
    ]  # fmt: skip

    def reference(x: Array, n: Array) -> list[Array]:
        k = int(n)
        return [
            np.roll(x, 1), np.roll(x, -2, 0), np.roll(x, 5, 1), np.roll(x, k), np.roll(x, k, -1),
            np.roll(x, (1, k), (0, 1)), np.roll(x, (1, 2), 0), np.roll(x, k, (0, 1)),
            np.roll(np.exp(x), k, 0).sum(1), np.roll(x.T, k, 1)[::-1],
        ]  # fmt: skip

    random = np.random.default_rng(2)
    calls = [
        [random.uniform(-1, 1, shape), np.array(n, "int32")]
        for shape in sizes(2)
        for n in (0, 1, -7)
    ]
    check([x, n], outputs, calls, reference, kind="arrangement")
    point = random.uniform(-1, 1, (2, 3))
    functions: list[Any] = [lambda x: roll(x, 2), lambda x: roll(x, (1, -1), (0, 1)), rot90]
    check_derivatives([(function, [point]) for function in functions])


def test_at_least_so_many_dims() -> None:
    arrays = [T.scalar("s"), T.vector("v"), T.matrix("x"), T.tensor3("t")]
    outputs = [f(a) for f in (atleast_1d, atleast_2d, atleast_3d) for a in arrays]
    outputs += atleast_2d(*arrays)

    def reference(*values: Array) -> list[Array]:
        found = [f(a) for f in (np.atleast_1d, np.atleast_2d, np.atleast_3d) for a in values]
        return [*found, *np.atleast_2d(*values)]

    random = np.random.default_rng(3)
    calls = [[random.uniform(-1, 1, (2, 3, 4)[:ndim]) for ndim in range(4)]]
    check(arrays, outputs, calls, reference, kind="arrangement")


def test_orders_that_do_not_exist() -> None:
    x, v = T.matrix("x"), T.vector("v")
    with pytest.raises(ValueError, match="2 axes for 1 places"):
        moveaxis(x, (0, 1), 0)
    with pytest.raises(ValueError, match="contains an axis twice"):
        moveaxis(x, (0, 0), (0, 1))
    with pytest.raises(ValueError, match="start 3 is outside 2 dims"):
        rollaxis(x, 0, 3)
    with pytest.raises(ValueError, match="1 dims, but at least 2 are needed"):
        fliplr(v)
    with pytest.raises(ValueError, match="3 shifts along 2 axes"):
        roll(x, (1, 2, 3), (0, 1))
    with pytest.raises(TypeError, match="a dim must be a 0-d integer"):
        roll(x, 1.5)
    assert dtypes.is_float(roll(x, 1).dtype)


# -- parts -----------------------------------------------------------------------------------------


def test_parts() -> None:
    x, v, n = T.tensor3("x"), T.vector("v"), T.lscalar("n")
    u = TensorType("float64", (None, 2))("u")
    outputs = [
        *array_split(v, 3), *array_split(x, 2, -1), *array_split(v, [n, -1]), *array_split(u, 3, 1),
        *array_split(v, []), *hsplit(x, 2), *hsplit(v, [1, n]), *vsplit(x, [1]), *dsplit(x, 2),
        *hsplit(u, 2), *unstack(u, 1), append(v, x), append(x, x[:1], 0), append(v, 3, axis=None),
        ravel(x), ravel(x, "F"), ravel(7),
    ]  # fmt: skip

    def reference(x: Array, v: Array, n: Array, u: Array) -> list[Array]:
        k = int(n)
        return [
            *np.array_split(v, 3), *np.array_split(x, 2, -1), *np.array_split(v, [k, -1]),
            *np.array_split(u, 3, 1), *np.array_split(v, []), *np.hsplit(x, 2),
            *np.hsplit(v, [1, k]), *np.vsplit(x, [1]), *np.dsplit(x, 2), *np.hsplit(u, 2),
            u[:, 0], u[:, 1], np.append(v, x), np.append(x, x[:1], 0), np.append(v, 3), np.ravel(x),
            np.ravel(x, "F"), np.array([7], "int8"),
        ]  # fmt: skip

    random = np.random.default_rng(5)
    calls = [
        [random.normal(size=s) for s in (shape, length)] + [np.array(k), random.normal(size=(3, 2))]
        for shape, length, k in (((3, 2, 4), 7, 2), ((1, 4, 2), 3, 0), ((2, 0, 0), 0, 1))
    ]
    check([x, v, n, u], outputs, calls, reference, kind="arrangement")
    verify_grad(lambda v: array_split(v, 3)[1] ** 2, [np.arange(7.0)], mode="INTERPRET")


def test_parts_that_do_not_exist() -> None:
    x = T.matrix("x")
    for h in (compiled([x], vsplit(x, 2)), oracle([x], vsplit(x, 2))):
        found = outcome(h, [np.ones((3, 2))])
        assert found == (ValueError, "vsplit: the axis can't be divided into 2 equal parts")
    with pytest.raises(ValueError, match="the number of parts must be positive, not 0"):
        array_split(x, 0)
    with pytest.raises(ValueError, match="dsplit: 2 dims, but at least 3 are needed"):
        dsplit(x, 2)
    with pytest.raises(ValueError, match="hsplit: 0 dims, but at least 1 are needed"):
        hsplit(T.scalar("s"), 2)
    with pytest.raises(ValueError, match="the length of axis 0 is not known"):
        unstack(x)
    with pytest.raises(ValueError, match="order 'K' is neither"):
        ravel(x, "K")


def test_turns_are_known() -> None:
    with pytest.raises(TypeError, match="rot90: the number of turns must be a Python int"):
        rot90(T.dmatrix("m"), T.lscalar("k"))

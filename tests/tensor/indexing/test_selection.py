"""Parts that conditions select."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import BoundsError
from symtheano.tensor.indexing.selection import (
    argwhere,
    compress,
    count_nonzero,
    extract,
    select,
    where,
)
from tests.support.compare import Array, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


def test_items_that_a_condition_selects() -> None:
    c, x = T.vector("c", "bool"), T.matrix("x")
    outputs = [
        compress(c, x, 0), compress(c[:2], x, 0), compress(c, x.T, 1), compress(x[:, 0] > 0, x, 0),
        compress(c, x), compress(c, x, 0).sum(), argwhere(x > 0), argwhere(x[0]), argwhere(c),
    ]  # fmt: skip

    def reference(c: Array, x: Array) -> list[Array]:
        return [
            np.compress(c, x, 0), np.compress(c[:2], x, 0), np.compress(c, x.T, 1),
            np.compress(x[:, 0] > 0, x, 0), np.compress(c, x), np.compress(c, x, 0).sum(),
            np.argwhere(x > 0), np.argwhere(x[0]), np.argwhere(c),
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = [
        [np.array(condition), random.uniform(-1, 1, (3, 4))]
        for condition in ([True, False, True], [False] * 3, [True] * 3)
    ]
    check([c, x], outputs, calls, reference, kind="selection")
    point = random.uniform(-1, 1, (3, 2))
    check_derivatives([(lambda x: compress([True, False, True], x, 0) ** 2, [point])])


def test_where() -> None:
    c, x, v = T.matrix("c", "int8"), T.matrix("x"), T.vector("v")
    outputs = [
        where(c, x, 0), where(x > 0, v.dimshuffle("x", 0), x), where(c[0], v, v * 2),
        *where(c), *where(x > 0), *where(v), where(c, 1, 2.5),
    ]  # fmt: skip

    def reference(c: Array, x: Array, v: Array) -> list[Array]:
        return [
            np.where(c, x, 0), np.where(x > 0, v, x), np.where(c[0], v, v * 2),
            *np.where(c), *np.where(x > 0), *np.where(v),
            np.where(c, 1, 2.5).astype("f4"),
        ]  # fmt: skip

    random = np.random.default_rng(2)
    calls = [
        [random.integers(0, 2, shape).astype("i1"), random.normal(size=shape), np.ones(shape[1])]
        for shape in ((3, 4), (2, 1), (2, 0))
    ]
    check([c, x, v], outputs, calls, reference, kind="selection")
    assert where(T.bscalar("s"), x, 0).ndim == 2
    with pytest.raises(ValueError, match="a condition alone, or a condition and both x and y"):
        where(c, x)
    with pytest.raises(ValueError, match="needs at least one dim"):
        where(T.bscalar("s"))


def test_selected_and_counted_elements() -> None:
    c, x, v = T.matrix("c", "bool"), T.matrix("x"), T.vector("v")
    outputs = [
        extract(c, x), extract(x > 0, c), extract(c[0], v), count_nonzero(x), count_nonzero(c, 0),
        count_nonzero(x, (0, 1), keepdims=True), count_nonzero(v),
        select([c, x > 0], [x, -x]), select([x > 1, c, x < 0], [x, v.dimshuffle("x", 0), 2.5], v),
        select([c], [1], -1),
    ]  # fmt: skip

    def reference(c: Array, x: Array, v: Array) -> list[Any]:
        return [
            np.extract(c, x), np.extract(x > 0, c), np.extract(c[0], v), np.count_nonzero(x),
            np.count_nonzero(c, 0), np.count_nonzero(x, (0, 1), keepdims=True),
            np.count_nonzero(v), np.select([c, x > 0], [x, -x]),
            np.select([x > 1, c, x < 0], [x, v, 2.5], v), np.where(c, np.int8(1), np.int8(-1)),
        ]  # fmt: skip

    random = np.random.default_rng(3)
    calls = [
        [
            random.random(shape) > 0.5,
            random.normal(size=shape).round(),
            random.normal(size=shape[1]),
        ]
        for shape in ((3, 4), (1, 1), (1, 0))
    ]
    check([c, x, v], outputs, calls, reference, kind="selection")
    u = T.vector("u", "uint8")
    assert select([u > 3], [u]).dtype == "uint8"
    assert select([u > 3], [u], -1).dtype == "int16"
    assert select([u > 3], [u], 0.5).dtype == "float32"
    assert select([u > 3], [u > 4], 7).dtype == "int8"
    with pytest.raises(ValueError, match="2 conditions for 1 choices"):
        select([c, c], [x])
    with pytest.raises(ValueError, match="0 conditions for 0 choices"):
        select([], [])
    with pytest.raises(TypeError, match="the conditions must have the dtype bool"):
        select([x], [x])


def test_conditions_longer_than_the_axis() -> None:
    c, x = T.lvector("c"), T.matrix("x")
    y = compress(c, x, 0)
    for h in (compiled([c, x], y), oracle([c, x], y)):
        assert outcome(h, [np.array([0, 0, 1]), np.ones((2, 2))])[0] is BoundsError
        assert h(np.array([0, 1, 0]), np.ones((2, 2))).shape == (1, 2)
    with pytest.raises(ValueError, match="the condition must be a vector"):
        compress(x, x, 0)

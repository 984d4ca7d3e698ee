"""Indexing by masks, and by arrays that others separate: reading, setting and incrementing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import BoundsError, ShapeError
from tests.support.compare import check
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


Key = Callable[[Any, Any, Any, Any], Any]


# Of a vector mask, a matrix mask, an integer vector and a single truth value.
KEYS: list[Key] = [
    lambda v, m, i, b: v,
    lambda v, m, i, b: m,
    lambda v, m, i, b: (..., m),
    lambda v, m, i, b: (v, slice(None), 0),
    lambda v, m, i, b: (..., v, i),
    lambda v, m, i, b: (v, slice(1, None, 2), np.array([1])),
    lambda v, m, i, b: (i, slice(None), i),
    lambda v, m, i, b: (0, slice(None), i),
    lambda v, m, i, b: (i, None, 0),
    lambda v, m, i, b: (slice(None), m.T),
    lambda v, m, i, b: b,
    lambda v, m, i, b: (b, ..., None, 0),
    lambda v, m, i, b: (True, i),
    lambda v, m, i, b: (False, ...),
    lambda v, m, i, b: [True, False, True],
    lambda v, m, i, b: (slice(None, None, -1), i, slice(1, 3)),
    lambda v, m, i, b: (None, v, ..., np.array([1])),
]


@pytest.mark.parametrize("key", KEYS)
def test_what_numpy_selects_is_selected_set_and_incremented(key: Key) -> None:
    x = T.dtensor3("x")
    v, m = T.TensorType("bool", (None,))("v"), T.TensorType("bool", (None, None))("m")
    b = T.TensorType("bool", ())("b")
    i = T.lvector("i")
    part = x[key(v, m, i, b)]
    outputs = [part, T.set_subtensor(part, 2 * part + 1), T.inc_subtensor(part, 1.5)]

    def reference(x: Any, v: Any, m: Any, i: Any, b: Any) -> list[Any]:
        index = key(v, m, i, np.bool_(b))
        was_set, added = x.copy(), x.copy()
        was_set[index] = 2 * x[index] + 1
        np.add.at(added, index, 1.5)
        return [x[index], was_set, added]

    random = np.random.default_rng(1)
    values, pairs = random.standard_normal((3, 3, 3)), random.random((3, 3)) < 0.5
    few, some = np.array([True, False, True]), np.array([0, -1])
    calls = [(values[:, ::-1], few, pairs, some, np.array(True))]
    calls.append((values, few[::-1], ~pairs, some[::-1], np.array(False)))
    check([x, v, m, i, b], outputs, calls, reference, kind="masks")


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (1, 1)])
def test_empty_arrays_and_masks(shape: tuple[int, int]) -> None:
    x, m = T.fmatrix("x"), T.TensorType("bool", (None, None))("m")
    values = np.ones(shape, "float32")
    calls = [(values, np.full(shape, truth)) for truth in (True, False)]
    outputs = [x[m], T.set_subtensor(x[m], 0), *T.nonzero(m)]

    def reference(x: Any, m: Any) -> list[Any]:
        return [x[m], np.where(m, np.float32(0), x), *np.nonzero(m)]

    check([x, m], outputs, calls, reference, kind="masks")


def test_the_gradient_goes_to_what_was_selected() -> None:
    mask = np.array([[True, False], [True, True]])
    points = [np.array([[1.0, 2.0], [3.0, 4.0]])]
    check_derivatives([
        (lambda x: (x[mask] ** 2).sum(), points),
        (lambda x: T.set_subtensor(x[mask], x[mask] ** 3), points),
    ])  # fmt: skip
    x = T.dmatrix("x")
    found = function([x], grad((x[mask] ** 2).sum(), x))(points[0])
    np.testing.assert_allclose(found, np.where(mask, 2 * points[0], 0))


def test_a_mask_of_another_shape_is_refused_with_the_lengths() -> None:
    x, m = T.dmatrix("x"), T.TensorType("bool", (None,))("m")
    f = function([x, m], x[m])
    with pytest.raises(
        BoundsError, match="mask of length 2 along its axis 0 does not fit an axis of"
    ):
        f(np.zeros((3, 3)), np.array([True, False]))
    with pytest.raises(ShapeError, match="mask of length 2 along its axis 0"):
        T.TensorType("float64", (3, 3))("x")[np.array([True, False])]
    with pytest.raises(IndexError, match="3 indices for 2 dims"):
        x[np.ones((2, 2), bool), 0]
    with pytest.raises(ValueError, match="nonzero needs at least one dim"):
        T.nonzero(T.scalar())

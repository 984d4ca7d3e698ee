"""Interchange: short sums of a broadcast operand run side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.codegen.passes.interchange import interchange
from symtheano.loopir import For
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.support.compare import check, compiled


def _differences(length: int | None) -> tuple[list[Any], Any]:
    """Return two lists of points, and their distances."""
    a, b = (T.TensorType("float64", (None, length))(name) for name in "ab")
    return [a, b], T.sqr(a[:, None] - b[None]).sum(2)


def test_points_of_three_coordinates(golden: Golden) -> None:
    golden(change(interchange, *_differences(3)).text, "passes/interchange.txt")


def test_points_of_unknown_dimension_have_more_versions() -> None:
    found = change(interchange, *_differences(None))
    assert found.reasons == ("k: outside of j, if at most 16 long",)
    names = {str(s.stop) for s in walk(found.after.body) if isinstance(s, For)}
    assert found.after != found.before
    assert len(names) > 2


def test_long_sums_and_sums_of_one_array() -> None:
    change(interchange, *_differences(17)).assert_refused("k: not, its length 17 is more than 16")
    x = T.dmatrix("x")
    change(interchange, [x], x.sum(1)).assert_refused("not, no sums of a broadcast operand")


def _points(dtype: str, coordinates: tuple[int, ...]) -> list[list[Any]]:
    random = np.random.default_rng(0)
    numbers = ((33, 17), (1, 300), (0, 2), (2, 0))
    calls = [
        [random.integers(-9, 9, (rows, d)).astype(dtype) for rows in pair]
        for pair in numbers
        for d in coordinates
    ]
    return [*calls, *([a[::-1, ::2], b[::2, ::2]] for a, b in calls[: len(coordinates)])]


@pytest.mark.needs_cc
def test_distances_and_extrema() -> None:
    a, b = T.fmatrix("a"), T.fmatrix("b")
    apart = a[:, None] - b[None]
    outputs = [T.sqrt((apart**2).sum(2)), (abs(apart) * 2).sum(2) + a.sum(1)[:, None]]

    def expected(a: Any, b: Any) -> list[Any]:
        apart = a[:, None] - b[None]
        squares = (apart.astype("float64") ** 2).sum(2)
        sums = (abs(apart) * 2).sum(2) + a.sum(1)[:, None]
        return [np.sqrt(squares).astype("float32"), sums.astype("float32")]

    calls = _points("float32", (0, 1, 2, 3, 5, 16, 17, 33))
    check([a, b], outputs, calls, expected, kind="interchange")


@pytest.mark.needs_cc
def test_known_lengths_batches_and_integers() -> None:
    a = T.TensorType("int64", shape=(None, None, 4))("a")
    b = T.TensorType("int64", shape=(None, 12))("b")
    near, far = a[:, :, None] - b[None, None, :, :4], a[:, :, None, :3].min(0) - b[None, :, :3]
    outputs = [(near * near).max(3), (b[:, None] * b[None]).prod(2), far.any(2)]

    def expected(a: Any, b: Any) -> list[Any]:
        near, far = a[:, :, None] - b[:, :4], a[:, :, None, :3].min(0) - b[None, :, :3]
        return [(near * near).max(3), (b[:, None] * b).prod(2), far.any(2)]

    random = np.random.default_rng(1)
    shapes = ((1, 3, 4), (2, 100, 4))
    calls = [
        [random.integers(-3, 4, shape), random.integers(-3, 4, (n, 12))]
        for shape in shapes
        for n in (1, 260)
    ]
    check([a, b], outputs, calls, expected, kind="interchange")


@pytest.mark.needs_cc
def test_special_values_and_the_same_bits_with_any_number_of_threads() -> None:
    a, b = T.matrix("a"), T.matrix("b")
    output = (T.exp(a[:, None]) * b[None]).sum(2)
    random = np.random.default_rng(2)
    x, y = random.normal(size=(700, 7)), random.normal(size=(300, 7))
    x[3, 2], x[5, 1], y[7, 0], y[8, 6] = np.nan, -np.inf, np.inf, -0.0
    with config.change_flags(threads=2):
        two = compiled([a, b], output)(x, y)
    with config.change_flags(threads=1):
        one = compiled([a, b], output)(x, y)
    np.testing.assert_array_equal(one, two)
    with np.errstate(all="ignore"):
        want = (np.exp(x[:, None]) * y[None]).sum(2)
    np.testing.assert_allclose(one, want, rtol=1e-12, atol=1e-12)

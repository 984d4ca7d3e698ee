"""Slices select what those of Python select."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.indexing.geometry import slice_geometry, static_length, unpack, wrap

BOUNDS = [None, -7, -4, -1, 0, 1, 3, 4, 9]


@pytest.mark.parametrize("length", [0, 1, 4])
def test_known_bounds(length: int) -> None:
    for start, stop, step in itertools.product(BOUNDS, BOUNDS, [None, 1, 2, -1, -3]):
        first, count, by = slice_geometry(start, stop, step, length)
        wanted = list(range(length))[slice(start, stop, step)]
        assert [first + k * by for k in range(count)] == wanted, (start, stop, step)
        assert static_length((start, stop, step), length) == len(wanted)


@pytest.mark.one_in(1)
@pytest.mark.parametrize("step", [1, 2, -1, -2])
def test_symbolic_bounds(step: int) -> None:
    start, stop, length = (T.lscalar(name) for name in ("start", "stop", "length"))
    outputs = [T.as_tensor_variable(x) for x in slice_geometry(start, stop, step, length)[:2]]
    f = function([start, stop, length], outputs, mode="INTERPRET")
    for a, b in itertools.product(BOUNDS[1:], BOUNDS[1:]):
        first, count = map(int, f(a, b, 4))
        assert [first + k * step for k in range(count)] == list(range(4))[slice(a, b, step)]


def test_a_step_of_zero() -> None:
    with pytest.raises(ValueError, match="the step of a slice is zero"):
        slice_geometry(None, None, 0, 3)


def test_patterns_and_positions() -> None:
    pattern: Any = (None, (True, False, True))
    assert list(unpack(pattern, [5, 1, 2])) == [(0, 5), (1, (1, None, 2))]
    assert (wrap(2, 5), wrap(-2, 5)) == (2, 3)

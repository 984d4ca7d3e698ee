"""Checks of components that do not come from a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.sparse import guards
from tests.sparse.harness import interpreted

PLACES, STARTS, VALUES = T.lvector("places"), T.lvector("starts"), T.vector("values")


@pytest.mark.parametrize(
    ("guarded", "right", "wrong", "message"),
    [
        (guards.inside(PLACES, 3), [0, 2], [0, 3], "outside of its axis"),
        (guards.inside(PLACES, 3), [], [-1], "outside of its axis"),
        (guards.segments(PLACES, 4), [0, 1, 1, 4], [0, 2, 1, 4], "do not rise"),
        (guards.segments(PLACES, 4), [0, 4], [1, 4], "do not rise"),
        (guards.segments(PLACES, 4), [0, 4], [0, 5], "do not rise"),
    ],
)
def test_positions_and_beginnings(
    guarded: Any, right: list[int], wrong: list[int], message: str
) -> None:
    f = interpreted([PLACES], guarded)
    np.testing.assert_array_equal(f(np.array(right, "int64")), right)
    with pytest.raises(ValueError, match=message):
        f(np.array(wrong, "int64"))


@pytest.mark.parametrize(
    ("guard", "right", "wrong", "message"),
    [
        (guards.one_each, 2, 3, "as many values as positions"),
        (guards.one_per_segment, 1, 2, "as many positions as segments"),
    ],
)
def test_lengths(guard: Callable[..., Any], right: int, wrong: int, message: str) -> None:
    f = interpreted([VALUES, PLACES], guard(VALUES, PLACES))
    places = np.array([0, 5], "int64")
    assert f(np.ones(right), places).shape == (right,)
    with pytest.raises(ValueError, match=message):
        f(np.ones(wrong), places)


def test_beginnings_of_groups() -> None:
    f = interpreted([STARTS, PLACES], guards.tallied(STARTS, PLACES))
    groups = np.array([2, 0, 2], "int64")
    np.testing.assert_array_equal(f(np.array([0, 1, 1, 3]), groups), [0, 1, 1, 3])
    for wrong in ([0, 1, 2, 3], [1, 2, 2, 4], [0, 1, 1]):
        with pytest.raises(ValueError, match="beginnings of groups"):
            f(np.array(wrong), groups)


def test_no_variable_is_checked_twice() -> None:
    checked = guards.inside(PLACES, 3)
    assert guards.bare(checked) is PLACES
    assert guards.bare(guards.segments(checked, 3)) is PLACES
    assert guards.inside(checked, 3).owner.inputs[0] is PLACES
    assert guards.bare(PLACES + 1).owner is not None

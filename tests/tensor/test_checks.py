"""Fields of ops are checked, since they may come from a file."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.tensor.checks import one_axis, one_of, some_axes
from symtheano.tensor.reductions.reduce import CAReduce


def test_what_is_right_is_returned() -> None:
    assert one_of("mode", "b", "a", "b") == "b"
    assert one_axis("axis", 3) == 3
    assert some_axes("axis", (0, 2)) == (0, 2)


@pytest.mark.parametrize("value", ["c", 1, None, ["a"]])
def test_other_choices(value: Any) -> None:
    with pytest.raises(ValueError, match="mode must be one of a, b, got"):
        one_of("mode", value, "a", "b")


@pytest.mark.parametrize("value", [-1, 1.5, "1", None])
def test_what_is_no_axis_of_an_op(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        one_axis("axis", value)


@pytest.mark.parametrize("value", [(1, 0), (1, 1), (-1,), 1])
def test_axes_ascend(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        some_axes("axis", value)


def test_an_op_checks_its_operand() -> None:
    with pytest.raises(ValueError, match="axis"):
        CAReduce("add", (2,), "float64", "float64")(T.matrix())

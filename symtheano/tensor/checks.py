"""Checks of the fields of ops, which may come from a file or a direct call of a constructor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from symtheano.errors import describe_value
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.axis_numbers import axis_number


def one_of(field: str, value: Any, *choices: Any) -> Any:
    """Return a field's value after a check that it is one of some strings.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> one_of("mode", "add", "add", "mul")
    'add'
    """
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            build_message(f"{field} must be one of {', '.join(choices)}, got {value!r}")
        )
    return value


def one_axis(field: str, value: Any) -> int:
    """Return the number of an axis, which is not negative.

    Raises
    ------
    TypeError, ValueError
        If it is not an integer, or negative.

    Examples
    --------
    >>> one_axis("axis", 2)
    2
    """
    axis = axis_number(value)
    if axis < 0:
        raise ValueError(
            build_message(
                f"{field} must be at least 0 in an op, got {axis}",
                hint="the function of the op's name takes negative axes",
            )
        )
    return axis


def some_axes(field: str, value: Any) -> tuple[int, ...]:
    """Return numbers of axes in ascending order.

    Raises
    ------
    TypeError, ValueError
        If one is not an integer or negative, or they are not in ascending order.

    Examples
    --------
    >>> some_axes("axis", [0, 2])
    (0, 2)
    """
    if not isinstance(value, tuple | list):
        raise TypeError(build_message(f"{field} must be a tuple, got {describe_value(value)}"))
    axes = tuple([one_axis(field, axis) for axis in value])
    if any(a >= b for a, b in pairwise(axes)):
        raise ValueError(build_message(f"{field} must be in ascending order in an op, got {axes}"))
    return axes


def check_axes(op: Any, x: Any, axes: Sequence[int]) -> None:
    """Check that an operand has some axes.

    Raises
    ------
    ValueError
        If it has too few dimensions.
    """
    if axes and max(axes) >= x.ndim:
        raise ValueError(
            build_message(f"{op}: no axis {max(axes)} in an array of {x.ndim} dims", x)
        )

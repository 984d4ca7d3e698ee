"""Axes as they are given: integers of any kind, one or several, or None for all."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from symtheano.errors import AxisError, NotScalarConstantError, describe_value
from symtheano.graph.variable import Constant, Variable
from symtheano.tensor.messages import build_message, called


def axis_number(axis: Any) -> int:
    """Return one axis as an int: given as an integer, a 0-d array, or a constant.

    Raises
    ------
    TypeError
        If it is anything else, or a variable whose value is only known in a call.

    Examples
    --------
    >>> axis_number(-1), axis_number(np.array(2))
    (-1, 2)
    """
    if axis.__class__ is int:
        return axis
    if isinstance(axis, Variable):
        return _constant_axis(axis)
    try:
        return index(axis.item() if isinstance(axis, np.ndarray) and not axis.ndim else axis)
    except TypeError:
        raise TypeError(
            build_message(
                f"{called()}: an axis must be an integer, got {describe_value(axis)}",
                hint="count axes from 0, or from the last one, which is -1",
            )
        ) from None


def _constant_axis(axis: Any) -> int:
    try:
        return index(axis.get_scalar_constant_value().item())
    except (NotScalarConstantError, TypeError, AttributeError):
        raise TypeError(
            build_message(
                f"{called()}: an axis must be an integer that is known when the graph is built",
                axis,
                hint="build one graph for each axis, and choose one by switch()",
            )
        ) from None


def normalize_axis(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes as ascending non-negative numbers; None means all axes.

    Raises
    ------
    AxisError
        If an axis is out of range: a ``ValueError`` and an ``IndexError``.
    ValueError
        If an axis is named twice.
    TypeError
        If an axis is not an integer.

    Examples
    --------
    >>> normalize_axis((-1, 0), 3), normalize_axis(None, 2)
    ((0, 2), (0, 1))
    """
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, Constant) and axis.type.ndim == 1:
        axis = axis.data
    several = isinstance(axis, tuple | list) or (isinstance(axis, np.ndarray) and axis.ndim)
    numbers = [axis_number(item) for item in axis] if several else [axis_number(axis)]
    for number in numbers:
        if not -ndim <= number < ndim:
            what = f"axis {axis} is out of range for {ndim} dims"
            raise AxisError(build_message(f"{called()}: {what}"))
    axes = sorted(number % ndim for number in numbers)
    if len(set(axes)) != len(axes):
        raise ValueError(build_message(f"{called()}: axis {axis} contains an axis twice"))
    return tuple(axes)

"""Sizes of random arrays: as users give them, and as inputs of ops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.repetition import broadcast_shape
from symtheano.tensor.shapes.shape import (
    as_dim,
    as_dims,
    dim_value,
    is_length,
    join_dims,
    possible_size,
)


def size_of(name: str, size: Any, ndim: int | None, parameters: Sequence[Any]) -> list[Any]:
    """Return the lengths of a random variable.

    Parameters
    ----------
    name
        The name of the distribution, for messages.
    size
        A length, a list of lengths or a vector of them; None for the shape of the parameters.
    ndim
        The number of axes; it is needed if ``size`` is a vector of unknown length.
    parameters
        Variables.

    Raises
    ------
    ValueError
        If ``ndim`` is another number than that of lengths, or parameters have more axes.
    """
    if size is None:
        arrays = [item for item in parameters if item.ndim]
        dims = [as_dim(dim) for dim in broadcast_shape(*arrays)] if arrays else []
    elif ndim is not None and _is_long(size):
        dims = [as_dim(size[axis]) for axis in range(ndim)]
    elif _is_long(size):
        raise ValueError(
            build_message(
                f"{name}: the number of axes is unknown", size, hint="give it by ndim, or list size"
            )
        )
    else:
        dims = [] if isinstance(size, tuple | list) and not size else as_dims(size)
    if ndim is not None and ndim != len(dims):
        raise ValueError(build_message(f"{name}: ndim is {ndim}, but size has {len(dims)} lengths"))
    for item in parameters:
        if item.ndim > len(dims):
            raise ValueError(
                build_message(
                    f"{name}: a parameter has {item.ndim} axes, but size has {len(dims)} lengths",
                    item,
                )
            )
    return dims


def _is_long(size: Any) -> bool:
    """Return whether a size is a vector of unknown length."""
    return (
        isinstance(size, Variable) and getattr(size, "ndim", 0) == 1 and size.type.shape[0] is None
    )


# -- inputs of ops -------------------------------------------------------------------------------


def check_lengths(name: str, dims: Sequence[Any]) -> None:
    """Raise an error if a length is not a 0-d int64, or known to be negative."""
    for axis, dim in enumerate(dims):
        if dim.ndim or dim.dtype != "int64":
            raise TypeError(build_message(f"{name}: a length must be a 0-d int64", dim))
        if isinstance(dim, Constant) and int(dim.data) < 0:
            raise ValueError(build_message(_wrong_length(name, axis, dim.data)))


def length_requirements(node: Apply, dims: Sequence[Any], output: Any) -> list[Requirement]:
    """Require that no length is negative, and that the array is possible."""
    requirements = [
        Requirement(dim_value(dim) >= 0, (dim_value(dim),), partial(_negative, node, axis), "value")
        for axis, dim in enumerate(dims)
        if not is_length(dim)
    ]
    size = possible_size(node, join_dims(output, dims))
    return requirements if size is None else [*requirements, size]


def shape_of_values(node: Apply, dims: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape in a call, or raise ValueError if a length is negative."""
    shape = tuple(map(int, dims))
    for axis, dim in enumerate(shape):
        if dim < 0:
            raise ValueError(_negative(node, axis, [dim]))
    return shape


def _wrong_length(name: str, axis: int, length: Any) -> str:
    return f"{name}: axis {axis} of the size can't have length {length}"


def _negative(node: Apply, axis: int, values: Sequence[int]) -> str:
    name = getattr(node.op, "name", "uniform")
    return call_message(_wrong_length(name, axis, values[0]), node)

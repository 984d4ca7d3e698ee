"""Op, the class of operations, and functions of any op that graphs use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from symtheano.errors import format_error
from symtheano.graph.fields import is_own
from symtheano.graph.requirement import Requirement as Requirement
from symtheano.graph.type import DisconnectedType
from symtheano.graph.variable import Apply, Dim, Op as Op, Variable

D = TypeVar("D", bound=Dim)


def inferred_shapes(node: Apply, shapes: list[tuple[D, ...]]) -> Sequence[tuple[D | int, ...]]:
    """Return the result of an op's ``infer_shape``, which is checked for users' ops.

    Raises
    ------
    ValueError
        If it is not one tuple per output, with one length per axis.
    TypeError
        If a length is not an integer.
    """
    inferred = node.op.infer_shape(node, shapes)
    cls: type = type(node.op)
    return inferred if is_own(cls) else _checked(node, inferred)


def _checked(
    node: Apply, inferred: Iterable[Iterable[D] | None] | None
) -> list[tuple[D | int, ...]]:
    """Return the shapes that a user's op infers."""
    wanted = [getattr(item, "ndim", 0) for item in node.outputs]
    listed = [item if isinstance(item, list | tuple) else None for item in inferred or ()]
    if [None if item is None else len(item) for item in listed] != wanted:
        raise ValueError(
            format_error(
                f"{node.op}: infer_shape returned {inferred!r} for outputs of {wanted} dims",
                places=[node.origin],
                hint="return a list with one tuple per output, with one item per dim",
            )
        )
    return [tuple(_dim(node, dim) for dim in item) for item in listed if item is not None]


def _dim(node: Apply, dim: D) -> D | int:
    if getattr(dim, "ndim", None) == 0 and isinstance(dim, Variable):
        if "int" in str(getattr(dim, "dtype", "")):
            return dim
    elif not isinstance(dim, bool | float | Variable) and hasattr(dim, "__index__"):
        return int(dim)
    raise TypeError(
        format_error(
            f"{node.op}: infer_shape returned {dim!r} as the length of an axis",
            places=[node.origin],
            hint="return an int or a 0-d integer variable for each length",
        )
    )


def disconnected() -> Variable:
    """Return a disconnected gradient: a variable of a :class:`DisconnectedType`."""
    return Variable(DisconnectedType())

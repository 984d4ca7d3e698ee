"""Intervals of lengths: which sums and products of lengths surely do not overflow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symtheano.graph.variable import Constant
from symtheano.scalar import table as scalar

MOST_ELEMENTS = 2**62
"""No axis, and no array, can have more elements; sums and products of lengths are compared with
it."""

MOST_ALONG_AXIS = 2**44
"""Arguments have no longer axes, not even if they have no elements."""

Interval = tuple[int, int]

_ANY: Interval = (-(2**63), 2**63 - 1)
# Deeper expressions are not looked at.
_DEPTH = 8


def most(dim: Any) -> int:
    """Return an upper bound of a length: an int, or a 0-d int64 variable."""
    return interval(dim)[1]


def interval(number: Any, depth: int = _DEPTH) -> Interval:
    """Return bounds of an integer that follow from its expression.

    Examples
    --------
    >>> from symtheano.tensor.shapes.shape import shape_of
    >>> (rows,), n = shape_of(T.vector("x")), T.lscalar("n")
    >>> interval(T.minimum(n, rows))[1] == MOST_ALONG_AXIS
    True
    """
    if isinstance(number, int):
        return number, number
    if isinstance(number, Constant):
        value = int(number.data)
        return value, value
    node = number.owner
    if node is None or depth == 0 or number.dtype != "int64":
        return _ANY
    if axis_of(number) is not None:
        return 0, MOST_ALONG_AXIS
    limit = node.op.limit(node, number.index)
    if limit is not None:
        return 0, max(0, interval(limit, depth - 1)[1])
    combine = _ROWS.get(getattr(getattr(node.op, "scalar_op", None), "name", ""))
    if combine is None:
        return _ANY
    left, right = (interval(item, depth - 1) for item in node.inputs[-2:])
    low, high = combine(left, right)
    return (low, high) if _ANY[0] <= low and high <= _ANY[1] else _ANY


def axis_of(dim: Any) -> tuple[Any, int] | None:
    """Return the array and the axis whose length is a number, if that array exists."""
    node = getattr(dim, "owner", None)
    if node is None or node.op.__class__.__name__ != "Shape_i":
        return None
    array = node.inputs[0]
    if array.owner is not None and array.owner.op.infers_shape:
        return None
    return array, node.op.axis


def factors(numbers: Iterable[Any]) -> list[Any]:
    """Return the factors of the product of integers that are ints or 0-d variables."""
    leaves, waiting = [], list(numbers)
    while waiting:
        item = waiting.pop()
        node: Any = getattr(item, "owner", None)
        if node is not None and getattr(node.op, "scalar_op", None) is scalar.mul:
            waiting.extend(node.inputs)
        else:
            leaves.append(int(item.data) if isinstance(item, Constant) else item)
    return [item for item in leaves if not (isinstance(item, int) and item == 1)]


def _mul(a: Interval, b: Interval) -> Interval:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _int_div(a: Interval, b: Interval) -> Interval:
    """Bound a quotient by its dividend; an integer divided by zero is zero."""
    if a[0] >= 0 and b[0] >= 0:
        return 0, a[1]
    size = max(-a[0], a[1])
    return -size, size


_ROWS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "mul": _mul,
    "int_div": _int_div,
    "mod": lambda a, b: (0, b[1] - 1) if b[0] > 0 else (min(b[0], 0), max(b[1], 0)),
    "minimum": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "maximum": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "switch": lambda a, b: (min(a[0], b[0]), max(a[1], b[1])),
}

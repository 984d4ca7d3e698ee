"""Slices of axes: where they begin, and how many elements they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast
from symtheano.tensor.indexing.keys import Pattern
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import dim_value


def unpack(pattern: Pattern, values: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield for each axis of a pattern its integer or its (start, stop, step)."""
    rest = iter(values)
    for axis, item in enumerate(pattern):
        if item is None:
            yield axis, next(rest)
        else:
            yield axis, tuple(next(rest) if is_present else None for is_present in item)


def known_bound(part: Any) -> Any:
    """Return a bound, as an int if its value is known; None if there is none."""
    return None if part is None else dim_value(part)


def static_length(item: tuple[Any, Any, Any], length: int | None) -> int | None:
    """Return the length of a part of an axis, if it is known."""
    parts = [known_bound(part) for part in item]
    if any(part is not None and not isinstance(part, int) for part in parts):
        return None
    if length is not None:
        return len(range(*slice(*parts).indices(length)))
    return None


def wrap(position: Any, length: Any) -> Any:
    """Return a position relative to the end as one relative to the start."""
    if isinstance(position, int):
        return position if position >= 0 else length + position
    return scalar.switch(position < 0, position + length, position)


def minimum(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers, each known or symbolic."""
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else scalar.minimum(a, b)


def _maximum(a: Any, b: Any) -> Any:
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else scalar.maximum(a, b)


def slice_geometry(start: Any, stop: Any, step: Any, length: Any) -> tuple[Any, Any, Any]:
    """Return (first, count, step) of a slice of an axis, as ints if everything is known.

    Python's rules apply: negative bounds are relative to the end, and all bounds are clipped.
    """
    step = 1 if step is None else step
    if not isinstance(step, int):
        return _symbolic_step(start, stop, step, length)
    step = max(min(step, _LONGEST_STEP), -_LONGEST_STEP)
    if step == 0:
        raise ValueError(build_message("indexing: the step of a slice is zero"))
    if step > 0:
        first = 0 if start is None else _clip_bound(start, 0, length, length)
        last = length if stop is None else _clip_bound(stop, 0, length, length)
        if isinstance(first, int) and first == 0 and step == 1:
            return first, last, step
        # If a bound is clipped, nothing is selected, and nothing is read at the first position.
        begin = start if isinstance(start, int) and start >= 0 else first
        left = _left(start, stop, length)
        if left is None and stop is None:
            left = length - first
        if left is not None:
            return begin, left if step == 1 else (left + (step - 1)) // step, step
        return begin, _maximum((last - first + (step - 1)) // step, 0), step
    first = length - 1 if start is None else _clip_bound(start, -1, length - 1, length)
    last = -1 if stop is None else _clip_bound(stop, -1, length - 1, length)
    if step == -1 and start is None and stop is None:
        return first, length, step
    return first, _maximum((first - last + (-step - 1)) // -step, 0), step


def _left(start: Any, stop: Any, length: Any) -> Any:
    """Return how many elements remain if a known number is left out at both ends, or None.

    It is the same for ``[1:-1]``, ``[2:]`` and ``[:-2]``.
    """
    before, behind = 0 if start is None else start, 0 if stop is None else stop
    is_static = isinstance(before, int) and isinstance(behind, int)
    if not is_static or before < 0 or behind > 0 or (behind == 0 and stop is not None):
        return None
    return length - minimum(length, before - behind) if before or behind else length


def _clip_bound(bound: Any, low: Any, high: Any, length: Any) -> Any:
    if isinstance(bound, int) and bound < 0 and isinstance(low, int) and low == 0:
        return length - minimum(length, -bound)  # lengths of parts then add up
    wrapped = wrap(bound, length)
    if isinstance(bound, int) and bound >= 0:
        return minimum(wrapped, high)
    if isinstance(bound, int):
        return _maximum(wrapped, low)
    return _maximum(minimum(wrapped, high), low)


def _symbolic_step(start: Any, stop: Any, step: Any, length: Any) -> tuple[Any, Any, Any]:
    forward = slice_geometry(start, stop, 1, length)
    backward = slice_geometry(start, stop, -1, length)
    up = step > 0
    first = scalar.switch(up, forward[0], backward[0])
    span = scalar.switch(up, forward[1], backward[1])
    # Neither the step -2**63 nor the sum of a length and a long step would fit into int64.
    stride = scalar.abs(scalar.maximum(step, -_LONGEST_STEP))
    return cast(first, "int64"), cast(-((-span) // stride), "int64"), step


# Longer steps select one element, like this one.
_LONGEST_STEP = 2**62

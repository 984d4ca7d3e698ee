"""Parts of one array: whether two of them are the same, or have no element in common."""

from __future__ import annotations

from math import gcd
from typing import Any

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.tensor.indexing.geometry import known_bound
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor


def shows_part(change: Apply, view: Apply) -> bool:
    """Return whether a view shows the part of an array that a node changes, element by element.

    Parameters
    ----------
    change
        A node that changes a part of its first input.
    view
        A node that shows a part of the same array.
    """
    op, shown = change.op, view.op
    if not (isinstance(op, IncSubtensor) and isinstance(shown, Subtensor)):
        return False
    bounds, others = change.inputs[op.arrays :], view.inputs[shown.arrays :]
    same = len(bounds) == len(others) and all(map(_is_same, bounds, others))
    return same and op.pattern == shown.pattern


def is_apart(change: Apply, view: Apply) -> bool:
    """Return whether a view is known to show nothing of the part that a node changes.

    Parameters
    ----------
    change, view
        See :func:`shows_part`.
    """
    op, shown = change.op, view.op
    if not (isinstance(op, IncSubtensor) and isinstance(shown, Subtensor)):
        return False
    pairs = zip(op.items(change), shown.items(view), strict=False)
    lengths = change.inputs[0].type.shape
    return any(
        _are_apart(_reach(one, lengths[axis]), _reach(other, lengths[axis]))
        for (axis, one), (_, other) in pairs
    )


def _is_same(one: Any, other: Any) -> bool:
    return one is other


@dataclass(frozen=True)
class _Reach:
    """What is known of the positions that an item of a key selects.

    Attributes
    ----------
    first, last
        Bounds of the positions, from the beginning; ``last`` may be None.
    first_from_end, last_from_end
        Bounds of the positions minus the length; ``first_from_end`` may be None.
    start, step
        All positions are equal to ``start`` modulo ``step``; all are ``start`` if this is zero.
    """

    first: int = 0
    last: int | None = None
    first_from_end: int | None = None
    last_from_end: int = -1
    start: int = 0
    step: int = 1


def _reach(item: Any, length: int | None) -> _Reach:
    if not isinstance(item, tuple):
        at = known_bound(item)
        if not isinstance(at, int):
            return _Reach()
        if length is not None and at < 0:
            at += length
        if at < 0:
            return _Reach(first_from_end=at, last_from_end=at)
        return _Reach(first=at, last=at, start=at, step=0)
    bounds = [known_bound(part) for part in item]
    if any(not (part is None or isinstance(part, int)) for part in bounds):
        return _Reach()
    start, stop, step = bounds
    step = 1 if step is None else step
    if length is not None and step:
        positions = range(*slice(start, stop, step).indices(length))
        low, high = (min(positions), max(positions)) if positions else (length, -1)
        return _Reach(first=low, last=high, start=low, step=abs(step))
    if step < 1:
        return _Reach()
    low = 0 if start is None else start
    return _Reach(
        first=max(low, 0),
        last=stop - 1 if stop is not None and stop >= 0 else None,
        first_from_end=low if low < 0 else None,
        last_from_end=stop - 1 if stop is not None and stop < 0 else -1,
        start=max(low, 0),
        step=step if low >= 0 else 1,
    )


def _are_apart(one: _Reach, other: _Reach) -> bool:
    return (
        _ends_before(one, other)
        or _ends_before(other, one)
        or (one.start - other.start) % (gcd(one.step, other.step) or 1) != 0
    )


def _ends_before(one: _Reach, other: _Reach) -> bool:
    before = one.last is not None and one.last < other.first
    behind = other.first_from_end is not None and one.last_from_end < other.first_from_end
    return before or behind

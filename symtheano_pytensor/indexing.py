"""Parts of arrays: reading, storing and adding to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts


def key_of(op: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
    """Return the key of an op from its ``idx_list``, in which numbers are those of operands."""
    return tuple(_item(entry, operands) for entry in op.idx_list)


def _item(entry: Any, operands: Sequence[Any]) -> Any:
    if isinstance(entry, slice):
        parts = (entry.start, entry.stop, entry.step)
        return slice(*(None if part is None else operands[part] for part in parts))
    return operands[entry] if isinstance(entry, int) else entry


def _has_bounds(item: Any) -> bool:
    if not isinstance(item, slice):
        return True
    return any(part is not None for part in (item.start, item.stop, item.step))


@converts("Subtensor", "AdvancedSubtensor")
def _subtensor(op: Any, node: Any, x: Any, *operands: Any) -> Any:
    return x[key_of(op, operands)]


@converts("AdvancedSubtensor1")
def _rows(op: Any, node: Any, x: Any, index: Any) -> Any:
    return x[index]


@converts("IncSubtensor", "AdvancedIncSubtensor")
def _inc_subtensor(op: Any, node: Any, x: Any, y: Any, *operands: Any) -> Any:
    return changed(op, x, y, key_of(op, operands))


@converts("AdvancedIncSubtensor1")
def _inc_rows(op: Any, node: Any, x: Any, y: Any, index: Any) -> Any:
    return changed(op, x, y, (index,))


def changed(op: Any, x: Any, y: Any, key: tuple[Any, ...]) -> Any:
    """Return ``x`` after ``y`` has been stored at, or added to, a part of it."""
    sets = op.set_instead_of_inc
    y = T.cast(y, x.dtype)
    if not any(_has_bounds(item) for item in key):
        return T.second(x, y) if sets else x + y
    part = x[key]
    if not sets and getattr(op, "ignore_duplicates", False):
        return T.set_subtensor(part, part + y)
    return T.set_subtensor(part, y) if sets else T.inc_subtensor(part, y)

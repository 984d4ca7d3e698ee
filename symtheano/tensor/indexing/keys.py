"""Items of an index: what each of them selects."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.graph.variable import Variable


def as_positions(item: Any) -> Any:
    """Return an item of an index; an empty list or tuple as positions, which are integers."""
    if isinstance(item, list | tuple) and (not item or item[0] in ([], ())) and not np.size(item):
        return np.zeros(np.shape(item), "int64")
    return item


def is_mask(item: Any) -> bool:
    """Return whether an item of an index is a truth value, or an array of them."""
    if isinstance(item, list | tuple):
        return bool(item) and all(is_mask(part) for part in item)
    return bool(getattr(item, "dtype", type(item)) in (bool, np.bool_, "bool"))


def is_integer(item: Any) -> bool:
    """Return whether an item of an index is one integer, or a 0-d array of them."""
    if isinstance(item, int | np.integer):
        return True
    return isinstance(item, Variable | np.ndarray) and getattr(item, "ndim", None) == 0


Item = tuple[bool, bool, bool] | None
"""One axis of a pattern: None for an integer, otherwise which of start, stop, step are given."""


Pattern = tuple[Item, ...]

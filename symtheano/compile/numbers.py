"""Descriptions of values for the messages of modes."""

from __future__ import annotations

from typing import Any

import numpy as np

_SHOWN = 6


def is_numeric(value: Any) -> bool:
    """Return whether a value is an array of floats or complex numbers."""
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "fc"


def summarize(value: Any) -> str:
    """Return dtype, shape, and the kinds of numbers; small arrays are shown completely.

    Examples
    --------
    >>> summarize(np.array([1.0, np.nan, 3.0]))
    'float64, shape (3,): [1.0, nan, 3.0]'
    >>> summarize(np.arange(100.0))
    'float64, shape (100,): from 0.0 to 99.0'
    """
    if not isinstance(value, np.ndarray | np.generic):
        return type(value).__name__
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{array.dtype} {array.item()!r}"
    head = f"{array.dtype}, shape {array.shape}"
    if array.size <= _SHOWN:
        return f"{head}: {array.tolist()}"
    return f"{head}: {_described(array)}"


def _described(array: np.ndarray[Any, Any]) -> str:
    if array.dtype.kind == "b":
        return f"{int(array.sum())} of {array.size} true"
    parts = []
    finite = np.isfinite(array)
    if array.dtype.kind != "c" and finite.any():
        numbers = array[finite]
        parts.append(f"from {numbers.min().item()!r} to {numbers.max().item()!r}")
    for count, what in ((np.isnan(array).sum(), "NaN"), (np.isinf(array).sum(), "infinite")):
        if count:
            parts.append(f"{int(count)} {what}")
    return ", ".join(parts) or f"{array.size} numbers"

"""Arrays and columns of Arrow, which this module does not import."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symtheano.errors import format_error

Array = npt.NDArray[Any]


class ArrowPart(NamedTuple):
    """Rows of an array of Arrow."""

    rows: Any
    what: str

    def load(self) -> Array:
        """Return the rows as an array."""
        return arrow_to_numpy(self.rows, self.what)


class ArrowSource:
    """An array or a column of Arrow: numbers, or lists of one length of them."""

    grain = 1

    def __init__(self, column: Any, what: str) -> None:
        self._column, self._what = column, what
        self.dtype, lengths = arrow_layout(column.type, what)
        self.shape = (len(column), *lengths)

    def part(self, start: int, stop: int) -> ArrowPart:
        """Return some rows."""
        return ArrowPart(self._column.slice(start, stop - start), self._what)


def is_arrow(value: Any) -> bool:
    """Return whether an object is an array or a column of Arrow."""
    module = type(value).__module__.partition(".")[0]
    return module == "pyarrow" and hasattr(value, "null_count") and hasattr(value, "type")


def arrow_layout(kind: Any, what: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the dtype of a column of a type, and the shape of a row.

    Raises
    ------
    TypeError
        If it has no numbers.
    """
    lengths = []
    while hasattr(kind, "list_size"):
        lengths.append(kind.list_size)
        kind = kind.value_type
    return arrow_dtype(kind, what), tuple(lengths)


def arrow_dtype(kind: Any, what: str) -> np.dtype[Any]:
    """Return NumPy's dtype for numbers of a type of Arrow.

    Raises
    ------
    TypeError
        If they are no numbers.
    """
    try:
        dtype: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
    except (NotImplementedError, TypeError):
        dtype = np.dtype(object)
    if dtype.kind not in "biuf":
        message = f"{what}: Arrow's {kind} are no numbers"
        raise TypeError(format_error(message, hint="cast the column to a type of numbers"))
    return dtype


def arrow_to_numpy(rows: Any, what: str) -> Array:
    """Return an array or a column of Arrow as an array of NumPy.

    Missing floats are NaN.

    Raises
    ------
    ValueError
        If integers or bools, or whole lists, are missing.
    """
    rows = rows.combine_chunks() if hasattr(rows, "combine_chunks") else rows
    kind, lengths = rows.type, []
    count = len(rows)
    while hasattr(kind, "list_size"):
        _refuse_missing(rows, what)
        lengths.append(kind.list_size)
        rows, kind = rows.flatten(), kind.value_type
    dtype = arrow_dtype(kind, what)
    if dtype.kind != "f":
        _refuse_missing(rows, what)
    array: Array = np.asarray(rows.to_numpy(zero_copy_only=False), dtype)
    return array.reshape(count, *lengths) if lengths else array


def _refuse_missing(rows: Any, what: str) -> None:
    if rows.null_count:
        message = f"{what}: {rows.null_count} of {len(rows)} values of {rows.type} are missing"
        hint = "fill them (pyarrow.compute.fill_null), or cast the column to floats: NaN"
        raise ValueError(format_error(message, hint=hint))

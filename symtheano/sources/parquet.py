"""Columns of a Parquet file as an array that is read in parts."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.errors import format_error
from symtheano.extras import needed
from symtheano.names import close
from symtheano.sources.arrow import arrow_layout, arrow_to_numpy

Array = npt.NDArray[Any]


class ParquetColumns:
    """Columns of numbers of a Parquet file, as an array that is read in parts.

    Groups of rows are read when some of their rows are asked for; the last one is kept. Slices are
    arrays. The object can be pickled, and used by several threads.

    Parameters
    ----------
    path
        The file.
    columns
        The name of a column, which is a vector, or an array with more axes if the column has lists
        of one length; or several names of columns of numbers: a matrix with these columns.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    ValueError
        If the file has no such column.
    TypeError
        If a column has no numbers.
    """

    def __init__(self, path: str | os.PathLike[str], columns: str | Sequence[str]) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self.columns = columns if isinstance(columns, str) else tuple(columns)
        self._names = [columns] if isinstance(columns, str) else list(columns)
        self._kept: tuple[int, Array] | None = None
        if not self._names:
            raise ValueError(format_error("ParquetColumns: no columns are named"))
        parquet = needed("pyarrow.parquet", "ParquetColumns", "data", package="pyarrow")
        with parquet.ParquetFile(self.path) as file:
            schema, metadata = file.schema_arrow, file.metadata
            kinds: list[np.dtype[Any]] = []
            lengths: tuple[int, ...] = ()
            for name in self._names:
                if name not in schema.names:
                    similar = close(name, schema.names)
                    hint = f"it has {', '.join(similar or schema.names[:20])}"
                    what = f"ParquetColumns: {self.path} has no column {name!r}"
                    raise ValueError(format_error(what, hint=hint))
                kind, lengths = arrow_layout(schema.field(name).type, self._label(name))
                if lengths and not isinstance(columns, str):
                    what = f"ParquetColumns: {self._label(name)} has lists, and no numbers"
                    raise TypeError(format_error(what, hint="such a column is read alone"))
                kinds.append(kind)
            counts = [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]
        self._ends = list(accumulate(counts))
        rows = self._ends[-1] if self._ends else 0
        self.shape: tuple[int, ...] = (rows, len(kinds))
        if isinstance(columns, str):
            self.shape = (rows, *lengths)
        self.dtype: np.dtype[Any] = np.result_type(*kinds) if kinds else np.dtype("float64")
        self.chunks = (max(counts[0], 1) if counts else 1, *self.shape[1:])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Array:
        """Return rows: ``columns[start:stop]``."""
        rows = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        if not isinstance(rows, slice) or rows.step not in (None, 1):
            what = f"ParquetColumns: {self.path} is read by slices of rows, not by {key!r}"
            raise TypeError(format_error(what, hint="columns[start:stop]"))
        start, stop, _ = rows.indices(len(self))
        parts = []
        while start < stop:
            group = bisect_right(self._ends, start)
            first = self._ends[group - 1] if group else 0
            end = min(stop, self._ends[group])
            parts.append(self._group(group)[start - first : end - first])
            start = end
        if not parts:
            return np.empty((0, *self.shape[1:]), self.dtype)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _group(self, number: int) -> Array:
        kept = self._kept
        if kept is not None and kept[0] == number:
            return kept[1]
        parquet = needed("pyarrow.parquet", "ParquetColumns", "data", package="pyarrow")
        with parquet.ParquetFile(self.path) as file:
            table = file.read_row_group(number, columns=self._names, use_threads=False)
        columns = [arrow_to_numpy(table[name], self._label(name)) for name in self._names]
        array = columns[0] if isinstance(self.columns, str) else np.stack(columns, axis=1)
        array = array.astype(self.dtype, copy=False)
        self._kept = (number, array)
        return array

    def _label(self, name: str) -> str:
        return f"column {name!r} of {self.path}"

    def __reduce__(self) -> Any:
        return ParquetColumns, (self.path, self.columns)

    def __repr__(self) -> str:
        return f"ParquetColumns({self.path!r}, {self.columns!r})"

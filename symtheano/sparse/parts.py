"""Parts: the components of a sparse matrix, as dense variables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from symtheano.sparse.segments import segment_of
from symtheano.sparse.starts import length
from symtheano.sparse.type import FORMATS
from symtheano.tensor.shapes.shape import dim_value


@dataclass(frozen=True, eq=False)
class Parts:
    """The components of a sparse matrix, as dense variables.

    Attributes
    ----------
    format
        ``csr`` or ``csc``: whether rows or columns are compressed. That axis is *major*.
    data, indices, indptr
        Stored elements, their indices along the minor axis, and the beginnings of rows (csr) or
        columns (csc).
    minor
        Length of the minor axis, a 0-d int64 variable.
    """

    format: str
    data: Any
    indices: Any
    indptr: Any
    minor: Any

    @property
    def major(self) -> Any:
        """Length of the major axis: an int, or a 0-d variable."""
        return length(self.indptr) - 1

    @property
    def count(self) -> Any:
        """Number of stored elements: an int, or a 0-d variable."""
        return length(self.data)

    @property
    def shape(self) -> tuple[Any, Any]:
        """Numbers of rows and columns: ints, or 0-d variables."""
        both = (self.major, dim_value(self.minor))
        return both if self.format == "csr" else both[::-1]

    @property
    def segments(self) -> Any:
        """The index of each stored element along the major axis."""
        return segment_of(self.indptr, self.count)

    @property
    def coordinates(self) -> tuple[Any, Any]:
        """Row and column of each stored element."""
        both = (self.segments, self.indices)
        return both if self.format == "csr" else both[::-1]

    @property
    def transposed(self) -> Parts:
        """The transpose: the same components in the other format."""
        return replace(self, format=FORMATS[1 - FORMATS.index(self.format)])

    def with_data(self, data: Any) -> Parts:
        """Return the same structure with other elements."""
        return replace(self, data=data)

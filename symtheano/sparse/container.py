"""The container of a sparse shared variable."""

from __future__ import annotations

from operator import is_
from typing import Any

from symtheano.graph.shared import Container, store_values, values_of
from symtheano.sparse.type import SparseType


class SparseContainer(Container):
    """Stores a sparse matrix as its components, which compiled functions read and write.

    Attributes
    ----------
    parts
        The containers of the components. They are always held and marked together, so that they
        change together.
    """

    __slots__ = ("parts",)

    type: SparseType

    def __init__(self, type: SparseType, value: Any) -> None:
        super().__init__(type, None)
        self.parts = [Container(kind, None) for kind in type.part_types]
        for part in self.parts:
            part.marks, part.holders = self.marks, self.holders
        self.value = value

    @property
    def value(self) -> Any:
        """The matrix, which uses the memory of its components."""
        while True:
            with self.parts[0]:
                found = self._values()
                # A writer in Python does not wait: what it was at while we read is read again.
                if not self._is_written() and all(map(is_, found, self._values())):
                    return self.type.assemble(*found)

    @value.setter
    def value(self, value: Any) -> None:
        found = self.type.take_apart(value)
        with self.parts[0].replaced():
            store_values(self.parts, found)

    def _values(self) -> list[Any]:
        return values_of(self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        with self as value:
            return SparseContainer, (self.type, value.copy())

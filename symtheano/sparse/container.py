"""The container of a sparse shared variable."""

from __future__ import annotations

from functools import partial
from typing import Any

from symtheano.graph.claims import exclusively, settled
from symtheano.graph.shared import Container, store_values, values_of
from symtheano.sparse.type import SparseType


class SparseContainer(Container):
    """Stores a sparse matrix as its components, which compiled functions read and write.

    Attributes
    ----------
    parts
        The containers of the components, which are always read and set together.
    """

    __slots__ = ("parts",)

    type: SparseType

    def __init__(self, type: SparseType, value: Any) -> None:
        super().__init__(type, None)
        self.parts = [Container(kind, None) for kind in type.part_types]
        self.value = value

    @property
    def value(self) -> Any:
        """The matrix, which uses the memory of its components."""
        components = settled(partial(values_of, self.parts), self._storages())
        return self.type.assemble(*components)

    @value.setter
    def value(self, value: Any) -> None:
        components = self.type.take_apart(value)
        exclusively(self._storages(), partial(store_values, self.parts, components))

    def read(self) -> Any:
        """Return the matrix, which no call changes while the caller refers to it."""
        return self.value

    def put(self, value: Any) -> None:
        """Set the matrix once no call in another thread replaces it."""
        self.value = value

    def _storages(self) -> list[list[Any]]:
        return [part.storage for part in self.parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return SparseContainer, (self.type, self.value.copy())

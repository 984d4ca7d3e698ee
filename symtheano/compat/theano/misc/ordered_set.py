"""``theano.misc.ordered_set``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import Any


class OrderedSet(MutableSet[Any]):
    """A set that keeps the order in which items were added."""

    def __init__(self, iterable: Iterable[Any] | None = None) -> None:
        self._items: dict[Any, None] = dict.fromkeys(iterable or ())

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def add(self, value: Any) -> None:
        self._items[value] = None

    def discard(self, value: Any) -> None:
        self._items.pop(value, None)

    def pop(self, last: bool = True) -> Any:
        """Remove and return the last item, or the first one."""
        if not self._items:
            raise KeyError("the set is empty")
        item = next(reversed(self._items)) if last else next(iter(self._items))
        del self._items[item]
        return item

    def update(self, iterable: Iterable[Any]) -> None:
        """Add items."""
        self._items.update(dict.fromkeys(iterable))

    def difference_update(self, iterable: Iterable[Any]) -> None:
        """Remove items."""
        for item in iterable:
            self.discard(item)

    def union(self, other: Iterable[Any]) -> OrderedSet:
        """Return a set of the items of both."""
        return OrderedSet([*self, *other])

    def copy(self) -> OrderedSet:
        """Return a copy."""
        return OrderedSet(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedSet):
            return list(self) == list(other)
        return isinstance(other, set | frozenset) and set(self) == other

    __hash__ = None

    def __repr__(self) -> str:
        return f"OrderedSet({list(self)!r})" if self else "OrderedSet()"

"""``theano.misc.frozendict``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class frozendict(Mapping[Any, Any]):
    """A dict that can't be changed, and has a hash."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._dict = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._dict[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict)

    def __len__(self) -> int:
        return len(self._dict)

    def copy(self, **more: Any) -> frozendict:
        """Return a copy with more items."""
        return frozendict(self._dict, **more)

    def __hash__(self) -> int:
        return hash(frozenset(self._dict.items()))

    def __repr__(self) -> str:
        return f"<frozendict {self._dict!r}>"

"""A thread that reads batches before they are needed."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from symtheano.errors import format_error

Item = TypeVar("Item")
_END: Any = object()  # what is read after the last item


class Prefetch(Generic[Item]):
    """Batches of an iterable, read by a thread in the background.

    An error while reading is raised where the batch would have come. The thread ends when the
    iterable does, and when nobody needs its batches any more. Iterating again begins again, if the
    iterable can.

    Parameters
    ----------
    batches
        The iterable, such as a list, or an object whose ``__iter__`` reads files.
    ahead
        The most batches that have been read and not been taken.

    Examples
    --------
    >>> for batch in nn.data.Prefetch([1, 2, 3], ahead=1):
    ...     print(batch)
    1
    2
    3
    """

    def __init__(self, batches: Iterable[Item], ahead: int = 2) -> None:
        if not hasattr(batches, "__iter__"):
            what = f"Prefetch: {type(batches).__name__} is no iterable of batches"
            raise TypeError(format_error(what))
        self._batches, self.ahead = batches, at_least("Prefetch: ahead", ahead, 1)

    def __iter__(self) -> Iterator[Item]:
        return read_ahead(self._batches, self.ahead)

    def __len__(self) -> int:
        return len(self._batches)  # type: ignore[arg-type]


class _Shelf(Generic[Item]):
    """Where a reader puts items, and waits while there is no room."""

    def __init__(self, room: int) -> None:
        self._items: deque[Item] = deque()
        self._room = room
        self._changed = threading.Condition()
        self._error: BaseException | None = None
        self._ended = self._abandoned = False

    def has_room(self) -> bool:
        """Wait for room for an item; return False if nobody takes items any more."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._items) < self._room or self._abandoned)
            return not self._abandoned

    def put(self, item: Item) -> None:
        """Put an item where there is room."""
        with self._changed:
            self._items.append(item)
            self._changed.notify_all()

    def end(self, error: BaseException | None) -> None:
        """Say that no more items come."""
        with self._changed:
            self._ended, self._error = True, error
            self._changed.notify_all()

    def abandon(self) -> None:
        """Say that no more items are taken."""
        with self._changed:
            self._abandoned = True
            self._items.clear()
            self._changed.notify_all()

    def take(self) -> list[Item]:
        """Return a list of the next item, or an empty one at the end; raise the reader's error."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._items) or self._ended)
            if self._items:
                item = self._items.popleft()
                self._changed.notify_all()
                return [item]
            if self._error is not None:
                raise self._error
            return []


def read_ahead(items: Iterable[Item], ahead: int) -> Iterator[Item]:
    """Yield the items of an iterable, which a thread reads in the background."""
    shelf: _Shelf[Item] = _Shelf(ahead)

    def read() -> None:
        error = None
        try:
            source = iter(items)
            try:
                # An item is read when there is room for it, so that none is kept elsewhere.
                while shelf.has_room() and (item := next(source, _END)) is not _END:
                    shelf.put(item)
            finally:
                close = getattr(source, "close", None)
                if close is not None and source is not items:
                    close()
        except BaseException as raised:
            error = raised
        shelf.end(error)

    reader = threading.Thread(target=read, name="symtheano-reader", daemon=True)
    reader.start()
    try:
        while taken := shelf.take():
            yield from taken
    finally:
        shelf.abandon()
        # Unless the collector of cycles runs this in the reader.
        if threading.current_thread() is not reader:
            reader.join()


def at_least(what: str, value: Any, least: int) -> int:
    """Return a whole number, or raise an error.

    Raises
    ------
    ValueError
        If it is no whole number, or less than ``least``.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        message = f"{what} must be a whole number, {least} or greater, not {value!r}"
        raise ValueError(format_error(message))
    return int(value)

"""A thread that reads ahead: how far, its errors, and its end."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from symtheano.nn.data.reader import Prefetch, at_least


def readers() -> int:
    return sum(thread.name == "symtheano-reader" for thread in threading.enumerate())


def settled(condition: Any) -> bool:
    """Return whether a condition holds within a second."""
    end = time.monotonic() + 1
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    return bool(condition())


class Numbers:
    """Numbers from zero on, which remember how many were read, and whether they were closed."""

    def __init__(self, fail_at: int | None = None, count: int = 1000) -> None:
        self.read, self.closed, self.fail_at, self.count = 0, 0, fail_at, count

    def __iter__(self) -> Iterator[int]:
        try:
            for number in range(self.count):
                if number == self.fail_at:
                    raise OSError(f"no number {number}")
                self.read += 1
                yield number
        finally:
            self.closed += 1

    def __len__(self) -> int:
        return self.count


@pytest.mark.parametrize("ahead", [1, 2, 7])
def test_no_more_than_asked_is_read_ahead(ahead: int) -> None:
    numbers = Numbers()
    items = iter(Prefetch(numbers, ahead))
    assert numbers.read == 0
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    assert settled(lambda: numbers.read == 3 + ahead)
    time.sleep(0.01)
    assert numbers.read == 3 + ahead
    items.close()  # type: ignore[attr-defined]
    assert numbers.closed == 1
    assert readers() == 0


def test_all_items_come_and_again() -> None:
    prefetched = Prefetch(Numbers(count=50), ahead=3)
    assert len(prefetched) == 50
    assert list(prefetched) == list(prefetched) == list(range(50))
    assert list(Prefetch([])) == []
    assert readers() == 0


def test_errors_come_where_the_item_would_have_come() -> None:
    items = iter(Prefetch(Numbers(fail_at=3), ahead=2))
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(OSError, match="no number 3"):
        next(items)
    assert list(items) == []
    assert readers() == 0


def test_a_reader_ends_when_its_consumer_fails_or_forgets_it() -> None:
    numbers = Numbers()

    def consume() -> None:
        for number in Prefetch(numbers):
            if number == 5:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consume()
    gc.collect()
    assert settled(lambda: readers() == 0)
    items = iter(Prefetch(numbers))
    next(items)
    del items
    gc.collect()
    assert settled(lambda: readers() == 0)
    assert numbers.closed == 2


def test_unsuitable_arguments() -> None:
    with pytest.raises(TypeError, match="int is no iterable"):
        Prefetch(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ahead must be a whole number, 1 or greater, not 0"):
        Prefetch([], ahead=0)
    for value in (True, 2.0, "2", -1):
        with pytest.raises((ValueError, TypeError)):
            at_least("n", value, 0)

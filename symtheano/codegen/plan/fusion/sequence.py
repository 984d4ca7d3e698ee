"""A sequence of numbers that may move, in which places can be compared."""

from __future__ import annotations

from collections.abc import Iterator

# The distance of labels of neighbours at first.
_GAP = 1 << 32


class Sequence:
    """The numbers below a count, in order at first.

    Parameters
    ----------
    count
        How many numbers there are.

    Examples
    --------
    >>> numbers = Sequence(4)
    >>> numbers.move_before(3, 1)
    >>> numbers.remove(2)
    >>> list(numbers), numbers.label(3) < numbers.label(1)
    ([0, 3, 1], True)
    """

    def __init__(self, count: int) -> None:
        self._labels = [_GAP * (k + 1) for k in range(count)]
        # the last entry stands for both ends
        self._next = [*range(1, count + 1), 0]
        self._previous = [count, *range(count)]
        self._labels.append(0)

    def __iter__(self) -> Iterator[int]:
        end = len(self._next) - 1
        number = self._next[end]
        while number != end:
            yield number
            number = self._next[number]

    def label(self, number: int) -> int:
        """Return what is smaller for a number than for those after it, until one moves."""
        return self._labels[number]

    def remove(self, number: int) -> None:
        """Take a number out."""
        before, after = self._previous[number], self._next[number]
        self._next[before], self._previous[after] = after, before

    def replace(self, number: int, other: int) -> None:
        """Move another number to the place of a number, which is taken out."""
        self.remove(other)
        before, after = self._previous[number], self._next[number]
        self._next[before] = self._previous[after] = other
        self._previous[other], self._next[other] = before, after
        self._labels[other] = self._labels[number]

    def move_before(self, number: int, other: int) -> None:
        """Move a number to the place just before another one."""
        self.remove(number)
        before = self._previous[other]
        if self._labels[other] - self._labels[before] < 2:
            for place, item in enumerate(self):
                self._labels[item] = _GAP * (place + 1)
        self._next[before] = self._previous[other] = number
        self._previous[number], self._next[number] = before, other
        self._labels[number] = (self._labels[before] + self._labels[other]) // 2

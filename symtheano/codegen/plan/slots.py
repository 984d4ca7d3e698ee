"""Slots: the parts of the workspace, and which of them are free."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from symtheano.dataclass import dataclass
from symtheano.loopir import Buffer, Index


@dataclass(eq=False)
class Slot:
    """A part of the workspace, used by buffers one after the other."""

    size: Index
    itemsize: int
    buffers: list[Buffer]
    free: bool = False


@dataclass(frozen=True)
class Inside:
    """What a step requires that is a loop over a region of its own.

    Attributes
    ----------
    slots
        The workspace of its body.
    may_fail
        Whether the body may end the call with an error.
    """

    slots: Sequence[Slot]
    may_fail: bool


class FreeSlots:
    """The unused slots, by their sizes in bytes."""

    def __init__(self) -> None:
        self._by_size: dict[Index, list[tuple[int, Slot]]] = {}
        self._constant: dict[int, list[tuple[int, Slot]]] = {}

    def add(self, number: int, slot: Slot) -> None:
        """Add the slot of a number, unless it is there."""
        if slot.free:
            return
        slot.free = True
        size = slot.size * slot.itemsize
        constant = size.constant
        heap = (
            self._by_size.setdefault(size, [])
            if constant is None
            else self._constant.setdefault(constant, [])
        )
        heappush(heap, (number, slot))

    def take(self, wanted: Index) -> tuple[int, Slot] | None:
        """Take the first slot of a size, or a larger one if both sizes are known."""
        constant = wanted.constant
        if constant is None:
            heaps = [self._by_size.get(wanted, [])]
        else:
            heaps = [heap for size, heap in self._constant.items() if constant <= size]
        heap = min((heap for heap in heaps if heap), key=lambda heap: heap[0][0], default=None)
        if heap is None:
            return None
        number, slot = heappop(heap)
        slot.free = False
        return number, slot

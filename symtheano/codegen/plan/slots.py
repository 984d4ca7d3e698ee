"""Slots: the parts of the workspace, and which of them are free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from symtheano.dataclass import dataclass, field
from symtheano.loopir import Buffer, Index, Slot


@dataclass(frozen=True)
class Inside:
    """What a step requires that has regions of its own.

    Attributes
    ----------
    slots
        The workspace of each region; only one of them runs at a time.
    may_fail
        Whether a region may end the call with an error.
    """

    slots: Sequence[Sequence[Slot]]
    may_fail: bool


@dataclass(eq=False)
class _OpenSlot:
    size: Index
    buffers: list[Buffer] = field(default_factory=list)
    free: bool = False


class Workspace:
    """The slots while they are given to values."""

    def __init__(self) -> None:
        self._slots: list[_OpenSlot] = []
        self._free = _FreeSlots()

    def take(self, size: Index) -> int:
        """Return the number of a free slot of a size in bytes, or of a new one."""
        number = self._free.take(size)
        if number is None:
            self._slots.append(_OpenSlot(size))
            return len(self._slots) - 1
        self._slots[number].free = False
        return number

    def put(self, number: int, buffers: Iterable[Buffer]) -> None:
        """Note that buffers use a slot from now on, one after the other."""
        self._slots[number].buffers.extend(buffers)

    def release(self, number: int) -> None:
        """Let later values use a slot."""
        slot = self._slots[number]
        if not slot.free:
            slot.free = True
            self._free.add(number, slot.size)

    def is_free(self, number: int) -> bool:
        """Return whether a slot is not in use."""
        return self._slots[number].free

    def holds(self, number: int, buffer: Buffer) -> bool:
        """Return whether a buffer is the last one that was put into a slot."""
        return self._slots[number].buffers[-1] is buffer

    def finished(self) -> tuple[Slot, ...]:
        """Return the slots."""
        return tuple(Slot(tuple(slot.buffers), slot.size) for slot in self._slots)


class _FreeSlots:
    """The numbers of unused slots, by their sizes in bytes."""

    def __init__(self) -> None:
        self._by_size: dict[Index, list[int]] = {}
        self._constant: dict[int, list[int]] = {}

    def add(self, number: int, size: Index) -> None:
        """Add the slot of a number."""
        constant = size.constant
        heap = (
            self._by_size.setdefault(size, [])
            if constant is None
            else self._constant.setdefault(constant, [])
        )
        heappush(heap, number)

    def take(self, wanted: Index) -> int | None:
        """Take the first slot of a size, or a larger one if both sizes are known."""
        constant = wanted.constant
        if constant is None:
            heaps = [self._by_size.get(wanted, [])]
        else:
            heaps = [heap for size, heap in self._constant.items() if constant <= size]
        heap = min((heap for heap in heaps if heap), key=lambda heap: heap[0], default=None)
        return None if heap is None else heappop(heap)

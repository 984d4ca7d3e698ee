"""The workspace of single steps: memory that kernels and routines use while they run.

It lives as long as the step, so steps share it. A routine's workspace is one part for all routines,
as large as the largest of their sizes, which are computed before the workspace is opened. If a size
is not known then, the caller allocates the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from symtheano.loopir import Allocate, Buffer, Builder, Index, Measure, Routine, Slot, Statement
from symtheano.loopir.routine import ALIGNMENT


class StepMemory:
    """Provides the workspace of steps.

    Parameters
    ----------
    b
        The builder of the entry point, for names.
    positions
        The positions of arrays that the caller provides besides the outputs.

    Attributes
    ----------
    early
        Names of integers that are known before the workspace is opened.
    """

    def __init__(self, b: Builder, positions: Iterator[int]) -> None:
        self.b, self._positions = b, positions
        self.early: set[str] = set()
        self._pending: list[Statement] = []
        self._kernels: list[Slot] = []
        self._measures: list[Measure] = []
        self._buffers: dict[Index, Buffer] = {}
        self._sizes: dict[tuple[Routine, str, tuple[Index, ...]], Index] = {}

    def is_late(self, integers: Iterable[Index]) -> bool:
        """Return whether integers are only known after the workspace is opened."""
        return any(name not in self.early for index in integers for name in index.names())

    def of_kernel(self, buffer: Buffer, used: list[int]) -> Buffer:
        """Return the place of a kernel's own memory.

        Parameters
        ----------
        buffer
            The memory.
        used
            The parts that the kernel has already; the new one is added.
        """
        placed = Buffer(buffer.name, buffer.dtype, "arena", buffer.size)
        if self.is_late([buffer.size]):
            return self._lent(placed)
        size = buffer.size * np.dtype(buffer.dtype).itemsize
        for number, slot in enumerate(self._kernels):
            if slot.size == size and number not in used:
                self._kernels[number] = Slot((*slot.buffers, placed), size)
                used.append(number)
                return placed
        used.append(len(self._kernels))
        self._kernels.append(Slot((placed,), size))
        return placed

    def of_call(self, routine: Routine, dtype: str, integers: tuple[Index, ...]) -> Buffer:
        """Return the workspace of a call; see :class:`symtheano.loopir.Builder`."""
        late = self.is_late(integers)
        size = self._size(routine, dtype, integers, late)
        if late:
            return self._lent(self._buffer(size), ALIGNMENT)
        if size not in self._buffers:
            self._buffers[size] = self._buffer(size)
        return self._buffers[size]

    def _size(self, routine: Routine, dtype: str, integers: tuple[Index, ...], late: bool) -> Index:
        key = (routine, dtype, integers)
        if late or key not in self._sizes:
            target = self.b.value(f"{routine.name}_bytes", "int64")
            measure = Measure(target, routine, dtype, integers)
            (self._pending if late else self._measures).append(measure)
            self._sizes[key] = target.index
        return self._sizes[key]

    def _buffer(self, size: Index) -> Buffer:
        return Buffer(self.b.names.fresh("workspace"), "int8", "arena", size)

    def _lent(self, buffer: Buffer, more: int = 0) -> Buffer:
        position, size = next(self._positions), buffer.size + more
        lent = Buffer(buffer.name, buffer.dtype, "output", size, position)
        self._pending.append(Allocate(lent, (lent.size,)))
        return lent

    def taken(self) -> list[Statement]:
        """Return the statements that allocate memory of the last step, once."""
        pending, self._pending = self._pending, []
        return pending

    @property
    def kernel_slots(self) -> tuple[Slot, ...]:
        """The parts of the workspace that kernels use."""
        return tuple(self._kernels)

    def measure_calls(self) -> tuple[tuple[Statement, ...], tuple[Slot, ...]]:
        """Return the statements that compute sizes for calls, and their part of the workspace."""
        with self.b.block() as statements:
            for measure in self._measures:
                self.b.emit(measure)
            self.b.origin = None
            routines = [self._largest()] if self._buffers else []
        return tuple(statements), tuple(routines)

    def _largest(self) -> Slot:
        """Return the part that all routines share, of the maximum of their sizes."""
        largest, *others = self._buffers
        for size in others:
            largest = self.b.maximum(largest, size, "workspace_bytes")
        return Slot(tuple(self._buffers.values()), largest)

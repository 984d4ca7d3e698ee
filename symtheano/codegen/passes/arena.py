"""Memory of single steps: in the workspace, if its size is known there; else the caller's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np

from symtheano.dataclass import replace
from symtheano.loopir import Allocate, Buffer, Index, Program, Reserve, Slot
from symtheano.loopir.names import definitions


def known_early(program: Program) -> frozenset[str]:
    """Return the names of values that are known where a program opens its workspace."""
    opened = next((k for k, s in enumerate(program.body) if isinstance(s, Reserve)), 0)
    lengths = {name for dims in program.input_dims for name in dims if name}
    before = (value.name for s in program.body[:opened] for value in definitions(s))
    return frozenset(lengths.union(before))


class LateMemory:
    """Memory of sizes that are known too late for the workspace of a program.

    Parameters
    ----------
    program
        The program.
    """

    def __init__(self, program: Program) -> None:
        self._early = known_early(program)
        self._positions = _free_positions(program)

    def is_late(self, integers: Iterable[Index]) -> bool:
        """Return whether integers are only known after the workspace is opened."""
        return any(name not in self._early for index in integers for name in index.names())

    def allocation(self, buffer: Buffer, more: int = 0) -> Allocate:
        """Return the statement by which the caller provides a buffer, and some elements more."""
        size = buffer.size + more
        provided = Buffer(buffer.name, buffer.dtype, "output", size, next(self._positions))
        return Allocate(provided, (size,))


def _free_positions(program: Program) -> Iterator[int]:
    """Yield the positions of further arrays that the caller may provide."""
    allocated = (s for s in program.statements() if isinstance(s, Allocate))
    used = max((s.positions[-1] + 1 for s in allocated), default=0)
    yield from count(max(used, len(program.outputs)))


class KernelMemory:
    """Gives places to the memory of kernels: parts of the workspace, shared by kernels.

    Parameters
    ----------
    program
        The program with the kernels.
    """

    def __init__(self, program: Program) -> None:
        self._late = LateMemory(program)
        self._slots: list[Slot] = []

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The parts of the workspace that kernels use."""
        return tuple(self._slots)

    def place(self, buffer: Buffer, used: list[int], is_rare: bool = False) -> Buffer | Allocate:
        """Return the place of a kernel's own memory, or the statement that asks for it.

        Parameters
        ----------
        buffer
            The memory.
        used
            The parts that the kernel has already; the new one is added.
        is_rare
            Whether the kernel seldom runs, and asks for memory then.
        """
        if is_rare or self._late.is_late([buffer.size]):
            return self._late.allocation(buffer)
        placed = replace(buffer, space="arena")
        size = buffer.size * np.dtype(buffer.dtype).itemsize
        for number, slot in enumerate(self._slots):
            if slot.size == size and number not in used:
                self._slots[number] = Slot((*slot.buffers, placed), size)
                used.append(number)
                return placed
        used.append(len(self._slots))
        self._slots.append(Slot((placed,), size))
        return placed

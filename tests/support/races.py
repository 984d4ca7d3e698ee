"""The interpreter of LoopIR, which finds threads that use what others write without waiting.

Iterations run one after the other, so values are right even where a barrier is missing, or where
two iterations of an independent loop write one element. Here, every access is noted with the thread
that makes it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from symtheano.dataclass import replace
from symtheano.loopir import Barrier, Buffer, For, Load, Local, Store, Update
from tests.support.loops import Array, Machine

Thread = tuple[tuple[int, ...], int | None, int | None]


class RaceError(AssertionError):
    """Two threads use one element, and one of them writes it."""


class Device(Machine):
    """Runs statements, and fails if threads of a device get in each other's way.

    Parameters
    ----------
    integers, arrays
        As for a machine.
    warp
        Number of threads of a warp.
    """

    def __init__(
        self, integers: Mapping[str, int], arrays: Mapping[str, Array], warp: int = 32
    ) -> None:
        super().__init__(integers, arrays)
        self.warp = warp
        self.around: list[tuple[str, int]] = []
        self.launched = 0
        #: for each element, who has written and who has read it since threads have waited
        self.used: dict[tuple[str, int], dict[tuple[Thread, bool], None]] = {}

    def place(self, statement: Load | Store | Update) -> tuple[Array, int]:
        """Return the array and the position of an access, which is noted."""
        array, position = super().place(statement)
        if self.around and statement.buffer.space != "stack":
            self._note(statement.buffer.name, position, not isinstance(statement, Load))
        return array, position

    def memory(self, buffer: Buffer) -> Array:
        """Return the memory of a buffer; each thread has its own stack."""
        if buffer.space != "stack" or None in self._thread():
            return super().memory(buffer)
        return super().memory(replace(buffer, name=f"{buffer.name}_of_{self._number()}"))

    def _number(self) -> str:
        """Return block, warp and lane as a part of a name."""
        block, warp, lane = self._thread()
        return "_".join(map(str, (*block, warp, lane)))

    def _note(self, name: str, position: int, writes: bool) -> None:
        thread = self._thread()
        known = self.used.setdefault((name, position), {})
        for other, wrote in known:
            if (writes or wrote) and not _same(thread, other):
                raise RaceError(f"{name}[{position}] is used by threads {other} and {thread}")
        known[thread, writes] = None

    def _thread(self) -> Thread:
        """Return block, warp and lane; None where all threads run a statement."""
        block: tuple[int, ...] = ()
        warp: int | None = None
        lane: int | None = None
        for kind, number in self.around:
            if kind == "grid":
                block = (*block, number)
            elif kind == "warp":
                warp = number
            elif kind == "lane":
                lane = number
            else:
                warp, lane = divmod(number, self.warp)
        return (block, warp, lane)

    def _local(self, s: Local) -> None:
        super()._local(s)
        block, _, _ = self._thread()
        for name, position in self.used:
            if name == s.buffer.name:  # each block has its own
                known = self.used[name, position]
                for thread, wrote in list(known):
                    if thread[0] != block:
                        del known[thread, wrote]

    def _barrier(self, s: Barrier) -> None:
        block, warp, _ = self._thread()
        for known in self.used.values():
            for thread, wrote in list(known):
                if thread[0] == block and (warp is None or thread[1] == warp):
                    del known[thread, wrote]

    def _for(self, s: For) -> None:
        if s.kind not in ("grid", "thread", "warp", "lane"):
            super()._for(s)
            return
        if not self.around:
            self.used.clear()  # launches run in order
            self.launched += 1
        for number in range(self.index(s.start), self.index(s.stop), s.step):
            self.values[s.index.name] = np.int64(number)
            self.around.append((s.kind, number))
            self.run(s.body)
            self.around.pop()


def _same(one: Thread, other: Thread) -> bool:
    return None not in one and one == other

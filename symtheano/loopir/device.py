"""Loops over the threads of a device: what may stand where in them, and where threads must wait.

A grid loop is a launch: its iterations are blocks of threads. In a block, statements are the same
for all threads, up to loops over threads, or over warps and then over lanes. So whether threads
diverge can be seen from the loops around a statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.dataclass import dataclass, field
from symtheano.loopir.launch import Aligned, AtomicAdd
from symtheano.loopir.memory import LOCAL, SHARED, STACK
from symtheano.loopir.names import bodies, reads, walk, writes
from symtheano.loopir.nodes import (
    Barrier,
    For,
    If,
    Local,
    Prefetch,
    Statement,
    Store,
    Update,
    While,
)
from symtheano.loopir.operands import Buffer

_AROUND = {"grid": ("", "grid"), "thread": ("grid",), "warp": ("grid",), "lane": ("warp",)}

DEVICE = frozenset(_AROUND)
"""Kinds of loops whose iterations run on a device."""


def misplaced(statement: Statement, around: str) -> str | None:
    """Return why a statement may not stand where it does, or None if it may.

    Parameters
    ----------
    statement
        The statement.
    around
        The kind of the innermost loop of a device around it; empty if there is none.

    Examples
    --------
    >>> misplaced(Barrier("block"), "lane")
    'a barrier in a loop over lanes, which not all threads may reach'
    >>> misplaced(Barrier("block"), "grid")
    """
    if isinstance(statement, For):
        if statement.kind in _AROUND:
            return _misplaced_loop(statement, around)
        if around and statement.kind in ("simd", "parallel", "parallel simd"):
            return f"a {statement.kind} loop on a device"
    elif isinstance(statement, Barrier):
        if not around:
            return "a barrier outside a grid loop"
        if around in ("thread", "lane"):
            return f"a barrier in a loop over {around}s, which not all threads may reach"
        if (statement.threads == "block") != (around == "grid"):
            return f"a barrier of the {statement.threads} in a {around} loop"
    elif isinstance(statement, Local):
        if statement.buffer.memory is SHARED and around != "grid":
            return "shared memory belongs to a block of threads"
        if statement.buffer.memory is LOCAL and around:
            return "memory is allocated before a grid loop"
    elif isinstance(statement, Store | Update | AtomicAdd) and around in ("grid", "warp"):
        return "all threads would store one element; let one of them do it"
    return None


def _misplaced_loop(loop: For, around: str) -> str | None:
    if around not in _AROUND[loop.kind]:
        return f"a {loop.kind} loop in a {around or 'host'} loop"
    if loop.kind == "grid":
        inner = [s for s in walk(loop.body) if isinstance(s, For) and s.kind == "grid"]
        if inner and len(loop.body) != 1:
            return "a grid loop in another one is all of its body"
        if any(loop.index.name in (*s.start.names(), *s.stop.names()) for s in inner):
            return "a launch whose length is not known before"
    return None


@dataclass(eq=False)
class Pending:
    """Buffers that threads have read and written since they have waited for each other."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    def add(self, statement: Statement) -> None:
        """Note what a statement, or one inside it, reads and writes."""
        for inner in walk([statement]):
            if not isinstance(inner, Prefetch | Aligned):
                self.reads.update(buffer.name for buffer in reads(inner) if not _is_own(buffer))
                self.writes.update(buffer.name for buffer in writes(inner) if not _is_own(buffer))

    def conflict(self, other: Pending) -> str | None:
        """Return a buffer that one has written, and the other one reads or writes."""
        names = (self.writes & (other.reads | other.writes)) | (self.reads & other.writes)
        return min(names, default=None)

    def join(self, other: Pending) -> None:
        """Add what another one has noted."""
        self.reads |= other.reads
        self.writes |= other.writes

    def clear(self) -> None:
        """Forget everything, since threads wait here."""
        self.reads.clear()
        self.writes.clear()


def _is_own(buffer: Buffer) -> bool:
    return buffer.memory is STACK  # of one thread


def never_written(kernel: Sequence[Statement]) -> list[str]:
    """Return the names of a kernel's own arrays that it reads and never writes to."""
    every = [*walk(kernel)]
    read = {buffer.name for s in every for buffer in reads(s) if buffer.memory in (STACK, SHARED)}
    return sorted(read - {buffer.name for s in every for buffer in writes(s)})


def is_shared_out(statement: Statement) -> bool:
    """Return whether threads divide a statement: they do not run all of it alike."""
    return isinstance(statement, For) and statement.kind in DEVICE


def unordered(statements: Sequence[Statement]) -> Iterator[tuple[Statement, str]]:
    """Yield statements before which a barrier is missing, and the buffer that they access.

    Parameters
    ----------
    statements
        The body of a grid or warp loop.
    """
    yield from _unordered(statements, Pending())


def _unordered(statements: Sequence[Statement], seen: Pending) -> Iterator[tuple[Statement, str]]:
    for statement in statements:
        if isinstance(statement, Barrier):
            seen.clear()
        elif isinstance(statement, For | While) and not is_shared_out(statement):
            for _ in range(2):  # what the end of an iteration writes, the next one may read
                for body in bodies(statement):
                    yield from _unordered(body, seen)
        elif isinstance(statement, If):
            either = Pending(set(seen.reads), set(seen.writes))
            yield from _unordered(statement.then, seen)
            yield from _unordered(statement.otherwise, either)
            seen.join(either)
        else:
            here = Pending()
            here.add(statement)
            name = seen.conflict(here)
            if name is not None:
                yield statement, name
            seen.join(here)

"""Run: a statement that calls a function of the program, once or in threads."""

from __future__ import annotations

from symtheano.dataclass import dataclass
from symtheano.loopir.index import Index
from symtheano.loopir.operands import Buffer, Parts, Place, Value


@dataclass(frozen=True)
class Threads:
    """How threads share the iterations that a function runs.

    Attributes
    ----------
    length, step
        Their number is the quotient of these, rounded up; there are none if it is negative.
    work
        Their total work in additions, below a threshold of which they stay on one thread; None:
        always above it.
    block
        Each thread runs a multiple of this number of iterations, but for the last one.
    polled
        Whether threads ask the host whether the call is to end.
    """

    length: Index
    step: int
    work: Index | None
    block: int
    polled: bool


@dataclass(frozen=True)
class Run:
    """Run a function of the program.

    Attributes
    ----------
    function
        Its name.
    buffers, values
        Its arguments, in the order of its parameters.
    read, written
        Those of the buffers that it may read, and write to.
    results
        The scalars that statements after it may use.
    origins
        The user's lines in it; none if it is the region of a graph, which runs others.
    threads
        For functions that run a range of iterations: how threads share them. None in epilogues,
        whose iterations a routine runs, and for other functions.
    provides
        Buffers that have storage from then on: those of a :class:`Piece
        <symtheano.loopir.program.Piece>`.
    """

    function: str
    buffers: tuple[Buffer, ...]
    values: tuple[Value, ...]
    read: tuple[Buffer, ...]
    written: tuple[Buffer, ...]
    results: tuple[Value, ...] = ()
    origins: tuple[Place, ...] = ()
    threads: Threads | None = None
    provides: tuple[Buffer, ...] = ()
    parts = Parts(
        ("*results",),
        operands=("*values",),
        reads=("*read",),
        writes=("*written",),
        provides=("*provides",),
    )

    @property
    def arguments(self) -> tuple[Buffer | Value, ...]:
        """All arguments, buffers first."""
        return (*self.buffers, *self.values)

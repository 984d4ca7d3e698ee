"""Memories: where buffers lie, and what follows from it."""

from __future__ import annotations

from symtheano.dataclass import dataclass


@dataclass(frozen=True)
class Memory:
    """A kind of memory.

    Attributes
    ----------
    name
        Its name in texts.
    numbered
        Whether it is the caller's: a buffer has a position among inputs or outputs.
    passed
        Whether functions get the address of a buffer as a parameter; they know other ones.
    local
        Whether a kernel declares it, by :class:`~symtheano.loopir.nodes.Local`.
    constant
        Whether its content never changes.
    """

    name: str
    numbered: bool = False
    passed: bool = False
    local: bool = False
    constant: bool = False


INPUT = Memory("input", numbered=True, passed=True)
"""The caller's arguments."""
OUTPUT = Memory("output", numbered=True, passed=True)
"""Arrays for which the caller is asked; see :class:`~symtheano.loopir.nodes.Allocate`."""
ARENA = Memory("arena", passed=True)
"""The call's workspace, as the memory planner has laid it out."""
STACK = Memory("stack")
"""Small fixed arrays of one thread."""
LOCAL = Memory("local", passed=True, local=True)
"""A kernel's own memory, to which passes give a place."""
SHARED = Memory("shared", local=True)
"""Small fixed arrays of a block of threads."""
CONSTANT = Memory("constant", constant=True)
"""Tables of the program."""
CHOSEN = Memory("chosen", passed=True)
"""Names for parts of other buffers, whatever these are; see :class:`~symtheano.loopir.nodes.Alias`
and :class:`~symtheano.loopir.nodes.Choose`."""

MEMORIES = {
    memory.name: memory for memory in (INPUT, OUTPUT, ARENA, STACK, LOCAL, SHARED, CONSTANT, CHOSEN)
}
"""All memories by name."""

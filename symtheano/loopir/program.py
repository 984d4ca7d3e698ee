"""Program: one compiled function, and the pieces of its workspace."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.dataclass import dataclass
from symtheano.loopir.alike import Repeat
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import Buffer, Statement


@dataclass(frozen=True)
class Slot:
    """A piece of the workspace.

    Attributes
    ----------
    buffers
        Buffers that use it, at different times.
    size
        Its number of bytes. Slots are aligned to 64 bytes.
    """

    buffers: tuple[Buffer, ...]
    size: Index


@dataclass(frozen=True)
class Program:
    """One compiled function.

    Attributes
    ----------
    name
        Name of the entry point.
    inputs, outputs
        Buffers in calling order, and for each input the names of its dims.
    body
        The statements of the entry point.
    arena
        The slots of the workspace. It is opened before the first statement of the body that
        uses it; the names in the slots' sizes must be defined by then.
    constants
        Pairs of (buffer, values) of tables.
    title
        A line for the reader.
    repeats
        Kernels that differ from an earlier one only in names: printers may call that one.
    """

    name: str
    inputs: tuple[Buffer, ...]
    input_dims: tuple[tuple[str, ...], ...]
    outputs: tuple[Buffer, ...]
    body: tuple[Statement, ...]
    arena: tuple[Slot, ...] = ()
    constants: tuple[tuple[Buffer, Sequence[object]], ...] = ()
    title: str = ""
    repeats: tuple[Repeat, ...] = ()

    def __str__(self) -> str:
        from symtheano.loopir.text import program_text

        return program_text(self)

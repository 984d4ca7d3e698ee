"""What passes over a program share."""

from __future__ import annotations

from symtheano.codegen.passes.trace import Trace
from symtheano.dataclass import dataclass
from symtheano.loopir.builder import Names


@dataclass(eq=False)
class ProgramContext:
    """What passes over a program share.

    Attributes
    ----------
    names
        Where new names come from.
    trace
        What takes down each pass over kernels; None: kernels of one form are changed once.
    steps
        Where the steps of a measured program for a device are listed: what each does, and the
        user's line; None for other programs.
    """

    names: Names
    trace: Trace | None = None
    steps: list[tuple[str, str | None]] | None = None

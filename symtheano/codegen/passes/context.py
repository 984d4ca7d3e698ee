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
    """

    names: Names
    trace: Trace | None = None

"""What passes over a program share."""

from __future__ import annotations

from collections.abc import Mapping

from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.workspace import StepMemory
from symtheano.dataclass import dataclass, field
from symtheano.loopir.builder import Names
from symtheano.loopir.routine import Routine


@dataclass(eq=False)
class ProgramContext:
    """What passes over a program share.

    Attributes
    ----------
    names
        Where new names come from.
    memory
        The workspace of single steps.
    trace
        What takes down each pass over kernels; None: kernels of one form are changed once.
    routines
        What programs may call, by name.
    """

    names: Names
    memory: StepMemory
    trace: Trace | None = None
    routines: Mapping[str, Routine] = field(default_factory=dict)

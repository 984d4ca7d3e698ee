"""What passes over a program share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.codegen.passes import Pass
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.workspace import StepMemory
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass
from symtheano.loopir import Program
from symtheano.loopir.builder import Names


@dataclass(eq=False)
class ProgramContext:
    """What passes over a program share.

    Attributes
    ----------
    names
        Where new names come from.
    memory
        The workspace of single steps.
    passes
        What is done with the loops of kernels, in order.
    trace
        What takes down each of them; None: kernels of one form are changed once.
    """

    names: Names
    memory: StepMemory
    passes: Sequence[Pass]
    trace: Trace | None = None


ProgramPass = Callable[[Program, Target, ProgramContext], Program]

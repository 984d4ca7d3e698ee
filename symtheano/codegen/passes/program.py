"""Passes over programs: from a naive program to one as a processor runs it.

:func:`symtheano.codegen.lower.write` writes every loop as the plainest one, and every kernel with
memory of its own. What a processor makes of that is decided here, pass after pass.
"""

from __future__ import annotations

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.loopir import Program


def run(program: Program, target: Target, context: ProgramContext) -> Program:
    """Return a naive program as a processor runs it, after all passes."""
    steps = [] if context.trace is None else context.trace.programs
    steps.append(("naive", program))
    for each in target.program_passes:
        program = each(program, target, context)
        steps.append((each.__name__, program))
    return program

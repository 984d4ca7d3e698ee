"""Passes over programs: from a naive program to one as a processor runs it.

:func:`symtheano.codegen.lower.write` writes every loop as the plainest one, and every kernel with
memory of its own. What a processor makes of that is decided here, pass after pass.
"""

from __future__ import annotations

from symtheano.codegen.passes.context import ProgramContext, ProgramPass
from symtheano.codegen.passes.inline import inline
from symtheano.codegen.passes.interrupts import interrupts
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.outline import outline
from symtheano.codegen.passes.pieces import pieces
from symtheano.codegen.passes.poll_work import poll_work
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.targets import Target
from symtheano.loopir import Program

PROGRAM_PASSES: tuple[ProgramPass, ...] = (
    poll_work, kernels, inline, reserve, interrupts, outline, pieces,
)  # fmt: skip
"""The passes over programs, in order."""


def run(program: Program, target: Target, context: ProgramContext) -> Program:
    """Return a naive program as a processor runs it, after all passes."""
    for each in PROGRAM_PASSES:
        program = each(program, target, context)
    return program

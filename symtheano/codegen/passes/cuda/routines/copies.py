"""Copies: routines that copy an array, or fill it with zeros, become loops for the device.

It is the opposite of :mod:`~symtheano.codegen.passes.idioms`, for calls that are written as such.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, replaced
from symtheano.codegen.targets import Target
from symtheano.loopir import Call, Kernel, Literal, Program, Statement
from symtheano.loopir.builder import Names

_NAMES = ("copy", "zero")


def copies(program: Program, target: Target, context: ProgramContext) -> Program:
    """Make kernels of the calls of routines that copy or clear."""

    def change(s: Statement) -> Sequence[Statement] | None:
        if isinstance(s, Call) and s.routine.name in _NAMES:
            return [_kernel(s, target, context.names)]
        return None

    return replaced(program, change)


def _kernel(call: Call, target: Target, names: Names) -> Kernel:
    """Return the loop that does what a call does."""
    writer = RoutineCall(call, target, names)
    *arrays, count = (parameter.name for parameter in call.routine.parameters)
    b, length = writer.b, writer.integer(count)
    with b.loop("i", length, kind="independent") as i:
        to, *sources = (writer.element(name, i) for name in arrays)
        value = b.load(sources[0], []) if sources else Literal(0, to.buffer.dtype)
        b.store(to, [], value)
    return writer.kernel_with(b.statements(), f"{call.routine.name} {length} elements")

"""Libraries of a device: statements instead of calls of the host's routines."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import replaced
from symtheano.codegen.passes.cuda.routines.workspaces import Workspaces
from symtheano.loopir import Call, For, Kernel, Program, Statement
from symtheano.loopir.names import walk

Writer = Callable[[Call], Sequence[Statement]]
"""Returns the statements in place of a call."""


def without_calls(
    program: Program,
    routines: Container[str],
    context: ProgramContext,
    write: Writer,
    takes: Callable[[Call], bool] = lambda call: True,
) -> Program:
    """Return a program with other statements in place of calls of some routines.

    The kernel around a call is the host's. Its statements leave it, and each of its loops becomes a
    kernel of its own.

    Parameters
    ----------
    program
        The program, before ``measure``.
    routines
        Names of the routines.
    context
        Where new names come from.
    write
        Function that returns the statements in place of a call.
    takes
        Function that tells whether a call is meant; by default, all calls are.
    """
    workspaces = Workspaces(program, routines, takes)
    if not workspaces.calls:
        return program

    def is_taken(s: Statement) -> bool:
        return isinstance(s, Call) and s.routine.name in routines and takes(s)

    def opened(s: Statement) -> Sequence[Statement] | None:
        if not isinstance(s, Kernel) or s.region or not any(map(is_taken, walk(s.body))):
            return None
        return [alone(each, s) for each in s.body]

    def alone(s: Statement, kernel: Kernel) -> Statement:
        if not isinstance(s, For) or any(map(is_taken, walk([s]))):
            return s
        return Kernel(context.names.fresh(kernel.name), kernel.title, (s,), (), kernel.origins)

    def change(s: Statement) -> Sequence[Statement] | None:
        if isinstance(s, Call) and is_taken(s):
            return write(s)
        return () if workspaces.declares(s) else None

    return replaced(replaced(program, opened), change)

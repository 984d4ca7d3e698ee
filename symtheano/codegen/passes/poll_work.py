"""Poll work: loops around kernels count their work, and ask the host whether the call is to end.

A naive program polls at the end of each iteration of the user's loops, without saying how much work
that is. Kernels count themselves (:mod:`~symtheano.codegen.passes.polls`).
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.work import scalar_cost, work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Call,
    For,
    If,
    Kernel,
    Poll,
    Program,
    PythonCall,
    Statement,
    While,
)
from symtheano.loopir.names import usual
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

# What a routine, or a kernel of unknown work, counts in additions. Fifty take at least as long as
# the host's answer takes a hundredth of; before a long one, the host is asked in any case.
_CALL = 256


def poll_work(program: Program, target: Target, context: ProgramContext) -> Program:
    """Count the work of iterations outside of kernels, at whose ends the program polls."""

    def block(statements: Body) -> Body:
        new = [
            poll_after(statements[:k]) if s == Poll() else changed(s)
            for k, s in enumerate(statements)
        ]
        return unless_same(new, statements)

    def changed(statement: Statement) -> Statement:
        if isinstance(statement, While):
            return replace(statement, body=block(statement.body))
        if isinstance(statement, Kernel) and not statement.region:
            return statement
        return with_bodies(statement, block)

    return replace(program, body=block(program.body))


def poll_after(statements: Sequence[Statement]) -> Poll:
    """Return what is to follow the statements of an iteration, outside of kernels."""
    long = any(isinstance(s, Call | Kernel | PythonCall) for s in usual(statements))
    return Poll(max(_work(statements), 1), long)


def _work(statements: Sequence[Statement]) -> int:
    """Return the work of statements, but for that of loops inside, which poll."""
    total = scalar_cost(statements)
    for statement in usual(statements):
        if isinstance(statement, Call):
            total += _CALL
        elif isinstance(statement, Kernel):
            loops = [work_of(s).constant for s in statement.body if isinstance(s, For)]
            total += _CALL if None in loops else sum(each or 0 for each in loops)
        elif isinstance(statement, If | While):
            total += 1
    return total

"""Polls: loops that may take long ask the host from time to time whether the call is to end.

The loops are those of the user's program: of kernels that *iterate*, and around kernels. All others
end after a time that the memory of their arrays limits. A poll counts the work of an iteration, so
loops inside that are too short to ask are counted by those around them.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import scalar_cost, work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Call, For, If, Index, Kernel, Poll, PythonCall, Statement, While
from symtheano.loopir.names import usual
from symtheano.loopir.rewrite import Body, with_bodies

# What a routine, or a kernel of unknown work, counts in additions. Fifty take at least as long as
# the host's answer takes a hundredth of; before a long one, the host is asked in any case.
_CALL = 256


def polls(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Poll in the outermost loops of a kernel that run in order, if it iterates.

    Threads that share the loops around them poll as well.
    """
    if not kernel.iterates:
        context.otherwise("not, the kernel does not iterate")
        return kernel

    def block(statements: Body) -> Body:
        return tuple(map(change, statements))

    def change(statement: Statement) -> Statement:
        if isinstance(statement, For) and statement.kind == "serial":
            each = replace(statement, start=Index.of(0), stop=Index.of(statement.step))
            poll = Poll(max(_least(work_of(each)), 1))
            context.note(statement, "polls after each iteration, work of {} additions", poll.work)
            return replace(statement, body=(*statement.body, poll))
        return with_bodies(statement, block) if isinstance(statement, For | If) else statement

    return with_bodies(kernel, block)


def _least(work: Index) -> int:
    """Return the work of loops if lengths that are not known are 1."""
    return sum(max(factor, 0) for _, factor in work.terms)


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

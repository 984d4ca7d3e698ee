"""Polls: loops that may take long ask the host from time to time whether the call is to end.

The loops are those of the user's program: here those of kernels that *iterate*; loops around
kernels have polls from the beginning (:mod:`~symtheano.codegen.passes.poll_work`). All others end
after a time that the memory of their arrays limits. A poll counts the work of an iteration, so
loops inside that are too short to ask are counted by those around them.
"""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, If, Index, Kernel, Poll, Statement
from symtheano.loopir.rewrite import Body, with_bodies


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

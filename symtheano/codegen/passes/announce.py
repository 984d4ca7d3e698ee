"""Announce: the host learns of long loops that threads do not share.

It lets other threads of the process run meanwhile, and looks for signals. Loops that threads share
announce themselves.
"""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Announce, For, If, Kernel, Statement
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, with_bodies


def announce(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Announce the outermost loops of a kernel that one thread runs, unless they are short."""
    if any("parallel" in s.kind for s in walk(kernel.body) if isinstance(s, For)):
        context.otherwise("not, threads share a loop of the kernel")
        return kernel

    def block(statements: Body) -> Body:
        return tuple(new for statement in statements for new in changed(statement))

    def changed(statement: Statement) -> list[Statement]:
        if isinstance(statement, If):
            return [with_bodies(statement, block)]
        if not isinstance(statement, For):
            return [statement]
        work = work_of(statement)
        additions = work.constant
        if additions is not None and additions < target.costs.alone:
            context.note(statement, "not, its work is only {} additions", additions)
            return [statement]
        context.note(statement, "the host is told of work of {} additions", work)
        return [Announce(work), statement]

    return replace(kernel, body=block(kernel.body))

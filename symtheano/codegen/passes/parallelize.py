"""Parallelize: threads share the outermost loops whose iterations are independent."""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, If, Kernel, Local, Statement
from symtheano.loopir.names import bodies, walk
from symtheano.loopir.rewrite import Body, with_bodies


def parallelize(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Make the outermost independent loops parallel, with their work in additions.

    Loops with fewer levels than others of the kernel, such as those that clear accumulators, are
    left alone.
    """
    levels = _most_levels(kernel.body)
    parallel = replace(kernel, body=_block(kernel.body, levels, target, context))
    context.otherwise("not, the kernel has no loop")
    return parallel


def _most_levels(statements: Body) -> int:
    return max(map(_levels, statements), default=0)


def _levels(statement: Statement) -> int:
    """Return how many loops are nested in a statement."""
    if not isinstance(statement, For | If):
        return 0
    inside = 0
    for body in bodies(statement):
        for inner in body:
            if isinstance(inner, For | If):
                inside = max(inside, _levels(inner))
    return inside + isinstance(statement, For)


def _block(statements: Body, levels: int, target: Target, context: Context) -> Body:
    return tuple(_shared(statement, levels, target, context) for statement in statements)


def _shared(statement: Statement, levels: int, target: Target, context: Context) -> Statement:
    if isinstance(statement, If):  # one way may need fewer loops than the other one
        if _levels(statement) < levels:
            return statement
        return with_bodies(
            statement, lambda body: _block(body, _most_levels(body), target, context)
        )
    if not isinstance(statement, For):
        return statement
    if statement.kind != "independent":
        context.note(statement, "not, it is {}", statement.kind)
        return statement
    depth = _levels(statement)
    if depth < levels:
        context.note(statement, "not, it is {} deep, and others are {}", depth, levels)
        return statement
    if any(isinstance(inner, Local) for inner in walk(statement.body)):
        context.note(statement, "not, its iterations share memory")  # unless they were chunked
        return statement
    work = statement.work if statement.work is not None else work_of(statement)
    additions = work.constant
    if additions is not None and additions < target.costs.alone:
        context.note(statement, "not, its work is only {} additions", additions)
        return statement
    context.note(statement, "threads share it, with work of {} additions", work)
    return replace(statement, kind="parallel", work=work)

"""Parallelize: threads share the outermost loops whose iterations are independent."""

from __future__ import annotations

from dataclasses import replace

from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.loopir import For, If, Kernel, Local, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.names import bodies, walk
from symtheano.loopir.rewrite import Body, with_bodies


def parallelize(kernel: Kernel, target: Target, names: Names) -> Kernel:
    """Make the outermost independent loops parallel, with their work in additions.

    Loops with fewer levels than others of the kernel, such as those that clear accumulators, are
    left alone.
    """
    levels = max(map(_levels, kernel.body), default=0)
    return replace(kernel, body=_block(kernel.body, levels))


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


def _block(statements: Body, levels: int) -> Body:
    return tuple(_shared(statement, levels) for statement in statements)


def _shared(statement: Statement, levels: int) -> Statement:
    if isinstance(statement, If):
        return with_bodies(statement, lambda body: _block(body, levels))
    if (
        _levels(statement) < levels
        or not isinstance(statement, For)
        or statement.kind != "independent"
    ):
        return statement
    if any(isinstance(inner, Local) for inner in walk(statement.body)):
        return statement  # its iterations share memory, unless they were chunked
    work = statement.work if statement.work is not None else work_of(statement)
    return replace(statement, kind="parallel", work=work)

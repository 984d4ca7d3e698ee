"""Parallelize: threads share the outermost loops whose iterations are independent."""

from __future__ import annotations

from dataclasses import replace

from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.loopir import For, If, Kernel, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.rewrite import Body, with_bodies


def parallelize(kernel: Kernel, target: Target, names: Names) -> Kernel:
    """Make the outermost independent loops parallel, with their work in additions."""
    return replace(kernel, body=_block(kernel.body))


def _block(statements: Body) -> Body:
    return tuple(map(_shared, statements))


def _shared(statement: Statement) -> Statement:
    if isinstance(statement, If):
        return with_bodies(statement, _block)
    if not isinstance(statement, For) or statement.kind != "independent":
        return statement
    work = statement.work if statement.work is not None else work_of(statement)
    return replace(statement, kind="parallel", work=work)

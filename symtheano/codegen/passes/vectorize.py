"""Vectorize: the innermost loops run in the lanes of vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtheano.codegen.targets import Target
from symtheano.loopir import For, Kernel, Locate, Reduce, Statement, Update, Value
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, with_bodies

_OPEN = ("independent", "reduce", "parallel")


def vectorize(kernel: Kernel, target: Target, names: Names) -> Kernel:
    """Make loops simd that are independent, or reduce, and contain no other loop.

    This is the last decision about loops: threads share them already.
    """
    return replace(kernel, body=_block(kernel.body))


def _block(statements: Body) -> Body:
    return tuple(_in_lanes(with_bodies(statement, _block)) for statement in statements)


def _in_lanes(statement: Statement) -> Statement:
    if not isinstance(statement, For):
        return statement
    if statement.work is not None and "parallel" not in statement.kind:
        statement = replace(statement, work=None)
    if statement.kind not in _OPEN:
        return statement
    inside = list(walk(statement.body))
    if any(isinstance(inner, For | Locate) for inner in inside):
        return statement
    cells = [inner.index for inner in inside if isinstance(inner, Update)]
    if any(index.coefficient(statement.index.name) == 0 for index in cells):
        return statement  # all lanes would update one element
    kind: Any = "parallel simd" if statement.kind == "parallel" else "simd"
    return replace(statement, kind=kind, reductions=reductions_of(statement))


def reductions_of(loop: For) -> tuple[tuple[Value, str], ...]:
    """Return what a loop reduces: declared scalars, and the names of the ops."""
    found = {s.target.name: (s.target, s.op) for s in walk(loop.body) if isinstance(s, Reduce)}
    return tuple(found.values())

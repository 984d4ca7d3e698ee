"""Vectorize: the innermost loops run in the lanes of vectors."""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, Kernel, Locate, Reduce, Update, Value
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Kind
from symtheano.loopir.rewrite import with_inner_loops

_OPEN = ("independent", "reduce", "parallel")


def vectorize(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Make loops simd that are independent, or reduce, and contain no other loop.

    This is the last decision about loops: threads share them already.
    """
    vectorized = with_inner_loops(kernel, lambda loop: [_in_lanes(loop, context)])
    context.otherwise("not, all innermost loops are decided already")
    return vectorized


def _in_lanes(statement: For, context: Context) -> For:
    if statement.work is not None and "parallel" not in statement.kind:
        statement = replace(statement, work=None)
    if statement.kind not in _OPEN:
        return statement
    inside = list(walk(statement.body))
    if any(isinstance(inner, For) for inner in inside):
        return statement
    if any(isinstance(inner, Locate) for inner in inside):
        context.note(statement, "not, it locates an extremum")
        return statement
    for inner in inside:
        if isinstance(inner, Update) and inner.index.coefficient(statement.index.name) == 0:
            context.note(statement, "not, all lanes would update {}[{}]",
                         inner.buffer.name, inner.index)  # fmt: skip
            return statement
    context.note(statement, "in lanes, since it is {} and has no loop inside", statement.kind)
    kind: Kind = "parallel simd" if statement.kind == "parallel" else "simd"
    return replace(statement, kind=kind, reductions=reductions_of(statement))


def reductions_of(loop: For) -> tuple[tuple[Value, str], ...]:
    """Return what a loop reduces: declared scalars, and the names of the ops."""
    scalars = {s.target.name: (s.target, s.op) for s in walk(loop.body) if isinstance(s, Reduce)}
    return tuple(scalars.values())

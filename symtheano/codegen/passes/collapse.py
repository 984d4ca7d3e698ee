"""Collapse: two loops, of which one is all of the other's body, become one over both axes.

It is possible if all addresses depend on the two counters as on one: the outer stride is the inner
one times the inner length. Fewer and longer loops cost less around them and fill vectors better.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, Index, Kernel, Statement, Value
from symtheano.loopir.names import indices, operands, walk
from symtheano.loopir.rewrite import Copier, with_inner_loops


def collapse(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Merge loops; before, bodies of loops are as naive as they were written."""
    collapsed = with_inner_loops(kernel, lambda loop: [_merged(loop, context)])
    context.otherwise("not, no loop is all of another one's body")
    return collapsed


def _merged(statement: For, context: Context) -> For:
    if len(statement.body) != 1:
        return statement
    (inner,) = statement.body
    if not isinstance(inner, For) or not _is_plain(statement) or not _is_plain(inner):
        return statement
    if statement.kind != inner.kind:
        context.note(statement, "not, it is {}, and {} is {}",
                     statement.kind, inner.index.name, inner.kind)  # fmt: skip
        return statement
    apart = _acts_as_two(statement, inner)
    if apart is not None:
        context.note(statement, "not, {} depends on it and on {}, but not as on one counter",
                     apart, inner.index.name)  # fmt: skip
        return statement
    context.note(statement, "one loop over {} * {}", statement.stop, inner.stop)
    one = Copier(None, {inner.index.name: statement.index.index, statement.index.name: Index.of(0)})
    return replace(statement, stop=statement.stop * inner.stop, body=tuple(one.block(inner.body)))


def _is_plain(loop: For) -> bool:
    return loop.kind in ("independent", "reduce") and loop.start == 0 and loop.step == 1


def _acts_as_two(outer: For, inner: For) -> Index | str | None:
    """Return what does not depend on two counters as on one, or None if everything does."""
    first, second = outer.index.name, inner.index.name
    if not {first, second}.isdisjoint(inner.stop.names()):
        return inner.stop
    for index in _indices(inner.body):
        if not _strides_agree(index, first, second, inner.stop):
            return index
    for statement in walk(inner.body):
        for item in operands(statement):
            if isinstance(item, Value) and item.name in (first, second):
                return item.name
    return None


def _indices(statements: Sequence[Statement]) -> list[Index]:
    return [index for statement in walk(statements) for index in indices(statement)]


def _strides_agree(index: Index, outer: str, inner: str, length: Index) -> bool:
    far, near = index.coefficient(outer), index.coefficient(inner)
    if {outer, inner} & {*far.names(), *near.names()}:
        return False
    return far == near * length

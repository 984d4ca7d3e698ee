"""Collapse: two loops, of which one is all of the other's body, become one over both axes.

It is possible if all addresses depend on the two counters as on one: the outer stride is the inner
one times the inner length. Fewer and longer loops cost less around them and fill vectors better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symtheano.codegen.targets import Target
from symtheano.loopir import For, Index, Kernel, Statement, Value
from symtheano.loopir.builder import Names
from symtheano.loopir.names import indices, operands, walk
from symtheano.loopir.rewrite import Body, Copier, with_bodies


def collapse(kernel: Kernel, target: Target, names: Names) -> Kernel:
    """Merge loops; before, bodies of loops are as naive as they were written."""
    return replace(kernel, body=_block(kernel.body))


def _block(statements: Body) -> Body:
    return tuple(_merged(with_bodies(statement, _block)) for statement in statements)


def _merged(statement: Statement) -> Statement:
    if not isinstance(statement, For) or len(statement.body) != 1:
        return statement
    (inner,) = statement.body
    if not isinstance(inner, For) or not _is_plain(statement) or not _is_plain(inner):
        return statement
    if statement.kind != inner.kind or not _act_as_one(statement, inner):
        return statement
    one = Copier(None, {inner.index.name: statement.index.index, statement.index.name: Index.of(0)})
    return replace(statement, stop=statement.stop * inner.stop, body=tuple(one.block(inner.body)))


def _is_plain(loop: For) -> bool:
    return loop.kind in ("independent", "reduce") and loop.start == 0 and loop.step == 1


def _act_as_one(outer: For, inner: For) -> bool:
    """Return whether everything inside depends on two counters as on one."""
    first, second = outer.index.name, inner.index.name
    if not {first, second}.isdisjoint(inner.stop.names()):
        return False
    return all(
        _strides_agree(index, first, second, inner.stop) for index in _indices(inner.body)
    ) and not any(
        isinstance(item, Value) and item.name in (first, second)
        for statement in walk(inner.body)
        for item in operands(statement)
    )


def _indices(statements: Sequence[Statement]) -> list[Index]:
    return [index for statement in walk(statements) for index in indices(statement)]


def _strides_agree(index: Index, outer: str, inner: str, length: Index) -> bool:
    far, near = index.coefficient(outer), index.coefficient(inner)
    if {outer, inner} & {*far.names(), *near.names()}:
        return False
    return far == near * length

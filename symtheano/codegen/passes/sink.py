"""Sink: a reduction that one arm of a switch reads is only computed where that arm is taken.

A safe norm chooses among the sum of squares, and those of scaled elements that neither overflow nor
vanish. Nearly always the first is taken, and the others cost more than it.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Declare, For, If, Kernel, Let, Load, Reduce, Statement, Value
from symtheano.loopir.names import walk, writes
from symtheano.loopir.rewrite import Body, Copier, names_used, slice_of, unless_same, with_nested


def sink(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Sink reductions of innermost loops, one loop for each, into a branch before the switch."""

    def block(statements: Body) -> Body:
        statements = _sunk(statements, context)
        return unless_same([with_nested(s, block) for s in statements], statements)

    # the values of sums outside of loops may be results
    sunk = replace(kernel, body=tuple(with_nested(s, block) for s in kernel.body))
    context.otherwise("not, no switch reads a sum that nothing else reads")
    return sunk


def _sunk(statements: Body, context: Context) -> Body:
    """Return statements of one list in which reductions are made later, or not at all."""
    declared = {s.target.name for s in statements if isinstance(s, Declare)}
    if not declared:
        return statements
    for switch in statements:
        if not isinstance(switch, Let) or switch.op != "switch":
            continue
        condition, *arms = switch.arguments
        if arms[0] == arms[1] or not isinstance(condition, Value):
            continue
        for arm in arms:
            if not isinstance(arm, Value):
                continue
            cast = _cast_of(arm, statements)
            total = arm if cast is None else cast.arguments[0]
            if not isinstance(total, Value) or total.name not in declared:
                continue
            if cast is not None and len(_users(arm, statements)) != 1:
                continue
            loop = _only_loop(total, cast or switch, statements)
            if loop is None:
                continue
            context.note(loop, "{} is only reduced where {} reads it", total.name,
                         switch.target.name)  # fmt: skip
            late = (_slice(loop, total, context),)
            branch = If(condition, late) if arm is arms[0] else If(condition, (), late)
            at = statements.index(switch)
            before = [
                _without(total, s) if s is loop else s for s in statements[:at] if s is not cast
            ]
            converted = [] if cast is None else [cast]
            statements = (*before, branch, *converted, *statements[at:])
    return statements


def _cast_of(value: Value, statements: Body) -> Let | None:
    """Return the conversion that defines a value."""
    for statement in statements:
        if isinstance(statement, Let) and statement.op == "cast" and statement.target == value:
            return statement
    return None


def _users(value: Value, statements: Body) -> list[Statement]:
    return [s for s in walk(statements) if value.name in names_used(s) or _reduces(s, value)]


def _only_loop(total: Value, reader: Let, statements: Body) -> For | None:
    """Return the loop that reduces a value, if otherwise only a later statement reads it."""
    loop: For | None = None
    later: set[str] = set()
    for statement in statements:
        if loop is not None:
            later.update(buffer.name for s in walk([statement]) for buffer in writes(s))
        if isinstance(statement, For) and any(_reduces(s, total) for s in statement.body):
            if loop is not None:
                return None
            loop = statement
    if loop is None or loop.kind != "reduce":
        return None
    if not all(isinstance(s, Let | Load | Reduce) for s in loop.body):
        return None
    if not later.isdisjoint(s.buffer.name for s in loop.body if isinstance(s, Load)):
        return None
    if len(reductions_of(loop)) < 2:  # nothing is saved where the arm is taken
        return None
    users = _users(total, statements)
    return loop if len(users) == 2 and any(s is reader for s in users) else None


def _reduces(statement: Statement, total: Value) -> bool:
    return isinstance(statement, Reduce) and statement.target == total


def _slice(loop: For, total: Value, context: Context) -> For:
    """Return a loop with the part of another one that reduces a value."""
    (reduction,) = (s for s in loop.body if _reduces(s, total))
    body = [*slice_of(set(names_used(reduction)), loop.body), reduction]
    (copy,) = Copier(context.names).statement(replace(loop, body=tuple(body)))
    assert isinstance(copy, For)
    return replace(copy, kind="simd", reductions=reductions_of(copy))


def _without(total: Value, loop: Statement) -> For:
    """Return a loop that does not reduce a value."""
    assert isinstance(loop, For)
    kept: Sequence[Statement] = [s for s in loop.body if not _reduces(s, total)]
    needed = {name for s in kept if isinstance(s, Reduce) for name in names_used(s)}
    parts = slice_of(needed, kept)
    return replace(loop, body=tuple(s for s in kept if isinstance(s, Reduce) or s in parts))

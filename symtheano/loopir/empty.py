"""Loops around empty loops: they are not run.

An array of shape ``(2**44, 0)`` has no elements, but a loop over its rows would run for hours. If
nothing happens in a loop besides other loops, it runs only if these are not empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from symtheano.dataclass import replace
from symtheano.loopir.builder import Names
from symtheano.loopir.host import Announce, Poll
from symtheano.loopir.index import Index
from symtheano.loopir.launch import Aligned
from symtheano.loopir.names import bodies, definitions, inner_definitions
from symtheano.loopir.nodes import (
    Assign,
    Comment,
    Declare,
    For,
    If,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Partition,
    Prefetch,
    Reduce,
    Statement,
)
from symtheano.loopir.operands import Literal, Operand, Value
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

# Loops of at most this length run in any case.
_SHORT = 1 << 16
# Statements that have no effect if later ones have none.
_WITHOUT_EFFECT = frozenset(
    (Aligned, Announce, Comment, Declare, Let, LetIndex, Load, Local, Partition, Poll, Prefetch)
)


Skipped = Callable[[For, Sequence[Index]], None]


def _silent(loop: For, lengths: Sequence[Index]) -> None:
    pass


def skip_empty_loops(kernel: Kernel, names: Names, note: Skipped = _silent) -> Kernel:
    """Return a kernel in which no long loop runs if nothing can happen in it.

    Parameters
    ----------
    kernel
        The kernel.
    names
        Where new names come from.
    note
        Function that is called with each loop that is changed, and with the lengths which have to
        be positive so that it runs.

    Examples
    --------
    >>> from symtheano.loopir import Buffer, Builder, Store
    >>> b, (n, m) = Builder(), map(Index.symbol, "nm")
    >>> x = Buffer("x", "float64", "output", n * m, 0)
    >>> with b.loop("i", n) as i, b.loop("j", m) as j:
    ...     b.emit(Store(x, i * m + j, Literal(0.0, "float64")))
    >>> kernel = Kernel("zero", "", b.statements())
    >>> [type(item).__name__ for item in skip_empty_loops(kernel, b.names).body]
    ['Let', 'Let', 'For']
    """
    return with_bodies(kernel, lambda body: _skipped(body, names, note, frozenset()))


def _skipped(statements: Body, names: Names, note: Skipped, inside: frozenset[str]) -> Body:
    """Skip loops by lengths that do not depend on ``inside``, names defined in enclosing loops."""
    body: list[Statement] = []
    for statement in statements:
        if isinstance(statement, For):
            here = inside | {value.name for value in inner_definitions(statement)}
            needed = _reasons(statement, here)
            if needed:
                note(statement, needed)
                statement = replace(statement, stop=_stop(statement, needed, names, body))
            else:
                statement = with_bodies(
                    statement, partial(_skipped, names=names, note=note, inside=here)
                )
        else:
            statement = with_bodies(
                statement, partial(_skipped, names=names, note=note, inside=inside)
            )
        if inside:
            inside |= {value.name for value in definitions(statement)}
        body.append(statement)
    return unless_same(body, statements)


def _reasons(loop: For, inside: frozenset[str]) -> list[Index]:
    """Return lengths for which a loop is worth skipping."""
    length = _length(loop)
    if length.constant is not None and length.constant <= _SHORT:
        return []
    lengths = _needed_inside(loop) - {length}
    return sorted((item for item in lengths if inside.isdisjoint(item.names())), key=str)


def _length(loop: For) -> Index:
    """Return a number that is positive if and only if a loop runs."""
    return loop.stop - loop.start if loop.step > 0 else loop.start - loop.stop


def _needed(statements: Sequence[Statement]) -> frozenset[Index]:
    """Return lengths of loops: if one of them is not positive, nothing happens."""
    common: frozenset[Index] | None = None
    inside: dict[str, Statement] = {}
    for statement in statements:
        if isinstance(statement, Assign | Reduce) and statement.target.name in inside:
            continue
        if _has_effect(statement):
            lengths = _needed_by(statement, inside)
            common = lengths if common is None else common & lengths
            if not common:  # so it is after most statements with an effect
                return common
        inside.update((value.name, statement) for value in definitions(statement))
    return frozenset(item for item in common or () if inside.keys().isdisjoint(item.names()))


def _has_effect(statement: Statement) -> bool:
    """Return whether a statement does more than compute or ask for memory."""
    if isinstance(statement, For | If):
        return any(_has_effect(inner) for body in bodies(statement) for inner in body)
    return type(statement) not in _WITHOUT_EFFECT


def _needed_by(statement: Statement, before: Mapping[str, Statement]) -> frozenset[Index]:
    if isinstance(statement, If):
        if not statement.otherwise:
            return _needed(statement.then) | _implied_by(statement.condition, before)
        return _needed(statement.then) & _needed(statement.otherwise)
    if not isinstance(statement, For):
        return frozenset()
    length, inside = _length(statement), _needed_inside(statement)
    is_known = length.constant is not None and length.constant > 0
    return inside if is_known else inside | {length}


def _implied_by(condition: Operand, before: Mapping[str, Statement]) -> frozenset[Index]:
    """Return a length that is positive if ``0 <= position < length``, which ``condition`` tells."""
    parts = [_let(part, before) for part in _arguments(_let(condition, before), "and_")]
    for first, second in (parts, parts[::-1]) if len(parts) == 2 else ():
        position = _arguments(first, "ge")
        bound = _arguments(second, "lt")
        if position and bound and position == [bound[0], Literal(0, "int64")]:
            (_, length) = bound
            definition = _let(length, before)
            if isinstance(definition, LetIndex):
                return frozenset([definition.index])
            if isinstance(length, Value):
                return frozenset([length.index])
    return frozenset()


def _let(operand: Operand, before: Mapping[str, Statement]) -> Statement | None:
    return before.get(operand.name) if isinstance(operand, Value) else None


def _arguments(statement: Statement | None, op: str) -> list[Operand]:
    return [*statement.arguments] if isinstance(statement, Let) and statement.op == op else []


def _needed_inside(loop: For) -> frozenset[Index]:
    names = {value.name for value in inner_definitions(loop)}
    return frozenset(item for item in _needed(loop.body) if names.isdisjoint(item.names()))


def _stop(loop: For, needed: list[Index], names: Names, body: list[Statement]) -> Index:
    """Return where a loop ends: at its start if one of the lengths is not positive."""
    runs: Operand | None = None
    for length in needed:
        each = Value(names.fresh("filled"), "bool")
        body.append(Let(each, "gt", (_operand(length, names, body), Literal(0, "int64"))))
        if runs is not None:
            both = Value(names.fresh("filled"), "bool")
            body.append(Let(both, "and_", (runs, each)))
            each = both
        runs = each
    assert runs is not None
    stop, start = (_operand(index, names, body) for index in (loop.stop, loop.start))
    end = Value(names.fresh("stop"), "int64")
    body.append(Let(end, "switch", (runs, stop, start)))
    return end.index


def _operand(index: Index, names: Names, body: list[Statement]) -> Operand:
    if index.constant is not None:
        return Literal(index.constant, "int64")
    if index.name is not None:
        return Value(index.name, "int64")
    value = Value(names.fresh("k"), "int64")
    body.append(LetIndex(value, index))
    return value

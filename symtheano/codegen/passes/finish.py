"""Finish: what only passes understand becomes loads, scalar statements, assignments and stores."""

from __future__ import annotations

from collections.abc import Callable

from symtheano import dtypes
from symtheano.codegen.rows import apply_row
from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Expression,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Local,
    Locate,
    Reduce,
    Update,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import LOCAL, SHARED
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.operands import Operand, element_of
from symtheano.loopir.rewrite import Body, Copier, with_bodies
from symtheano.scalar.table import scalar_op


def finish(kernel: Kernel, names: Names, place: Callable[[Buffer], Buffer]) -> Kernel:
    """Return a kernel without statements that only passes understand.

    Parameters
    ----------
    kernel
        With memory of its own that iterations may share, since they run in order.
    names
        Where new names come from.
    place
        Function that returns the buffer of the function's workspace for such memory.
    """
    local = [s.buffer for s in walk(kernel.body) if isinstance(s, Local)]
    local = [buffer for buffer in local if buffer.memory is LOCAL]
    body = kernel.body
    if local:
        body = _without(body)
        buffers = {buffer.name: place(buffer) for buffer in local}
        body = tuple(Copier(None, buffers=buffers).block(body))
    return replace(kernel, body=_block(body, names))


def _without(statements: Body) -> Body:
    return tuple(
        with_bodies(s, _without)
        for s in statements
        if not isinstance(s, Local) or s.buffer.memory is SHARED
    )


def _block(statements: Body, names: Names) -> Body:
    b = Builder(names)
    changed = False
    waiting: dict[tuple[str, Index], tuple[Buffer, Operand]] = {}
    for statement in statements:
        if waiting and not isinstance(statement, Let | LetIndex | Update | Reduce):
            used = {buffer.name for s in walk([statement]) for buffer in (*reads(s), *writes(s))}
            if any(name in used for name, _ in waiting):
                _store(b, waiting)
        b.origin = getattr(statement, "origin", None)
        if isinstance(statement, For | If):
            inner = with_bodies(statement, lambda body: _block(body, names))
            changed |= inner is not statement
            b.emit(inner)
        elif isinstance(statement, Reduce):
            _assign(b, statement)
        elif isinstance(statement, Update):
            _update(b, statement, waiting)
        elif isinstance(statement, Locate):
            with b.branch(better(b, statement.op, statement.value, statement.best)):
                b.assign(statement.best, statement.value)
                b.assign(statement.where, statement.position)
        else:
            b.emit(statement)
            continue
        changed |= isinstance(statement, Reduce | Update | Locate)
    _store(b, waiting)
    return b.statements() if changed else statements


def _update(
    b: Builder, statement: Update, waiting: dict[tuple[str, Index], tuple[Buffer, Operand]]
) -> None:
    """Compute the new value of a cell; it is stored later, if it is updated again."""
    buffer, key = statement.buffer, (statement.buffer.name, statement.index)
    if key not in waiting and any(name == buffer.name for name, _ in waiting):
        _store(b, waiting)
    _, before = waiting.get(key) or (buffer, b.load(View(buffer, (), (), statement.index), []))
    waiting[key] = buffer, _combined(b, before, statement.op, statement.value, buffer.dtype)


def _store(b: Builder, waiting: dict[tuple[str, Index], tuple[Buffer, Operand]]) -> None:
    for (_, index), (buffer, value) in waiting.items():
        b.store(View(buffer, (), (), index), [], value)
    waiting.clear()


def _combined(b: Builder, total: Operand, op: str, value: Operand, dtype: str) -> Operand:
    result: Operand = apply_row(b, scalar_op(op), [total, value], dtype)
    return result


def _assign(b: Builder, statement: Reduce) -> None:
    total, value, dtype = statement.target, statement.value, statement.target.dtype
    b.vary(total)
    element = element_of(dtype)
    signature = scalar_op(statement.op).signature((element, element_of(value.dtype)))
    if {*signature.compute, signature.result} == {element} and element != "float16":
        expression = Expression(statement.op, dtype, (total, value))
        b.emit(Assign(total, expression, statement.origin))
    else:
        b.emit(Assign(total, _combined(b, total, statement.op, value, dtype)))


def better(b: Builder, op: str, value: Operand, best: Operand) -> Operand:
    """Return whether a candidate is better than the best so far; the first NaN is final."""
    wins = b.let("gt" if op == "argmax" else "lt", "bool", [value, best])
    if dtypes.is_discrete(best.dtype):
        return wins
    is_nan = b.let("neq", "bool", [value, value])
    was_number = b.let("eq", "bool", [best, best])
    first_nan = b.let("and_", "bool", [is_nan, was_number])
    return b.let("or_", "bool", [wins, first_nan])

"""Peel: a loop with one special position, such as a label's, runs as if there was none.

The element at the position is computed before the loop and stored after it, and the loop needs no
comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import apply_row, neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, with_nested
from symtheano.scalar.table import scalar_op


def peel(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Peel innermost independent loops that compare their counter with something fixed."""
    peeled = replace(kernel, body=_block(kernel.body, context, ()))
    context.otherwise("not, no inner loop compares its counter with a fixed position")
    return peeled


def _block(statements: Body, context: Context, outer: tuple[For, ...]) -> Body:
    body: list[Statement] = []
    for statement in statements:
        place = _special_place(statement) if outer and isinstance(statement, For) else None
        if place is None:
            around = (*outer, statement) if isinstance(statement, For) else outer
            body.append(with_nested(statement, partial(_block, context=context, outer=around)))
        else:
            assert isinstance(statement, For)
            context.note(statement, "its only special position is {}", place.name)
            body += _around(statement, place, outer, context.names)
    return tuple(body)


def _special_place(loop: For) -> Value | None:
    """Return the integer with which a loop compares its counter, if any."""
    if loop.kind != "independent" or loop.step != 1:
        return None
    if not all(isinstance(s, Let | LetIndex | Load | Store) for s in loop.body):
        return None
    inside = {loop.index.name, *(v.name for s in loop.body for v in definitions(s))}
    for statement in loop.body:
        if (
            isinstance(statement, Let)
            and statement.op == "eq"
            and loop.index in statement.arguments
        ):
            others = [a for a in statement.arguments if a != loop.index]
            if len(others) == 1 and isinstance(others[0], Value):
                return None if others[0].name in inside else others[0]
    return None


def _is_position(place: Value, loop: For, outer: Sequence[For]) -> bool:
    """Return whether an integer is surely one of a loop's positions: it counts an equal loop."""
    return any(
        each.index == place
        and each.start == loop.start
        and each.stop == loop.stop
        and each.step > 0
        for each in outer
    )


def _around(loop: For, place: Value, outer: Sequence[For], names: Names) -> Sequence[Statement]:
    b = Builder(names)
    special = _Specializer(names, {loop.index.name: place.index}, {loop.index.name: place},
                           place, place, True)  # fmt: skip
    statements = special.block(loop.body)
    stores = [s for s in statements if isinstance(s, Store)]
    others = _Specializer(None, {}, {}, loop.index, place, False).block(loop.body)
    rest = replace(loop, body=tuple(others), kind="simd")
    if _is_position(place, loop, outer):
        return (*(s for s in statements if not isinstance(s, Store)), rest, *stores)
    low = b.let("ge", "bool", [place, b.operand(loop.start)])
    high = b.let("lt", "bool", [place, b.operand(loop.stop)])
    inside = b.let("and_", "bool", [low, high], "inside")
    kept = [b.declare("kept", neutral_element("add", s.value.dtype)) for s in stores]
    with b.branch(inside):
        for statement in statements:
            if not isinstance(statement, Store):
                b.emit(statement)
        for store, value in zip(stores, kept, strict=True):
            b.assign(value, store.value)
    b.emit(rest)
    with b.branch(inside):
        for store, value in zip(stores, kept, strict=True):
            b.emit(replace(store, value=value))
    return b.statements()


class _Specializer(Copier):
    """Copies statements where it is known whether two integers are equal."""

    def __init__(
        self,
        names: Names | None,
        indices: dict[str, Index],
        values: dict[str, Operand],
        left: Value,
        right: Value,
        equal: bool,
    ) -> None:
        super().__init__(names, indices, values)
        self.equal = equal
        self.pairs = ((left, right), (right, left))

    def statement(self, statement: Statement) -> list[Statement]:
        """Return the copy of a statement, simplified; nothing if its value is known."""
        if not isinstance(statement, Let):
            return super().statement(statement)
        arguments = tuple(map(self.operand, statement.arguments))
        value: Operand | None = None
        if statement.op == "eq" and arguments in self.pairs:
            value = Literal(self.equal, "bool")
        elif any(isinstance(a, Literal) for a in arguments) or statement.op == "cast":
            value = _folded(statement, arguments)
        if value is None:
            return super().statement(statement)
        self.values[statement.target.name] = value
        return []


def _folded(statement: Let, arguments: Sequence[Operand]) -> Operand | None:
    """Return the value of a statement if it is one of its arguments, or known."""
    b = Builder()
    if statement.op == "cast":
        value = b.cast(arguments[0], statement.target.dtype)
    else:
        value = apply_row(b, scalar_op(statement.op), arguments, statement.target.dtype)
    return None if b.statements() else value

"""Loops over a row in which one position is special: a label's, in a row of classes.

The loop runs as if there were no label, without an integer comparison per element. The element at
the label is computed before the loop and stored after it.
"""

from __future__ import annotations

from typing import Any

from symtheano.codegen.ahead import KernelAhead
from symtheano.codegen.neutral import neutral_element
from symtheano.loopir import For, Let, Literal, Store, Value
from symtheano.loopir.names import definitions
from symtheano.tensor.elemwise import Elemwise


class KernelChoices(KernelAhead):
    """Writes loops around one position."""

    def _place_of_choice(self, stage: int, groups: list[int]) -> Value | None:
        """Return the position with which a stage's loop compares its index, if any."""
        members = self.plan.inner_members_of(stage)
        if len(groups) != 1 or any(member.role != "point" for member in members):
            return None
        nodes: list[Any] = [*(m.node for m in members), *(item.owner for item in self.nest.inline)]
        if not any(isinstance(n.op, Elemwise) and n.op.scalar_op.name == "eq" for n in nodes):
            return None
        b = self.b
        with b.block() as trial, self._loop(groups[0]):
            counter = b.operand(self.counters[groups[0]])
            self._inner_body(stage)
        (loop,) = (s for s in trial if isinstance(s, For))
        inside = {value.name for s in loop.body for value in definitions(s)}
        for statement in loop.body:
            if isinstance(statement, Let) and statement.op == "eq":
                others = [a for a in statement.arguments if a != counter]
                if len(others) == 1 and isinstance(others[0], Value):
                    return None if others[0].name in inside else others[0]
        return None

    def _loop_around(self, stage: int, group: int, place: Value) -> None:
        """Generate a stage's loop, and the stores for the index ``place`` after it."""
        b = self.b
        length = b.operand(self._length(group))
        low = b.let("ge", "bool", [place, Literal(0, "int64")])
        inside = b.let("and_", "bool", [low, b.let("lt", "bool", [place, length])], "inside")
        with b.block() as special, self._scope():
            b.assume("eq", [place, place], True)
            self.counters[group] = place.index
            self._inner_body(stage)
            del self.counters[group]
        stores = [statement for statement in special if isinstance(statement, Store)]
        kept = [(s, b.declare("kept", neutral_element("add", s.value.dtype))) for s in stores]
        with b.branch(inside):
            for statement in special:
                if not isinstance(statement, Store):
                    b.emit(statement)
            for store, value in kept:
                b.assign(value, store.value)
        with self._loop(group, kind="simd"):
            counter = b.operand(self.counters[group])
            for pair in ([counter, place], [place, counter]):
                b.assume("eq", pair, False)
            self._inner_body(stage)
        with b.branch(inside):
            for store, value in kept:
                b.emit(Store(store.buffer, store.index, value))

"""Hold rows: elements that several loops over a row use stay in registers of their threads.

The threads of a warp, or of a block, share a row, and each has the same positions of it in every
loop. Where loops load what an earlier one has loaded or stored, each thread keeps its first
elements in a small array, whose indices are constants in unrolled loops, so that it consists of
registers. What is beyond these elements is loaded from memory again. Terms of sums keep their
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symtheano.codegen.passes.cuda.rows import Place, Row, rows_in
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    If,
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
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.rewrite import Body, Copier, base_name, unless_same, with_bodies

_GROUP = 4
"""Elements between two tests whether any thread has more, in rows of unknown length."""

_MOST = 16
"""Elements that a thread keeps of rows of unknown length; twice as many of others."""


def hold_rows(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Keep elements of rows in registers, if several loops of a block or warp use them."""
    writer = _Writer(target, context, _limits(kernel))

    def block(body: Body, known: Mapping[Index, int]) -> Body:
        body = unless_same(writer.held(body, known), body)
        inner: list[Statement] = []
        for s in body:
            if isinstance(s, If) and isinstance(s.condition, Value):
                then = block(s.then, {**known, **writer.limits.get(s.condition.name, {})})
                otherwise = block(s.otherwise, known)
                same = then is s.then and otherwise is s.otherwise
                inner.append(s if same else replace(s, then=then, otherwise=otherwise))
            else:
                inner.append(with_bodies(s, lambda body: block(body, known)))
        return unless_same(inner, body)

    changed = with_bodies(kernel, lambda body: block(body, {}))
    context.otherwise("not, no loops over a row use the same elements")
    return changed


def _limits(kernel: Kernel) -> dict[str, dict[Index, int]]:
    """Return the largest values of integers for the conditions that bound them."""
    lets = {s.target.name: s for s in walk(kernel.body) if isinstance(s, Let) and s.op == "le"}
    integers = {s.target.name: s.index for s in walk(kernel.body) if isinstance(s, LetIndex)}
    limits: dict[str, dict[Index, int]] = {}
    for name, let in lets.items():
        value, most = let.arguments
        if isinstance(value, Value) and value.dtype == "int64" and isinstance(most, Literal):
            index = integers.get(value.name, value.index)
            limits[name] = {index: int(most.value.real)}
    return limits


@dataclass(eq=False)
class _Held:
    """What is kept at one place of a row.

    Attributes
    ----------
    array
        The registers of a thread; at first, the array in memory.
    kept
        Statements whose element is kept for a later load.
    again
        Loads of what is kept.
    dead
        Stores of what a later loop stores anew, and none reads from memory.
    """

    array: Buffer
    kept: list[Statement]
    again: list[Statement]
    dead: list[Statement]

    @property
    def words(self) -> int:
        """Registers for one element."""
        return max(1, np.dtype(self.array.dtype).itemsize // 4)


class _Writer:
    """Writes the loops of one kernel.

    Parameters
    ----------
    target, context
        As for the pass.
    limits
        For conditions the largest values of integers where they hold.
    """

    def __init__(
        self, target: Target, context: Context, limits: Mapping[str, dict[Index, int]]
    ) -> None:
        self.device, self.context, self.limits = target.device, context, limits

    def held(self, body: Body, known: Mapping[Index, int]) -> Sequence[Statement]:
        """Return a list of statements whose loops over the same row share registers."""
        groups: dict[tuple[Index, Index, int], list[Row]] = {}
        for row in rows_in(body, self.device.warp):
            groups.setdefault(row.key, []).append(row)
        for rows in groups.values():
            found = self._places(rows, body) if len(rows) > 1 else []
            length = rows[0].length
            most = length.constant if length.constant is not None else known.get(length)
            found, count = self._fitting(rows[0], found, most) if found else ([], 0)
            if count:
                new = {id(row.outer): self._row(row, found, count, most) for row in rows}
                body = tuple(new.get(id(s), s) for s in body)
        return body

    def _places(self, rows: Sequence[Row], body: Body) -> list[_Held]:
        """Return what loops over a row use more than once, what saves most loads first."""
        accesses: dict[Place, list[Load | Store]] = {}
        for row in rows:
            for place, s in row.accesses():
                accesses.setdefault(place, []).append(s)
        found = []
        for (buffer, _), own in accesses.items():
            held = self._place(buffer, own, body)
            if held.again:
                found.append(held)
        return sorted(found, key=lambda held: -len(held.again))

    def _place(self, buffer: Buffer, own: Sequence[Load | Store], body: Body) -> _Held:
        """Return what is kept of one place, which loops use in this order."""
        held = _Held(buffer, [], [], [])
        inside = {id(s) for s in own}
        others = [s for s in walk(body) if id(s) not in inside]
        if any(buffer in writes(s) for s in others):
            return held
        read = any(buffer in reads(s) for s in others)
        last: Statement | None = None
        for s in own:
            if isinstance(s, Store):
                if isinstance(last, Store) and not read:
                    held.dead.append(last)
                last = s
            elif last is None:
                last = s
            else:
                held.again.append(s)
                if not any(kept is last for kept in held.kept):
                    held.kept.append(last)
        return held

    def _fitting(
        self, row: Row, found: Sequence[_Held], most: int | None
    ) -> tuple[list[_Held], int]:
        """Return what fits into registers, and how many elements each thread keeps of each."""
        needed = min(_MOST if most is None else -(-most // row.step), 2 * _MOST)
        if row.length.constant is None and needed > _GROUP:
            needed += -needed % _GROUP
        fitting: list[_Held] = []
        words = 0
        for held in found:
            fits = (words + held.words) * min(needed, _GROUP) <= self.device.held
            if fits:
                fitting.append(held)
                words += held.words
            self.context.note(row.loop, "{}{} of {}: {} words for each element of {}",
                              "" if fits else "not, ", held.array.name, row.length, words,
                              self.device.held)  # fmt: skip
        count = min(needed, self.device.held // max(1, words))
        if _GROUP < count < needed:
            count -= count % _GROUP
        return [self._in_registers(held, count) for held in fitting], count

    def _in_registers(self, held: _Held, count: int) -> _Held:
        name = self.context.names.fresh(f"{base_name(held.array.name)}_held")
        return replace(held, array=Buffer(name, held.array.dtype, "stack", Index.of(count)))

    # -- loops --------------------------------------------------------------------------------

    def _row(self, row: Row, found: Sequence[_Held], count: int, most: int | None) -> Statement:
        """Return a loop over a row which keeps elements, or uses those that are kept."""
        here = {id(s) for s in row.loop.body}
        if not any(id(s) in here for held in found for s in (*held.kept, *held.again)):
            return row.outer
        b, loop = Builder(self.context.names), row.loop
        if row.length.constant is not None or count <= _GROUP:
            self._elements(b, row, found, Index.of(0), count)
        else:
            with b.loop("group", count, step=_GROUP, kind="unrolled") as group:
                first = b.index_value(row.first + group * row.step, "first")
                some = b.let("lt", "bool", [first, b.operand(loop.stop)], "some")
                with b.branch(some):
                    self._elements(b, row, found, group, _GROUP)
        if most is None or count * row.step < most:
            rest = replace(loop, start=loop.start + count * row.step)
            for s in Copier(self.context.names).statement(rest):
                b.emit(s)
        return row.replaced(b.statements())

    def _elements(
        self, b: Builder, row: Row, found: Sequence[_Held], first: Index, count: int
    ) -> None:
        """Write an unrolled loop over elements, from a thread's first-th one on."""
        loop = row.loop
        with b.loop("k", count, kind="unrolled") as k:
            b.emit(LetIndex(loop.index, loop.start + (first + k) * row.step))
            length = row.length.constant
            if length is not None and count * row.step <= length:
                self._element(b, loop.body, found, first + k)
                return
            inside = b.let("lt", "bool", [loop.index, b.operand(loop.stop)], "inside")
            with b.branch(inside):
                self._element(b, loop.body, found, first + k)

    def _element(self, b: Builder, body: Body, found: Sequence[_Held], number: Index) -> None:
        """Write what is done with one element."""
        again = {id(s): held.array for held in found for s in held.again}
        kept = {id(s): held.array for held in found for s in held.kept}
        dead = {id(s) for held in found for s in held.dead}
        for s in body:
            if isinstance(s, Load) and id(s) in again:
                b.emit(Load(s.target, again[id(s)], number))
            elif id(s) not in dead:
                b.emit(s)
            if isinstance(s, Load | Store) and id(s) in kept:
                b.emit(Store(kept[id(s)], number, s.target if isinstance(s, Load) else s.value))

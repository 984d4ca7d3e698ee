"""Hold rows: elements that several loops over a row use stay in registers of their threads.

The threads of a warp, or of a block, share a row, and each has the same positions of it in every
loop. Where loops load what an earlier one has loaded or stored, each thread keeps its first
elements in a small array, whose indices are constants in unrolled loops, so that it consists of
registers. Rows are loaded and stored in fours (``fours.py``) where their length is a multiple of
four; the host tests that if it is not known, and launches one of two kernels. What is beyond these
elements is loaded from memory again. Terms of sums keep their order. Sums of columns, to
which each row of a chunk adds, begin in registers before the first row, and are added to memory
after the last one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from symtheano.codegen.passes.cuda.fours import can_be_in_fours, write_in_fours
from symtheano.codegen.passes.cuda.rows import (
    Access,
    Held,
    Place,
    Row,
    at,
    defined_in,
    names_of,
    rows_in,
    write_elements,
)
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Update,
    Value,
)
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.nodes import Kind
from symtheano.loopir.operands import LANES, Operand
from symtheano.loopir.rewrite import Body, Copier, base_name, unless_same, with_bodies

_GROUP = 4
"""Elements between two tests whether any thread has more, in rows of unknown length."""

_MOST = 16
"""Elements that a thread keeps of rows of unknown length; twice as many of others."""


def hold_rows(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Keep elements of rows in registers, if several loops of a block or warp use them."""
    writer = _Writer(target, context, _limits(kernel))
    changed = with_bodies(kernel, lambda body: writer.block(body, {}))
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


@dataclass(frozen=True)
class _Changed:
    """Statements of a loop, and what is done before and after the loop."""

    before: Body
    body: Body
    after: Body


def _is_value(operand: Operand) -> TypeGuard[Value]:
    return isinstance(operand, Value)


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
        self.in_grid = False
        # Lengths that the host tests, and those that it would have to, with the threads of a row.
        self.multiples: set[Index] = set()
        self.unknown: set[tuple[Index, int]] = set()

    def block(self, body: Body, known: Mapping[Index, int]) -> Body:
        """Return statements in which loops over rows share registers."""
        new: list[Statement] = []
        for s in body:
            if isinstance(s, If):
                limits = self.limits.get(s.condition.name, {}) if _is_value(s.condition) else {}
                then = self._inside(s.then, {**known, **limits}).body
                otherwise = self._inside(s.otherwise, known).body
                same = then is s.then and otherwise is s.otherwise
                new.append(s if same else replace(s, then=then, otherwise=otherwise))
            elif isinstance(s, For) and s.kind == "grid" and not self.in_grid:
                new += self._grid(s, known)
            elif isinstance(s, For):
                new += self._loop(s, known)
            else:
                new.append(s)
        return unless_same(new, body)

    def _loop(self, s: For, known: Mapping[Index, int]) -> list[Statement]:
        changed = self._inside(s.body, known, s if s.kind == "serial" else None)
        loop = s if changed.body is s.body else replace(s, body=changed.body)
        return [*changed.before, loop, *changed.after]

    def _grid(self, s: For, known: Mapping[Index, int]) -> list[Statement]:
        """Return a launch, or two if rows go in fours where their length is a multiple of four."""
        self.in_grid, self.unknown = True, set()
        plain = self._loop(s, known)
        lengths = self.unknown
        if len(lengths) == 1 and defined_in([s]).isdisjoint(next(iter(lengths))[0].names()):
            ((length, step),) = lengths
            (again,) = Copier(self.context.names).statement(s)
            assert isinstance(again, For)
            self.multiples = {length}
            fours = self._loop(again, known)
            self.multiples = set()
            b = Builder(self.context.names)
            rest = b.let("and_", "int64", [b.operand(length), Literal(LANES - 1, "int64")])
            tests = [
                b.let("eq", "bool", [rest, Literal(0, "int64")]),
                b.let("le", "bool", [Literal(LANES * step, "int64"), b.operand(length)]),
            ]
            b.emit(If(b.let("and_", "bool", tests, "in_fours"), tuple(fours), tuple(plain)))
            plain = [*b.statements()]
        self.in_grid = False
        return plain

    def _inside(
        self, body: Body, known: Mapping[Index, int], around: For | None = None
    ) -> _Changed:
        """Return a list of statements whose loops over the same row share registers.

        Sums that pass from one iteration of the loop around them to the next are kept, too.
        """
        groups: dict[tuple[Index, Index, int], list[Row]] = {}
        before: list[Statement] = []
        after: list[Statement] = []
        for row in rows_in(body, self.device.warp):
            groups.setdefault(row.key, []).append(row)
        for rows in groups.values():
            row, length = rows[0], rows[0].length
            most = length.constant if length.constant is not None else known.get(length)
            holds = self._places(rows, body, around)
            fours = can_be_in_fours(rows, self.multiples)
            holds, count = self._fitting(row, holds, most, fours) if holds else ([], 0)
            fours &= count % LANES == 0
            if count and not fours and can_be_in_fours(rows, {length}):
                self.unknown.add((length, row.step))
            if count:
                new = {id(row.outer): self._row(row, holds, count, most, fours) for row in rows}
                body = tuple(new.get(id(s), s) for s in body)
            sums = [held for held in holds if held.sums]
            if sums and count:
                before.append(self._neutral(row, sums, count))
                after.append(self._added(row, sums, count, fours))
        return _Changed(tuple(before), self.block(body, known), tuple(after))

    def _places(self, rows: Sequence[Row], body: Body, around: For | None) -> list[Held]:
        """Return what loops over a row use more than once, what saves most accesses first."""
        accesses: dict[Place, list[Access]] = {}
        for row in rows:
            for place, s in row.accesses():
                accesses.setdefault(place, []).append(s)
        holds = []
        for place, own in accesses.items():
            if any(isinstance(s, Update) for s in own):
                held = self._sum(place, own, rows[0], body, around)
            else:
                held = self._place(place, own, body)
            if held.again or held.sums:
                holds.append(held)
        return sorted(holds, key=lambda held: -len(held.again) - 2 * len(held.sums))

    def _sum(
        self, place: Place, own: Sequence[Access], row: Row, body: Body, around: For | None
    ) -> Held:
        """Return a sum that all iterations of a loop around rows add to."""
        held, ids = Held(place, [], [], [], []), {id(s) for s in own}
        others = [s for s in walk(body) if id(s) not in ids]
        if around is None or any(place[0] in (*reads(s), *writes(s)) for s in others):
            return held
        varying = {around.index.name, *defined_in(body)}
        fixed = names_of(place) | {*row.first.names(), *row.loop.stop.names()}
        updates = [s for s in own if isinstance(s, Update)]
        if len(updates) == len(own) and len({s.op for s in updates}) == 1:
            held.sums += updates if varying.isdisjoint(fixed) else []
        return held

    def _place(self, place: Place, own: Sequence[Access], body: Body) -> Held:
        """Return what is kept of one place, which loops use in this order."""
        held, buffer = Held(place, [], [], [], []), place[0]
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
        self, row: Row, holds: Sequence[Held], most: int | None, fours: bool
    ) -> tuple[list[Held], int]:
        """Return what fits into registers, and how many elements each thread keeps of each."""
        needed = min(_MOST if most is None else -(-most // row.step), 2 * _MOST)
        if fours or (row.length.constant is None and needed > _GROUP):
            needed += -needed % _GROUP
        fitting: list[Held] = []
        words = 0
        for held in holds:
            fits = (words + held.words) * min(needed, _GROUP) <= self.device.held
            if fits:
                fitting.append(held)
                words += held.words
            if not self.multiples:
                self.context.note(row.loop, "{}{} of {}: {} words for each element of {}",
                              "" if fits else "not, ", held.place[0].name, row.length, words,
                              self.device.held)  # fmt: skip
        count = min(needed, self.device.held // max(1, words))
        if _GROUP < count < needed:
            count -= count % _GROUP
        return [self._in_registers(held, count) for held in fitting], count

    def _in_registers(self, held: Held, count: int) -> Held:
        buffer = held.place[0]
        name = self.context.names.fresh(f"{base_name(buffer.name)}_held")
        return replace(held, array=Buffer(name, buffer.dtype, "stack", Index.of(count)))

    # -- loops --------------------------------------------------------------------------------

    def _row(
        self, row: Row, holds: Sequence[Held], count: int, most: int | None, fours: bool
    ) -> Statement:
        """Return a loop over a row which keeps elements, or uses those that are kept.

        If a thread has four neighbours, it has them in all loops, since an array that one of them
        stores may be in the memory of another one that an earlier loop loads.
        """
        here = {id(s) for s in row.loop.body}
        used = (s for held in holds for s in (*held.kept, *held.again, *held.sums))
        if not fours and not any(id(s) in here for s in used):
            return row.outer
        b, loop = Builder(self.context.names), row.loop
        if fours:
            write_in_fours(b, row, holds, count)
        elif row.length.constant is not None or count <= _GROUP:
            self._elements(b, row, holds, Index.of(0), count)
        else:
            with b.loop("group", count, step=_GROUP, kind="unrolled") as group:
                first = b.index_value(row.first + group * row.step, "first")
                some = b.let("lt", "bool", [first, b.operand(loop.stop)], "some")
                with b.branch(some):
                    self._elements(b, row, holds, group, _GROUP)
        if most is None or count * row.step < most:
            rest = replace(loop, start=loop.start + count * row.step)
            for s in Copier(self.context.names).statement(rest):
                b.emit(s)
        return row.replaced(b.statements())

    def _elements(
        self, b: Builder, row: Row, holds: Sequence[Held], first: Index, count: int
    ) -> None:
        """Write an unrolled loop over elements, from a thread's first-th one on."""
        loop = row.loop
        with b.loop("k", count, kind="unrolled") as k:
            b.emit(LetIndex(loop.index, loop.start + (first + k) * row.step))
            length = row.length.constant
            if length is not None and count * row.step <= length:
                write_elements(b, loop.body, holds, first + k)
                return
            inside = b.let("lt", "bool", [loop.index, b.operand(loop.stop)], "inside")
            with b.branch(inside):
                write_elements(b, loop.body, holds, first + k)

    # -- sums of all iterations around rows ---------------------------------------------------

    def _neutral(self, row: Row, sums: Sequence[Held], count: int) -> Statement:
        """Return a loop in which threads begin sums."""
        b = Builder(self.context.names)
        with (
            b.loop(_team(row), row.step, kind=_team(row)),
            b.loop("k", count, kind="unrolled") as k,
        ):
            for held in sums:
                op, array = held.sums[0].op, held.registers
                b.emit(Store(array, k, neutral_element(op, array.dtype)))
        return b.statements()[0]

    def _added(self, row: Row, sums: Sequence[Held], count: int, fours: bool) -> Statement:
        """Return a loop over a row that adds sums to what is in memory."""
        b, again = Builder(self.context.names), []
        with (
            b.loop(_team(row), row.step, kind=_team(row)) as own,
            b.loop("j", row.loop.stop, row.first + own, step=row.step) as j,
        ):
            for held in sums:
                (buffer, _), op = held.place, held.sums[0].op
                index, total = at(held.place, j), b.value("held", buffer.dtype)
                load = Load(total, buffer, index)
                b.emit(load)
                b.emit(Update(buffer, index, op, total, held.sums[0].origin))
                again.append(Held(held.place, [], [load], [], [], held.array))
        (end,) = rows_in(b.statements(), self.device.warp)
        return self._row(end, again, count, count * row.step, fours)


def _team(row: Row) -> Kind:
    """Return the kind of a loop over the threads that share a row."""
    return "lane" if row.outer.kind == "lane" else "thread"

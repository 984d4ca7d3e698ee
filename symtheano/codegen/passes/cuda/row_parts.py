"""Row parts: statements of a row are written again where loops along it are reduced in parts.

What reduces the parts of a loop leaves a result for each in memory. What uses the results of the
loop combines these, in order, instead of running the loop: the same statements are written for each
loop that depends on others, and for the end of the row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from symtheano.codegen.rows import neutral_element
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    Index,
    Literal,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, base_name


@dataclass(frozen=True)
class Limits:
    """Which rows are cut into chunks, and into how many.

    Attributes
    ----------
    rows
        The most rows: if there are more, there are enough blocks for a device.
    chunks
        The most chunks of a row.
    length
        The least length of rows, or 0 if it does not matter.
    """

    rows: int
    chunks: int
    length: int = 0

    def might_hold(self, count: Index, length: Index) -> bool:
        """Return whether so many rows of a length may be cut, as far as it is known."""
        most, least = count.constant, length.constant
        return (most is None or most <= self.rows) and (least is None or least >= self.length)

    def test(self, b: Builder, count: Index, length: Index) -> Operand | None:
        """Write whether rows are few and long; return None if that is known."""
        tests: list[Operand] = []
        if count.constant is None:
            most = Literal(self.rows, "int64")
            tests.append(b.let("le", "bool", [b.operand(count), most], "few_rows"))
        if self.length and length.constant is None:
            least = Literal(self.length, "int64")
            tests.append(b.let("le", "bool", [least, b.operand(length)], "long_rows"))
        if len(tests) < 2:
            return tests[0] if tests else None
        return b.let("and_", "bool", tests, "few_long_rows")

    def size(self, count: Index) -> Index:
        """Return how many chunks all rows may have, of which at most so many are cut."""
        return Index.of(self.chunks * min(self.rows, count.constant or self.rows))


LONG_ROWS = Limits(rows=128, chunks=128, length=1 << 14)
"""Rows along one axis: the registers of a block hold shorter ones."""


def loops_along(row: For) -> tuple[For, ...]:
    """Return the loops of a row, of which each may be reduced in parts."""
    return tuple(s for s in row.body if isinstance(s, For))


def keeps_order(row: For) -> bool:
    """Return whether a row's statements before a loop may be run again, without what they store.

    Those after the last loop are run once.
    """
    loops = loops_along(row)
    last = max((n for n, s in enumerate(row.body) if isinstance(s, For)), default=0)
    light = [s for s in row.body[:last] if not isinstance(s, For)]
    stored = {buffer for s in light for buffer in writes(s)}
    read = {buffer for s in light if not isinstance(s, Update) for buffer in reads(s)}
    written = {buffer for s in walk(loops) for buffer in writes(s)}
    used = {buffer for s in walk(loops) for buffer in reads(s)} | written
    return read.isdisjoint(stored | written) and stored.isdisjoint(used)


def begins_neutral(row: For) -> bool:
    """Return whether each accumulator is one loop's, and begins as what adds nothing."""
    initial = {s.target.name: s.initial for s in row.body if isinstance(s, Declare)}
    seen: set[str] = set()
    for along in loops_along(row):
        reduced = {s.target: s.op for s in walk(along.body) if isinstance(s, Reduce)}
        for value, op in reduced.items():
            if value.name in initial and (
                value.name in seen or initial[value.name] != neutral_element(op, value.dtype)
            ):
                return False
        seen.update(value.name for value in reduced)
    return True


class RowParts(ABC):
    """Writes the statements of a row, some of whose loops are reduced in parts.

    Parameters
    ----------
    row
        The loop over rows.
    b
        Takes the statements.
    """

    def __init__(self, row: For, b: Builder) -> None:
        self.row, self.b = row, b
        self.parts: dict[str, tuple[Buffer, str]] = {}
        self._own = {s.target.name for s in row.body if isinstance(s, Declare)}

    @property
    @abstractmethod
    def count(self) -> Index:
        """The number of parts of a row."""

    @abstractmethod
    def place(self, i: Index, part: Index) -> Index:
        """Return where the result of a row's part is, in each array of results."""

    def reduced(self, along: For) -> dict[Value, str]:
        """Return the scalars of the row that a loop along it reduces into, with the ops."""
        every = [s for s in walk(along.body) if isinstance(s, Reduce)]
        return {s.target: s.op for s in every if s.target.name in self._own}

    def again(self, statements: Sequence[Statement], i: Index, last: bool = False) -> Copier:
        """Write statements of a row again, with what its loops have left instead of these.

        Only at the last time, they store.
        """
        copier = Copier(self.b.names, {self.row.index.name: i})
        for s in statements:
            if isinstance(s, For):
                self._combine(s, copier, i)
            elif last or not isinstance(s, Store | Update):
                for copy in copier.statement(s):
                    self.b.emit(copy)
        return copier

    def leave(self, along: For, copier: Copier, i: Index, part: Index) -> None:
        """Store what a loop along a part of a row has reduced."""
        for value in self.reduced(along):
            view = View(self.parts[value.name][0], (), (), self.place(i, part))
            self.b.store(view, [], copier.operand(value))

    def name(self, value: Value) -> str:
        """Return a name for the partial results of a scalar."""
        return self.b.names.fresh(f"{base_name(value.name)}_parts")

    def _combine(self, along: For, copier: Copier, i: Index) -> None:
        """Write what reduces the results of the parts of a loop along a row."""
        reduced = self.reduced(along)
        if not reduced:
            return
        with self.b.loop("part", self.count) as number:
            for value in reduced:
                parts, op = self.parts[value.name]
                part = self.b.load(View(parts, (), (), self.place(i, number)), [])
                self.b.emit(Reduce(copier.target(value), op, part))

"""Sorting: calls of our routines become launches that sort tiles, and merge them.

A block sorts a tile of a row. Longer rows are merged by further launches, each of which doubles
the runs. In short rows, a thread counts all elements that come before its own. Equal elements keep
their order. Where a few elements of a row are wanted, those of each tile are, and then those of
these, until there is one tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import launched
from symtheano.codegen.passes.cuda.routines.sorted_tiles import Place, TileSort
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Call,
    If,
    Index,
    Literal,
    Program,
    While,
)
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View

_SHORT = 64
"""Elements of a row that a thread compares its own one with."""


def sorting(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines that sort, and that find the largest."""
    memory = KernelMemory(program)

    def make(call: Call) -> _Sorting:
        return _Sorting(call, target, context.names, memory)

    program = launched(program, _WRITERS, make)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _Sorting(TileSort):
    """Writes the launches of one call."""

    # -- short rows ------------------------------------------------------------------------------

    @contextmanager
    def ranked(self, source: View) -> Iterator[tuple[Index, Index, Index, Operand]]:
        """Open a launch with a thread for each element.

        It gives the row, the place, the rank and the element.
        """
        b = self.b
        with self.elements(("row", self.rows), length=self.n) as (row, place):
            key = self.load(source, row, place)
            rank = b.declare("rank", Literal(0, "int64"))
            with b.loop("k", self.n) as k:
                other = self.load(source, row, k)
                after = self.bool_of("invert", self.is_less(key, other))
                before = self.bool_of(
                    "switch", self.is_below(k, place), after, self.is_less(other, key)
                )
                b.assign(rank, b.let("add", "int64", [rank, b.cast(before, "int64")]))
            yield row, place, b.index_value(rank.index, "rank").index, key

    def by_length(self, short: Callable[[], None], long: Callable[[], None]) -> None:
        """Write what is done with short rows, and with long ones."""
        b, length = self.b, self.n.constant
        if length is not None:
            (short if length <= _SHORT else long)()
            return
        is_short = b.let("le", "bool", [b.operand(self.n), Literal(_SHORT, "int64")], "short_rows")
        with b.block() as then:
            short()
        with b.block() as otherwise:
            long()
        b.emit(If(is_short, tuple(then), tuple(otherwise)))

    # -- long rows -------------------------------------------------------------------------------

    def merges(self, one: View, other: View, key: Callable[[Index, Operand], Operand]) -> None:
        """Merge tiles until rows are sorted, from one array to the other one and back.

        ``key`` returns what is compared, for a row and an element of an array.
        """
        b = self.b
        if self.n.constant is not None and self.n.constant <= self.tile:
            return
        step = b.declare("step", Literal(self.tile.bit_length() - 1, "int64"))
        with b.block() as test:
            again = self.is_below(self.whole("left_shift", 1, step), self.n)
        with b.block() as body:
            now = b.index_value(step.index, "now").index
            self._merge(one, other, now, key)
            self._merge(other, one, now + 1, key)
            b.assign(step, b.operand(now + 2))
        b.emit(While(tuple(test), again, tuple(body)))

    def _merge(
        self, source: View, target: View, step: Index, key: Callable[[Index, Operand], Operand]
    ) -> None:
        with self.elements(("row", self.rows), length=self.n) as (row, place):
            item = self.load(source, row, place)
            to = self.place_in_pair(
                place, step, self.n, key(row, item),
                lambda k: key(row, self.load(source, row, k)),
            )  # fmt: skip
            self.b.store(self.at(target, row, to), [], item)

    # -- the routines ----------------------------------------------------------------------------

    def values(self) -> None:
        """Sort rows in place."""
        b, x, work = self.b, self.element("x"), self.work(self.dtype)

        def short() -> None:
            with self.ranked(x) as (row, _, rank, key):
                b.store(self.at(work, row, rank), [], key)
            with self.elements(("row", self.rows), length=self.n) as (row, place):
                b.store(self.at(x, row, place), [], self.load(work, row, place))

        def long() -> None:
            self.tiles(
                self.n, lambda row, place: self.load(x, row, place),
                lambda at: b.store(self.at(x, at.row, at.first + at.place), [], at.element),
            )  # fmt: skip
            self.merges(x, work, lambda _, item: item)

        self.by_length(short, long)

    def positions(self) -> None:
        """Store the positions that sort rows."""
        b, x, order = self.b, self.element("x"), self.element("order")

        def short() -> None:
            with self.ranked(x) as (row, place, rank, _):
                b.store(self.at(order, row, rank), [], b.operand(place))

        self.by_length(short, lambda: self._ordered(x, order))

    def _ordered(self, x: View, order: View) -> None:
        """Store the positions that sort long rows."""
        b = self.b
        self.tiles(
            self.n, lambda row, place: self.load(x, row, place),
            lambda at: b.store(
                self.at(order, at.row, at.first + at.place), [], b.operand(at.position)
            ),
        )  # fmt: skip
        if self.n.constant is None or self.n.constant > self.tile:
            work = self.work("int64")
            self.merges(order, work, lambda row, item: self.load(x, row, b.as_index(item)))

    def largest(self) -> None:
        """Store the positions of the largest elements of rows, or of the smallest ones."""
        b, x, number = self.b, self.element("x"), self.integer("number")
        positive = self.bool_of("lt", Literal(0, "int64"), b.operand(number))
        count = self.whole("maximum", number, Index.of(0) - number)
        wanted = _Wanted(self.element("order"), positive, count)

        def short() -> None:
            with self.ranked(x) as (row, place, rank, _):
                self._put(wanted, row, self.n, rank, place)

        def long() -> None:
            if number.constant is not None and abs(number.constant) * 4 <= self.tile:
                self._selected(x, wanted)
                return
            sorted_ = self.work("int64")
            self._ordered(x, sorted_)
            with self.elements(("row", self.rows), length=self.n) as (row, place):
                position = b.as_index(self.load(sorted_, row, place))
                self._put(wanted, row, self.n, place, position)

        self.by_length(short, long)

    def _put(
        self, wanted: _Wanted, row: Index, length: Index, rank: Index, position: Index
    ) -> None:
        """Store the position of an element, if it is one of those that are wanted of a row."""
        b, order = self.b, wanted.order
        to = self.whole("switch", wanted.largest, length - 1 - rank, rank)
        with b.branch(self.is_below(to, wanted.count)):
            place = order.offset + row * wanted.count + to
            b.store(replace(order, offset=place), [], b.operand(position))

    # -- selection -------------------------------------------------------------------------------

    def _selected(self, x: View, wanted: _Wanted) -> None:
        """Store the positions of wanted elements, which are few, of long rows.

        Those of tiles are a fourth of the elements at most, and a fourth of a tile: so two arrays
        of them are side by side.
        """
        b = self.b
        if self.n.constant is not None and self.n.constant <= self.tile:
            self.tiles(
                self.n, lambda row, place: self.load(x, row, place),
                lambda at: self._put(wanted, at.row, self.n, at.place, at.position),
            )  # fmt: skip
            return
        one = self.work("int64")
        half = self.whole("right_shift", self.n, 1)
        other = replace(one, offset=one.offset + half)

        def key(positions: View, row: Index, place: Index) -> Operand:
            return self.load(x, row, b.as_index(self.load(positions, row, place)))

        def next_ones(length: Index, positions: View, to: View) -> Index:
            self.tiles(length, lambda row, place: key(positions, row, place),
                       lambda at: self._keep(wanted, to, at, positions))  # fmt: skip
            return self._kept(wanted, length)

        self.tiles(self.n, lambda row, place: self.load(x, row, place),
                   lambda at: self._keep(wanted, one, at, None))  # fmt: skip
        length = b.declare("length", b.operand(self._kept(wanted, self.n)))
        with b.block() as test:
            again = b.let("gt", "bool", [length, Literal(self.tile, "int64")])
        with b.block() as body:
            now = b.index_value(length.index, "now").index
            b.assign(length, b.operand(next_ones(next_ones(now, one, other), other, one)))
        b.emit(While(tuple(test), again, tuple(body)))
        rest = b.index_value(length.index, "rest").index
        self.tiles(
            rest, lambda row, place: key(one, row, place),
            lambda at: self._put(
                wanted, at.row, rest, at.place, b.as_index(self.load(one, at.row, at.position))
            ),
        )  # fmt: skip

    def _keep(self, wanted: _Wanted, to: View, at: Place, positions: View | None) -> None:
        """Store the position of an element if it is one of those that are wanted of a tile.

        They are in order, so that equal elements stay in theirs.
        """
        b, shift = self.b, self.tile.bit_length() - 1
        few = self.whole("minimum", wanted.count, at.count)
        place = at.place - self.whole("switch", wanted.largest, at.count - few, 0)
        begins = self.bool_of("ge", b.operand(place), Literal(0, "int64"))
        with b.branch(self.bool_of("and_", begins, self.is_below(place, few))):
            tile = self.whole("right_shift", at.first, shift)
            position = b.operand(at.position)
            if positions is not None:
                position = self.load(positions, at.row, at.position)
            b.store(self.at(to, at.row, tile * wanted.count + place), [], position)

    def _kept(self, wanted: _Wanted, length: Index) -> Index:
        """Return how many elements are wanted of all tiles of a row."""
        shift = self.tile.bit_length() - 1
        before = self.whole("right_shift", length - 1, shift)
        last = self.whole("minimum", wanted.count, length - before * self.tile)
        return self.whole("add", before * wanted.count, last)


@dataclass(frozen=True)
class _Wanted:
    """Elements of rows that are wanted.

    Attributes
    ----------
    order
        Where their positions are stored.
    largest
        Whether it is the largest ones, in descending order; else the smallest ones.
    count
        Their number.
    """

    order: View
    largest: Operand
    count: Index


_WRITERS: Mapping[str, Callable[[_Sorting], None]] = {
    "sort": _Sorting.values,
    "argsort": _Sorting.positions,
    "argtop": _Sorting.largest,
}

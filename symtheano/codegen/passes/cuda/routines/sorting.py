"""Sorting: calls of our routines become launches that merge by ranks.

The place of an element in two sorted runs is its place in its own one and the number of elements of
the other one that come before it, which a binary search finds; so each element has a thread, and
nothing depends on the order of threads. A block sorts a tile of a row in its own memory, from runs
of one element on. Longer rows are merged by further launches, each of which doubles the runs. In
short rows, a thread counts all elements that come before its own. Equal elements keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from symtheano import dtypes
from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, launched
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Barrier,
    Buffer,
    Call,
    If,
    Index,
    Literal,
    Local,
    Program,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View

_SHORT = 64
"""Elements of a row that a thread compares its own one with."""
_EACH = 4
"""Elements of a tile for each thread of a block."""


def sorting(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines that sort, and that find the largest."""
    memory = KernelMemory(program)

    def make(call: Call) -> _Sorting:
        return _Sorting(call, target, context.names, memory)

    program = launched(program, _WRITERS, make)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _Sorting(RoutineCall):
    """Writes the launches of one call.

    Attributes
    ----------
    tile
        Elements that a block sorts, a power of two.
    rows, n
        The number of rows, and their length.
    used
        The parts of the workspace that the call has.
    """

    def __init__(self, call: Call, target: Target, names: Names, memory: KernelMemory) -> None:
        super().__init__(call, target, names)
        self.memory = memory
        self.tile = _EACH * self.threads
        self.rows, self.n = self.integer("rows"), self.integer("n")
        self.used: list[int] = []

    # -- memory ----------------------------------------------------------------------------------

    def work(self, dtype: str) -> View:
        """Return memory for a number for each element."""
        size = self.rows * self.n
        placed = self.memory.place(
            Buffer(self.names.fresh("sorted"), dtype, "local", size), self.used
        )
        if isinstance(placed, Allocate):
            self.before.append(placed)
            placed = placed.buffer
        return View(placed, (), (), Index.of(0))

    def _shared(self, wish: str, dtype: str, size: int) -> View:
        """Declare memory of a block."""
        buffer = Buffer(self.names.fresh(wish), dtype, "shared", Index.of(size))
        self.b.emit(Local(buffer))
        return View(buffer, (), (), Index.of(0))

    def at(self, array: View, row: Index, place: Index) -> View:
        """Return an element of a row."""
        return replace(array, offset=array.offset + row * self.n + place)

    def load(self, array: View, row: Index, place: Index) -> Operand:
        return self.b.load(self.at(array, row, place), [])

    # -- integers and comparisons ----------------------------------------------------------------

    def whole(self, op: str, *operands: Operand | Index | int) -> Index:
        """Return an integer that is computed of others."""
        b = self.b
        values = [b.operand(x) if isinstance(x, Index | int) else x for x in operands]
        return b.as_index(b.let(op, "int64", values))

    def is_below(self, left: Index, right: Index | int) -> Operand:
        return self.b.let("lt", "bool", [self.b.operand(left), self.b.operand(right)])

    def _bool(self, op: str, *operands: Operand) -> Operand:
        return self.b.let(op, "bool", list(operands))

    def is_less(self, left: Operand, right: Operand) -> Operand:
        """Return whether one element comes before another one; NaN comes last."""
        b = self.b
        if dtypes.is_complex(self.dtype):
            return self._is_less_complex(left, right)
        narrow = {"bool": "uint8", "float16": "float32"}.get(self.dtype, self.dtype)
        left, right = b.cast(left, narrow), b.cast(right, narrow)
        less = self._bool("lt", left, right)
        if not dtypes.is_float(self.dtype):
            return less
        numbers = self._bool("and_", self._bool("eq", left, left), self._bool("neq", right, right))
        return self._bool("or_", less, numbers)

    def _is_less_complex(self, left: Operand, right: Operand) -> Operand:
        """Compare real parts first; numbers with NaN in a part come after others, as in NumPy."""
        b, part = self.b, {"complex64": "float32", "complex128": "float64"}[self.dtype]
        (ar, ai), (br, bi) = (
            [b.let(name, part, [item]) for name in ("real", "imag")] for item in (left, right)
        )
        here, there = self._bool("eq", ai, ai), self._bool("neq", bi, bi)
        last = self._bool("and_", here, there)
        nan = self._bool("and_", self._bool("neq", ar, ar), self._bool("neq", br, br))
        equal = self._bool("or_", self._bool("eq", ar, br), nan)
        result = self._bool("neq", br, br)
        for condition, then in (
            (equal, self._bool("or_", self._bool("lt", ai, bi), last)),
            (self._bool("lt", br, ar), last),
            (self._bool("lt", ar, br), self._bool("or_", here, there)),
        ):
            result = self._bool("switch", condition, then, result)
        return result

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
                after = self._bool("invert", self.is_less(key, other))
                before = self._bool(
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

    # -- runs ------------------------------------------------------------------------------------

    def place_in_pair(
        self,
        place: Index,
        step: Index,
        count: Index,
        key: Operand,
        load: Callable[[Index], Operand],
    ) -> Index:
        """Return the place of an element where its run is merged with the other one of a pair.

        Runs have 2**step elements; count is the length of what has the runs.
        """
        width = self.whole("left_shift", 1, step)
        run = self.whole("right_shift", place, step)
        odd = self._bool("eq", self.b.operand(self.whole("and_", run, 1)), Literal(1, "int64"))
        own = place - self.whole("left_shift", run, step)
        first = place - own
        other = self.whole("switch", odd, first - width, first + width)
        length = self.whole("maximum", self.whole("minimum", width, count - other), 0)
        rank = self._rank(other, length, step, key, odd, load)
        return self.whole("minimum", first, other) + own + rank

    def _rank(
        self,
        first: Index,
        length: Index,
        step: Index,
        key: Operand,
        after_equal: Operand,
        load: Callable[[Index], Operand],
    ) -> Index:
        """Return how many elements of a sorted run come before an element."""
        b = self.b
        low = b.declare("low", Literal(0, "int64"))
        high = b.declare("high", b.operand(length))
        with b.loop("halving", step + 1), b.branch(self.is_below(low.index, high.index)):
            middle = self.whole("right_shift", self.whole("add", low, high), 1)
            item = load(first + middle)
            not_less = self._bool("invert", self.is_less(key, item))
            before = self._bool("switch", after_equal, not_less, self.is_less(item, key))
            b.assign(low, b.operand(self.whole("switch", before, middle + 1, low)))
            b.assign(high, b.operand(self.whole("switch", before, high, middle)))
        return b.index_value(low.index, "rank").index

    @contextmanager
    def _each(self, count: Index) -> Iterator[Index]:
        """Open a loop over the elements of a tile, which threads share."""
        b = self.b
        with (
            b.loop("thread", self.threads, kind="thread") as thread,
            b.loop("part", _EACH) as part,
        ):
            place = b.index_value(part * self.threads + thread, "place").index
            with b.branch(self.is_below(place, count)):
                yield place

    def tiles(self, source: View, put: Callable[[Index, Index, Index, Operand], None]) -> None:
        """Sort tiles of rows: put the position and the element for each place of a row."""
        b = self.b
        steps = self._steps_of_tile()
        with (
            b.loop("row", self.rows, kind="grid") as row,
            b.loop("first", self.n, step=self.tile, kind="grid") as first,
        ):
            keys = self._shared("keys", self.dtype, self.tile)
            order = self._shared("order", "int64", 2 * self.tile)
            count = self.whole("minimum", self.tile, self.n - first)
            with self._each(count) as place:
                b.store(replace(keys, offset=place), [], self.load(source, row, first + place))
                b.store(replace(order, offset=place), [], b.operand(place))
            with b.loop("step", steps) as step:
                self._merge_in_tile(keys, order, step, count)
            b.emit(Barrier("block"))
            begin = self.whole("and_", steps, 1) * self.tile
            with self._each(count) as place:
                position = b.as_index(b.load(replace(order, offset=begin + place), []))
                key = b.load(replace(keys, offset=position), [])
                put(row, first + place, first + position, key)

    def _steps_of_tile(self) -> Index:
        """Return after how many steps the runs of a tile are as long as rows, or as a tile."""
        steps = Index.of(0)
        length = 1
        while length < self.tile:
            if self.n.constant is not None:
                steps = steps + int(self.n.constant > length)
            else:
                longer = self._bool("lt", Literal(length, "int64"), self.b.operand(self.n))
                steps = steps + self.b.as_index(self.b.cast(longer, "int64"))
            length *= 2
        return self.b.as_index(self.b.operand(steps))

    def _merge_in_tile(self, keys: View, order: View, step: Index, count: Index) -> None:
        """Merge pairs of runs of a tile, from one half of the memory of positions to the other."""
        b = self.b
        b.emit(Barrier("block"))
        begin = self.whole("and_", step, 1) * self.tile

        def load(place: Index) -> Operand:
            position = b.as_index(b.load(replace(order, offset=begin + place), []))
            return b.load(replace(keys, offset=position), [])

        with self._each(count) as place:
            position = b.load(replace(order, offset=begin + place), [])
            key = b.load(replace(keys, offset=b.as_index(position)), [])
            to = self.place_in_pair(place, step, count, key, load)
            b.store(replace(order, offset=Index.of(self.tile) - begin + to), [], position)

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
            self.tiles(x, lambda row, place, _, key: b.store(self.at(x, row, place), [], key))
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
            x, lambda row, place, position, _: b.store(
                self.at(order, row, place), [], b.operand(position)
            )
        )  # fmt: skip
        if self.n.constant is None or self.n.constant > self.tile:
            work = self.work("int64")
            self.merges(order, work, lambda row, item: self.load(x, row, b.as_index(item)))

    def largest(self) -> None:
        """Store the positions of the largest elements of rows, or of the smallest ones."""
        b, x, order, number = (
            self.b,
            self.element("x"),
            self.element("order"),
            self.integer("number"),
        )
        positive = self._bool("lt", Literal(0, "int64"), b.operand(number))
        count = self.whole("maximum", number, Index.of(0) - number)

        def put(row: Index, rank: Index, position: Index) -> None:
            to = self.whole("switch", positive, self.n - 1 - rank, rank)
            with b.branch(self.is_below(to, count)):
                b.store(replace(order, offset=order.offset + row * count + to), [],
                        b.operand(position))  # fmt: skip

        def short() -> None:
            with self.ranked(x) as (row, place, rank, _):
                put(row, rank, place)

        def long() -> None:
            sorted_ = self.work("int64")
            self._ordered(x, sorted_)
            with self.elements(("row", self.rows), length=self.n) as (row, place):
                put(row, place, b.as_index(self.load(sorted_, row, place)))

        self.by_length(short, long)


_WRITERS: Mapping[str, Callable[[_Sorting], None]] = {
    "sort": _Sorting.values,
    "argsort": _Sorting.positions,
    "argtop": _Sorting.largest,
}

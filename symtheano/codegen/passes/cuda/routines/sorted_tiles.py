"""Sorted tiles: parts of rows that a block sorts in its own memory.

The place of an element in two sorted runs is its place in its own one and the number of elements of
the other one that come before it, which a binary search finds; so each element has a thread, and
nothing depends on the order of threads. A block merges runs of its tile, from runs of one element
on. Equal elements keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from symtheano import dtypes
from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import Allocate, Barrier, Buffer, Call, Index, Literal, Local
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View

_EACH = 4
"""Elements of a tile for each thread of a block."""


@dataclass(frozen=True)
class Place:
    """A place of a sorted tile.

    Attributes
    ----------
    row, first, count
        The row, the place of the tile's first element there, and the number of its elements.
    place
        The place in the sorted tile.
    position, element
        Where in the row the element has been, and the element.
    """

    row: Index
    first: Index
    count: Index
    place: Index
    position: Index
    element: Operand


class TileSort(RoutineCall):
    """Writes launches that sort parts of rows.

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

    def bool_of(self, op: str, *operands: Operand) -> Operand:
        return self.b.let(op, "bool", list(operands))

    def is_less(self, left: Operand, right: Operand) -> Operand:
        """Return whether one element comes before another one; NaN comes last."""
        b = self.b
        if dtypes.is_complex(self.dtype):
            return self._is_less_complex(left, right)
        narrow = {"bool": "uint8", "float16": "float32"}.get(self.dtype, self.dtype)
        left, right = b.cast(left, narrow), b.cast(right, narrow)
        less = self.bool_of("lt", left, right)
        if not dtypes.is_float(self.dtype):
            return less
        numbers = self.bool_of(
            "and_", self.bool_of("eq", left, left), self.bool_of("neq", right, right)
        )
        return self.bool_of("or_", less, numbers)

    def _is_less_complex(self, left: Operand, right: Operand) -> Operand:
        """Compare real parts first; numbers with NaN in a part come after others, as in NumPy."""
        b, part = self.b, {"complex64": "float32", "complex128": "float64"}[self.dtype]
        (ar, ai), (br, bi) = (
            [b.let(name, part, [item]) for name in ("real", "imag")] for item in (left, right)
        )
        here, there = self.bool_of("eq", ai, ai), self.bool_of("neq", bi, bi)
        last = self.bool_of("and_", here, there)
        nan = self.bool_of("and_", self.bool_of("neq", ar, ar), self.bool_of("neq", br, br))
        equal = self.bool_of("or_", self.bool_of("eq", ar, br), nan)
        result = self.bool_of("neq", br, br)
        for condition, then in (
            (equal, self.bool_of("or_", self.bool_of("lt", ai, bi), last)),
            (self.bool_of("lt", br, ar), last),
            (self.bool_of("lt", ar, br), self.bool_of("or_", here, there)),
        ):
            result = self.bool_of("switch", condition, then, result)
        return result

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
        odd = self.bool_of("eq", self.b.operand(self.whole("and_", run, 1)), Literal(1, "int64"))
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
            not_less = self.bool_of("invert", self.is_less(key, item))
            before = self.bool_of("switch", after_equal, not_less, self.is_less(item, key))
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

    def tiles(
        self, length: Index, key: Callable[[Index, Index], Operand], put: Callable[[Place], None]
    ) -> None:
        """Sort tiles of rows.

        Parameters
        ----------
        length
            How many elements of each row are sorted.
        key
            Function that returns an element, by the row and the place there.
        put
            Function that writes what is done with each place of a sorted tile.
        """
        b = self.b
        steps = self._steps_of_tile(length)
        with (
            b.loop("row", self.rows, kind="grid") as row,
            b.loop("first", length, step=self.tile, kind="grid") as first,
        ):
            keys = self._shared("keys", self.dtype, self.tile)
            order = self._shared("order", "int64", 2 * self.tile)
            count = self.whole("minimum", self.tile, length - first)
            with self._each(count) as place:
                b.store(replace(keys, offset=place), [], key(row, first + place))
                b.store(replace(order, offset=place), [], b.operand(place))
            with b.loop("step", steps) as step:
                self._merge_in_tile(keys, order, step, count)
            b.emit(Barrier("block"))
            begin = self.whole("and_", steps, 1) * self.tile
            with self._each(count) as place:
                position = b.as_index(b.load(replace(order, offset=begin + place), []))
                element = b.load(replace(keys, offset=position), [])
                put(Place(row, first, count, place, first + position, element))

    def _steps_of_tile(self, rows: Index) -> Index:
        """Return after how many steps the runs of a tile are as long as rows, or as a tile."""
        steps = Index.of(0)
        length = 1
        while length < self.tile:
            if rows.constant is not None:
                steps = steps + int(rows.constant > length)
            else:
                longer = self.bool_of("lt", Literal(length, "int64"), self.b.operand(rows))
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

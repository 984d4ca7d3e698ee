"""Tiles: products of parts of matrices, in the shared memory and the registers of a block.

The threads of a block are a square. Each has some elements of a tile in registers, which lie a
side apart, so that neighbours read neighbours in memory. Factors come to shared memory a strip of
columns at a time, with zeros where a matrix has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isqrt

import numpy as np

from symtheano.codegen.passes.cuda.routines.attention_calls import Matrices
from symtheano.codegen.targets import Device
from symtheano.dataclass import dataclass
from symtheano.loopir import Buffer, Builder, Index, Literal, Local, Update, Value
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View

_BYTES = 16
"""Bytes of a row of a tile that a thread has; it has as many rows as elements of a row."""


@dataclass(frozen=True)
class Part:
    """Rows of matrices: those from one on, of as many as there are, and their columns."""

    matrices: Matrices
    items: tuple[Index, ...]
    first: Index
    rows: Index
    columns: Index


class Tiles:
    """Writes products of tiles.

    Parameters
    ----------
    b
        The builder of a launch.
    dtype
        The dtype of the matrices.
    device
        The threads.

    Attributes
    ----------
    side
        Threads along a side of the square.
    each, size
        Rows of a tile that a thread has; rows and columns of a tile.
    strip
        Columns of a factor that are in shared memory at a time.
    """

    def __init__(self, b: Builder, dtype: str, device: Device) -> None:
        self.b, self.dtype, self.device = b, dtype, device
        self.threads = device.threads
        self.side = isqrt(self.threads)
        self.each = _BYTES // np.dtype(dtype).itemsize
        self.size = self.each * self.side
        self.strip = 2 * self.side

    # -- memory ----------------------------------------------------------------------------------

    def shared(self, wish: str, size: int, dtype: str = "") -> View:
        """Declare memory of a block."""
        name = self.b.names.fresh(wish)
        buffer = Buffer(name, dtype or self.dtype, "shared", Index.of(size))
        self.b.emit(Local(buffer))
        return View(buffer, (Index.of(size),), (Index.of(1),), Index.of(0))

    def square(self, wish: str) -> View:
        """Declare shared memory for a tile."""
        return self._rows_of(wish, self.size)

    def factor(self, wish: str) -> View:
        """Declare shared memory for a strip of a factor."""
        return self._rows_of(wish, self.strip)

    def _rows_of(self, wish: str, columns: int) -> View:
        step = columns + self.device.pad
        whole = self.shared(wish, self.size * step)
        shape = Index.of(self.size), Index.of(columns)
        return View(whole.buffer, shape, (Index.of(step), Index.of(1)), Index.of(0))

    def registers(self, wish: str, columns: int) -> View:
        """Return elements of each thread: some rows, and columns that lie a side apart."""
        shape = Index.of(self.each), Index.of(columns // self.side)
        name = self.b.names.fresh(wish)
        buffer = Buffer(name, self.dtype, "stack", shape[0] * shape[1])
        return View(buffer, shape, (shape[1], Index.of(1)), Index.of(0))

    # -- threads ---------------------------------------------------------------------------------

    @contextmanager
    def each_thread(self, columns: int) -> Iterator[tuple[Index, Index]]:
        """Open a loop over threads, of which so many, a power of two, are beside each other."""
        with self.b.loop("thread", self.threads, kind="thread") as thread:
            number, shift = self.b.operand(thread), Literal(columns.bit_length() - 1, "int64")
            row = self.b.let("right_shift", "int64", [number, shift], "y")
            rest = [number, Literal(columns - 1, "int64")]
            yield row.index, self.b.let("and_", "int64", rest, "x").index

    @contextmanager
    def each_register(self, registers: View) -> Iterator[tuple[Index, Index]]:
        """Open loops over the rows and columns of a thread's elements."""
        rows, columns = registers.shape
        with (
            self.b.loop("a", rows, kind="unrolled") as a,
            self.b.loop("c", columns, kind="unrolled") as c,
        ):
            yield a, c

    @contextmanager
    def each_element(self, registers: View) -> Iterator[tuple[Index, Index, list[Index]]]:
        """Open loops over threads and their elements; give the place in the tile, and that here."""
        with self.each_thread(self.side) as (y, x), self.each_register(registers) as (a, c):
            yield y + a * self.side, x + c * self.side, [a, c]

    @contextmanager
    def each_row(self) -> Iterator[Index]:
        """Open a loop over the rows of a tile, with a thread for each."""
        with self.b.loop("row", self.size, kind="thread") as row:
            yield row

    @contextmanager
    def each_warp(self) -> Iterator[Index]:
        """Open a loop over the rows of a tile, with a warp for each."""
        warps = self.device.warps
        with (
            self.b.loop("warp", warps, kind="warp") as warp,
            self.b.loop("row", self.size, warp, step=warps) as row,
        ):
            yield row

    @contextmanager
    def along(self, length: Index | int, total: Value, op: str) -> Iterator[Index]:
        """Open a loop over a row, whose elements the lanes of a warp reduce."""
        lanes, to = self.device.warp, ((total, op),)
        with (
            self.b.loop("lane", lanes, kind="lane", reductions=to) as lane,
            self.b.loop("j", length, lane, step=lanes) as j,
        ):
            yield j

    @contextmanager
    def one_lane(self) -> Iterator[None]:
        """Open a branch for one lane of a warp."""
        with self.b.loop("lane", 1, kind="lane"):
            yield

    def inside(self, *places: tuple[Index, Index]) -> Operand:
        """Return whether positions are below lengths."""
        b = self.b
        first, *rest = (
            b.let("lt", "bool", [b.operand(place), b.operand(length)]) for place, length in places
        )
        for one in rest:
            first = b.let("and_", "bool", [first, one])
        return first

    # -- products --------------------------------------------------------------------------------

    def clear(self, *arrays: View) -> None:
        """Set registers to zero."""
        with self.b.loop("thread", self.threads, kind="thread"):
            for registers in arrays:
                with self.each_register(registers) as here:
                    self.b.store(registers, here, Literal(0, self.dtype))

    def fetch(self, to: View, part: Part, column: Index) -> None:
        """Copy a strip of columns to shared memory."""
        b, high = self.b, self.threads // self.strip
        with (
            self.each_thread(self.strip) as (y, x),
            b.loop("part", self.size // high, kind="unrolled") as number,
        ):
            row = y + number * high
            value = b.declare("value", Literal(0, self.dtype))
            at, along = part.first + row, column + x
            with b.branch(self.inside((at, part.rows), (along, part.columns))):
                element = part.matrices.element((*part.items, at), along)
                b.assign(value, b.load(element, []))
            b.store(to, [row, x], value)

    def multiply(self, to: View, left: Part, right: Part, strips: tuple[View, View]) -> None:
        """Set registers to the products of all rows of a part and all of another one."""
        b = self.b
        self.clear(to)
        with b.loop("column", left.columns, step=self.strip) as column:
            for strip, part in zip(strips, (left, right), strict=True):
                self.fetch(strip, part, column)
            with (
                self.each_thread(self.side) as (y, x),
                b.loop("k", self.strip) as k,
                self.each_register(to) as (a, c),
            ):
                self._add(to, [a, c], strips[0].at([y + a * self.side, k]), strips[0],
                          strips[1].at([x + c * self.side, k]), strips[1])  # fmt: skip

    def add(self, to: View, left: View, right: Part, strip: View, turned: bool = False) -> None:
        """Add the product of a tile, which may be transposed, and rows of a matrix to registers."""
        b, columns = self.b, self.strip // self.side
        for number in range(int(to.shape[1].constant or 0) // columns):
            first = Index.of(number * self.strip)
            with b.branch(self.inside((first, right.columns))):
                self.fetch(strip, right, first)
                with (
                    self.each_thread(self.side) as (y, x),
                    b.loop("k", self.size) as k,
                    b.loop("a", self.each, kind="unrolled") as a,
                    b.loop("c", columns, kind="unrolled") as c,
                ):
                    own = y + a * self.side
                    self._add(to, [a, c + number * columns],
                              left.at([k, own] if turned else [own, k]), left,
                              strip.at([k, x + c * self.side]), strip)  # fmt: skip

    def _add(
        self, to: View, here: list[Index], one: Index, left: View, two: Index, right: View
    ) -> None:
        b = self.b
        factors = [b.load(View(view.buffer, (), (), at), [])
                   for view, at in ((left, one), (right, two))]  # fmt: skip
        b.emit(Update(to.buffer, to.at(here), "add", b.let("mul", self.dtype, factors)))

    def spread(self, registers: View, square: View) -> None:
        """Store a tile to shared memory."""
        with self.each_element(registers) as (row, column, here):
            self.b.store(square, [row, column], self.b.load(registers, here))

    def put(self, registers: View, part: Part, change: Callable[[Operand, Index], Operand]) -> None:
        """Store registers to rows of matrices."""
        b = self.b
        with self.each_element(registers) as (row, column, here):
            at = part.first + row
            with b.branch(self.inside((at, part.rows), (column, part.columns))):
                value = change(b.load(registers, here), row)
                b.store(part.matrices.element((*part.items, at), column), [], value)

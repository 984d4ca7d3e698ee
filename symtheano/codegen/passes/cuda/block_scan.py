"""Block scans: running sums and products by blocks of threads.

A block scans a tile of as many elements as it has threads: in each of log2 steps, a thread adds
what a thread before it has, twice as far away each time (Hillis and Steele, "Data parallel
algorithms", 1986). It goes on with the next tile and the total so far. A single row is cut into
chunks: blocks add up their chunks, one thread scans the totals, and blocks scan their chunks from
there. The order of additions depends on the length alone.
"""

from __future__ import annotations

from symtheano.codegen.rows import neutral_element
from symtheano.loopir import (
    Buffer,
    Builder,
    Index,
    Literal,
    Load,
    Local,
    Partition,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand, Place

_LEAST, _MOST = 1 << 12, 1 << 10
"""Elements of a chunk at least, and the largest number of chunks."""


class BlockScan:
    """Writes the loops of a running sum or product of items.

    Parameters
    ----------
    op, dtype
        The scalar op, and the dtype of items and totals.
    stop
        The number of items.
    tile
        Threads of a block.
    names
        Where new names come from.
    origin
        The user's line.
    """

    def __init__(
        self, op: str, dtype: str, stop: Index, tile: int, names: Names, origin: Place | None
    ) -> None:
        self.op, self.dtype, self.stop, self.tile, self.names = op, dtype, stop, tile, names
        self.b = Builder(names)
        self.b.origin = origin

    def item(self, k: Index) -> Operand:
        """Write what computes the k-th item."""
        raise NotImplementedError

    def use(self, k: Index, before: Operand, part: Buffer, thread: Index) -> None:
        """Write what is done with the k-th total.

        It is ``before`` combined with an element of a tile, which has the totals of the tile.
        """
        raise NotImplementedError

    def chunks(self, initial: Operand) -> Load:
        """Write the launches that add up chunks, scan their totals, and scan the chunks.

        Returns
        -------
        The load of the last total, which is not written.
        """
        b = self.b
        rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
        b.emit(Partition(rows, count, self.stop, Index.of(1), _LEAST, _MOST))
        totals = Buffer(self.names.fresh("totals"), self.dtype, "local", Index.of(_MOST + 1))
        b.emit(Local(totals))
        with b.loop("chunk", count.index, kind="independent") as chunk:
            total = b.declare("total", self.neutral())
            start, stop = self._bounds(chunk, rows)
            with b.loop("k", stop, start, kind="reduce") as k:
                b.reduce(total, self.op, self.item(k))
            b.emit(Store(totals, chunk, total))
        with b.loop("one", 1, kind="grid"), b.loop("one", 1, kind="thread"):
            before = b.declare("before", initial)
            with b.loop("chunk", count.index) as chunk:
                own = Value(self.names.fresh("total"), self.dtype)
                b.emit(Load(own, totals, chunk))
                b.emit(Store(totals, chunk, before))
                b.assign(before, b.let(self.op, self.dtype, [before, own]))
            b.emit(Store(totals, count.index, before))
        with b.loop("chunk", count.index, kind="grid") as chunk:
            before = Value(self.names.fresh("before"), self.dtype)
            b.emit(Load(before, totals, chunk))
            self.tiles(*self._bounds(chunk, rows), before)
        return Load(Value(self.names.fresh("total"), self.dtype), totals, count.index)

    def _bounds(self, chunk: Index, rows: Value) -> tuple[Index, Index]:
        start = self.b.index_value(chunk * rows.index, "start").index
        return start, self.b.minimum(start + rows.index, self.stop, "stop")

    def neutral(self) -> Operand:
        """Return what changes nothing: -0.0 for sums of floats, which keeps the sign of zeros."""
        if self.op == "add" and self.dtype.startswith("float"):
            return Literal(-0.0, self.dtype)
        return neutral_element(self.op, self.dtype)

    def tiles(self, start: Index, stop: Index, before: Operand) -> None:
        """Write a scan of elements from a total on, by one block."""
        b, tile = self.b, self.tile
        parts = [Buffer(self.names.fresh("part"), self.dtype, "shared", Index.of(tile))
                 for _ in range(2)]  # fmt: skip
        for part in parts:
            b.emit(Local(part))
        carry = b.declare("running", before)
        with b.loop("first", stop, start, step=tile) as first:
            with b.loop("thread", tile, kind="thread") as thread:
                k = b.index_value(first + thread, "k").index
                own = b.declare("own", self.neutral())
                with b.branch(b.let("lt", "bool", [b.operand(k), b.operand(stop)])):
                    b.assign(own, self.item(k))
                b.emit(Store(parts[0], thread, own))
            distance = 1
            while distance < tile:
                self._step(parts[0], parts[1], distance)
                parts.reverse()
                distance *= 2
            with b.loop("thread", tile, kind="thread") as thread:
                k = b.index_value(first + thread, "k").index
                with b.branch(b.let("lt", "bool", [b.operand(k), b.operand(stop)])):
                    self.use(k, carry, parts[0], thread)
            last = self.part(parts[0], Index.of(tile - 1))
            b.assign(carry, b.let(self.op, self.dtype, [carry, last]))

    def part(self, part: Buffer, place: Index) -> Value:
        """Load an element of a tile."""
        value = Value(self.names.fresh("part_i"), self.dtype)
        self.b.emit(Load(value, part, place))
        return value

    def _step(self, source: Buffer, target: Buffer, distance: int) -> None:
        """Write one step: each thread adds what is so far before it."""
        b = self.b
        with b.loop("thread", self.tile, kind="thread") as thread:
            own = b.declare("own", self.part(source, thread))
            with b.branch(b.let("ge", "bool", [b.operand(thread), Literal(distance, "int64")])):
                earlier = self.part(source, thread - distance)
                b.assign(own, b.let(self.op, self.dtype, [earlier, own]))
            b.emit(Store(target, thread, own))

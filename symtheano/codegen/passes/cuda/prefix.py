"""Prefix: running sums and products are scanned by blocks of threads.

A block scans a tile of as many elements as it has threads: in each of log2 steps, a thread adds
what a thread before it has, twice as far away each time (Hillis and Steele, "Data parallel
algorithms", 1986). It goes on with the next tile and the total so far. Short rows are for a thread
each. A single row is cut into chunks: blocks add up their chunks, one thread scans the totals, and
blocks scan their chunks from there. The order of additions depends on the length alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from symtheano.codegen.passes.cuda.nests import strided
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Local,
    Partition,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand, Place
from symtheano.loopir.rewrite import Copier, base_name

_LEAST, _MOST = 1 << 12, 1 << 10
"""Elements of a chunk at least, and the largest number of chunks."""
_SHORT = 64
"""Items of a row that one thread adds up."""


def prefix(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Write the loops of kernels that are running sums or products anew."""
    running = _find(kernel)
    if running is None:
        context.otherwise("not, the kernel is no running sum or product")
        return kernel
    writer = _Scan(running, target.device.threads, context.names)
    if running.outer:
        context.note(running.outer[0], "a thread adds up rows of at most {} items, a block scans "
                     "others, in tiles of {}", _SHORT, writer.tile)  # fmt: skip
        return replace(kernel, body=writer.rows())
    context.note(running.loop, "blocks scan chunks, in tiles of {}", writer.tile)
    return replace(kernel, body=writer.chunks())


@dataclass(frozen=True)
class _Running:
    """A running sum or product.

    Attributes
    ----------
    outer
        The loops over rows, the outermost first.
    loop
        The loop over the items of a row but for the first one.
    source, target
        The load of an item, and the store of a total.
    op, origin
        The scalar op, and the user's line.
    """

    outer: tuple[For, ...]
    loop: For
    source: Load
    target: Store
    op: str
    origin: Place | None


def _find(kernel: Kernel) -> _Running | None:
    """Return what a kernel computes if it is a running sum or product, else None."""
    outer: list[For] = []
    body = kernel.body
    while len(body) == 1 and isinstance(body[0], For):
        outer.append(body[0])
        body = body[0].body
    if len(body) != 4 or not outer:
        return None
    first, declared, stored, loop = body
    begin = outer.pop()
    if not (
        isinstance(first, Load)
        and isinstance(declared, Declare)
        and isinstance(stored, Store)
        and isinstance(loop, For)
        and declared.initial == first.target
        and stored.value == declared.target
        and len(loop.body) == 4
    ):
        return None
    load, let, assign, store = loop.body
    if not (
        isinstance(load, Load)
        and isinstance(let, Let)
        and isinstance(assign, Assign)
        and isinstance(store, Store)
        and let.op in ("add", "mul")
        and let.arguments == (declared.target, load.target)
        and (assign.target, assign.value) == (declared.target, let.target)
        and store.value == declared.target
        and store.buffer != load.buffer
    ):
        return None
    item, place = ({begin.index.name: loop.index.index},) * 2
    same = load.buffer == first.buffer and load.index == first.index.replace(item)
    aligned = store.buffer == stored.buffer and store.index == stored.index.replace(place)
    apart = _are_apart(outer, loop, store.index)
    if not (same and aligned and apart and (loop.start, loop.step) == (Index.of(1), 1)):
        return None
    if load.target.dtype == "float16":  # in another order, its rounding would be seen
        return None
    return _Running(tuple(outer), loop, load, store, let.op, let.origin)


def _are_apart(outer: Sequence[For], loop: For, place: Index) -> bool:
    """Return whether rows have elements of their own: those of an array in C order."""
    extent = place.coefficient(loop.index.name) * loop.stop
    if place.coefficient(loop.index.name) != 1:
        return False
    for each in reversed(outer):
        if place.coefficient(each.index.name) != extent or each.start != 0 or each.step != 1:
            return False
        extent = extent * each.stop
    return True


class _Scan:
    """Writes the loops of a running sum or product."""

    def __init__(self, running: _Running, tile: int, names: Names) -> None:
        self.running, self.tile, self.names = running, tile, names
        self.dtype = running.source.target.dtype
        self.b = Builder(names)
        self.b.origin = running.origin
        self.stop = running.loop.stop

    def rows(self) -> tuple[Statement, ...]:
        """Return launches with a thread for each short row, or a block for each long one."""
        b = self.b
        short = b.let("le", "bool", [b.operand(self.stop), Literal(_SHORT, "int64")], "short_rows")
        with b.block() as threads, self._grids(self.running.outer[:-1]):
            self._by_threads(self.running.outer[-1])
        with b.block() as blocks, self._grids(self.running.outer):
            self._tiles(Index.of(0), self.stop, self._neutral())
        (again,) = Copier(self.names).block(blocks)
        b.emit(If(short, tuple(threads), (again,)))
        return b.statements()

    def _by_threads(self, loop: For) -> None:
        """Write a launch with a thread for each iteration."""
        b, size = self.b, self.tile
        with b.loop("first", loop.stop, step=size, kind="grid") as first:
            stop = b.minimum(first + size, loop.stop, "stop")
            with b.loop("thread", size, kind="thread") as thread:
                b.emit(strided(replace(loop, start=first, stop=stop), thread, size))

    @contextmanager
    def _grids(self, loops: Sequence[For]) -> Iterator[None]:
        """Open a grid for each of some loops."""
        if not loops:
            yield
            return
        with self.b.block() as body, self._grids(loops[1:]):
            yield
        grid = replace(loops[0], body=tuple(body), kind="grid", reductions=(), work=None)
        self.b.emit(grid)

    def chunks(self) -> tuple[Statement, ...]:
        """Return the launches that add up chunks, scan their totals, and scan the chunks."""
        b = self.b
        rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
        b.emit(Partition(rows, count, self.stop, Index.of(1), _LEAST, _MOST))
        totals = Buffer(self.names.fresh("totals"), self.dtype, "local", Index.of(_MOST))
        b.emit(Local(totals))
        with b.loop("chunk", count.index, kind="independent") as chunk:
            total = b.declare("total", self._neutral())
            start, stop = self._bounds(chunk, rows)
            with b.loop("k", stop, start, kind="reduce") as k:
                b.reduce(total, self.running.op, self._item(k))
            b.emit(Store(totals, chunk, total))
        with b.loop("one", 1, kind="grid"), b.loop("one", 1, kind="thread"):
            before = b.declare("before", self._neutral())
            with b.loop("chunk", count.index) as chunk:
                own = Value(self.names.fresh("total"), self.dtype)
                b.emit(Load(own, totals, chunk))
                b.emit(Store(totals, chunk, before))
                b.assign(before, b.let(self.running.op, self.dtype, [before, own]))
        with b.loop("chunk", count.index, kind="grid") as chunk:
            before = Value(self.names.fresh("before"), self.dtype)
            b.emit(Load(before, totals, chunk))
            self._tiles(*self._bounds(chunk, rows), before)
        return b.statements()

    def _bounds(self, chunk: Index, rows: Value) -> tuple[Index, Index]:
        start = self.b.index_value(chunk * rows.index, "start").index
        return start, self.b.minimum(start + rows.index, self.stop, "stop")

    def _neutral(self) -> Operand:
        """Return what changes nothing: -0.0 for sums of floats, which keeps the sign of zeros."""
        is_float = self.dtype.startswith("float")
        if self.running.op == "add" and is_float:
            return Literal(-0.0, self.dtype)
        return neutral_element(self.running.op, self.dtype)

    def _item(self, k: Index) -> Value:
        source, loop = self.running.source, self.running.loop
        item = Value(self.names.fresh(base_name(source.target.name)), self.dtype)
        self.b.emit(Load(item, source.buffer, source.index.replace({loop.index.name: k})))
        return item

    def _tiles(self, start: Index, stop: Index, before: Operand) -> None:
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
                own = b.declare("own", self._neutral())
                with b.branch(b.let("lt", "bool", [b.operand(k), b.operand(stop)])):
                    b.assign(own, self._item(k))
                b.emit(Store(parts[0], thread, own))
            distance = 1
            while distance < tile:
                self._step(parts[0], parts[1], distance)
                parts.reverse()
                distance *= 2
            with b.loop("thread", tile, kind="thread") as thread:
                k = b.index_value(first + thread, "k").index
                with b.branch(b.let("lt", "bool", [b.operand(k), b.operand(stop)])):
                    total = b.let(
                        self.running.op, self.dtype, [carry, self._part(parts[0], thread)]
                    )
                    store, loop = self.running.target, self.running.loop
                    b.emit(Store(store.buffer, store.index.replace({loop.index.name: k}), total))
            last = self._part(parts[0], Index.of(tile - 1))
            b.assign(carry, b.let(self.running.op, self.dtype, [carry, last]))

    def _part(self, part: Buffer, place: Index) -> Value:
        value = Value(self.names.fresh("part_i"), self.dtype)
        self.b.emit(Load(value, part, place))
        return value

    def _step(self, source: Buffer, target: Buffer, distance: int) -> None:
        """Write one step: each thread adds what is so far before it."""
        b = self.b
        with b.loop("thread", self.tile, kind="thread") as thread:
            own = b.declare("own", self._part(source, thread))
            with b.branch(b.let("ge", "bool", [b.operand(thread), Literal(distance, "int64")])):
                earlier = self._part(source, thread - distance)
                b.assign(own, b.let(self.running.op, self.dtype, [earlier, own]))
            b.emit(Store(target, thread, own))

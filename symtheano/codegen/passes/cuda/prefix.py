"""Prefix: running sums and products are scanned by blocks of threads.

Short rows are for a thread each, long ones for a block each, and a single row for blocks which have
a chunk each (:mod:`block_scan`). So are loops that count, and do something with each number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from symtheano.codegen.passes.cuda.block_scan import BlockScan
from symtheano.codegen.passes.cuda.counting import counted, find_counting
from symtheano.codegen.passes.cuda.nests import strided
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand, Place
from symtheano.loopir.rewrite import Copier, base_name

_SHORT = 64
"""Items of a row that one thread adds up."""


def prefix(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Write the loops of kernels that are running sums or products anew."""
    running = _find(kernel)
    if running is None:
        counting = find_counting(kernel)
        if counting is None:
            context.otherwise("not, the kernel is no running sum or product")
            return kernel
        context.note(counting.loops[0], "blocks count in chunks, in tiles of {}",
                     target.device.threads)  # fmt: skip
        return replace(kernel, body=counted(counting, target.device.threads, context.names))
    writer = _Scan(running, target.device.threads, context.names)
    if running.outer:
        context.note(running.outer[0], "a thread adds up rows of at most {} items, a block scans "
                     "others, in tiles of {}", _SHORT, writer.tile)  # fmt: skip
        return replace(kernel, body=writer.rows())
    context.note(running.loop, "blocks scan chunks, in tiles of {}", writer.tile)
    return replace(kernel, body=writer.single())


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
    begin = outer.pop()
    return _running(outer, begin, body)


def _running(outer: Sequence[For], begin: For, body: Sequence[Statement]) -> _Running | None:
    """Return the running sum or product that the body of the innermost of some loops is."""
    first, declared, stored, loop = body
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


class _Scan(BlockScan):
    """Writes the loops of a running sum or product."""

    def __init__(self, running: _Running, tile: int, names: Names) -> None:
        dtype, stop = running.source.target.dtype, running.loop.stop
        super().__init__(running.op, dtype, stop, tile, names, running.origin)
        self.running = running

    def rows(self) -> tuple[Statement, ...]:
        """Return launches with a thread for each short row, or a block for each long one."""
        b = self.b
        short = b.let("le", "bool", [b.operand(self.stop), Literal(_SHORT, "int64")], "short_rows")
        with b.block() as threads, self._grids(self.running.outer[:-1]):
            self._by_threads(self.running.outer[-1])
        with b.block() as blocks, self._grids(self.running.outer):
            self.tiles(Index.of(0), self.stop, self.neutral())
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

    def single(self) -> tuple[Statement, ...]:
        """Return the launches that scan a single row."""
        self.chunks(self.neutral())
        return self.b.statements()

    def item(self, k: Index) -> Operand:
        source, loop = self.running.source, self.running.loop
        item = Value(self.names.fresh(base_name(source.target.name)), self.dtype)
        self.b.emit(Load(item, source.buffer, source.index.replace({loop.index.name: k})))
        return item

    def use(self, k: Index, before: Operand, part: Buffer, thread: Index) -> None:
        store, loop = self.running.target, self.running.loop
        total = self.b.let(self.op, self.dtype, [before, self.part(part, thread)])
        self.b.emit(Store(store.buffer, store.index.replace({loop.index.name: k}), total))

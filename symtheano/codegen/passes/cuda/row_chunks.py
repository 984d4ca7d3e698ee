"""Row chunks: what each of few long rows reduces is reduced by many blocks, in two steps.

The statistics of channels over all images, as in batch normalization or in the gradient of a bias,
are sums over long rows, but there are few channels. So are those of few long vectors, as of the
logits of a vocabulary. Each row is cut into chunks along its outermost axis, and each chunk leaves
its results in memory. The next launch combines these in order. The number of chunks depends on
lengths alone. Loops that use the results of others, such as the squares of differences from a mean,
are launches of their own, which combine them again.

Rows along one axis are cut only if they are long: the registers of a block hold shorter ones, which
are then loaded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from symtheano.codegen.passes.cuda.nests import contiguous
from symtheano.codegen.passes.cuda.row_parts import (
    LONG_ROWS,
    Limits,
    RowParts,
    begins_neutral,
    keeps_order,
)
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import trips_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Comment,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Partition,
    Reduce,
    Statement,
    Store,
)
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Copier, base_name

_SEVERAL_AXES = Limits(rows=1024, chunks=64)
"""Rows along several axes, of any length."""

_LEAST_WORK = 1 << 12
"""Iterations of a row, if they are known, for which another launch is too much."""

_LIGHT = Comment | Declare | Let | LetIndex | Load | Store
_INSIDE = Comment | Declare | For | If | Let | LetIndex | Load | Reduce | Store


def row_chunks(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut loops that reduce long rows for each of the iterations around them."""
    body: list[Statement] = []
    for s in kernel.body:
        rows = _rows(s) if isinstance(s, For) else None
        body += [s] if rows is None else _Chunks(rows, target, context).write()
    context.otherwise("not, no rows are reduced that may be few and long")
    return replace(kernel, body=tuple(body))


@dataclass(frozen=True)
class _Rows:
    """A loop over rows, those of its statements that are loops along the outermost axis, limits."""

    loop: For
    along: tuple[For, ...]
    limits: Limits


def _rows(loop: For) -> _Rows | None:
    """Return the rows of a loop that is to be cut, or None."""
    if loop.kind != "independent" or loop.start != 0 or loop.step != 1:
        return None
    if not all(isinstance(s, _LIGHT | For) for s in loop.body):
        return None
    along = tuple(s for s in loop.body if isinstance(s, For))
    several = any(s.kind == "reduce" and _has_loop(s) for s in along)
    limits = _SEVERAL_AXES if several else LONG_ROWS
    rows = _Rows(loop, along, limits)
    own = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    bounds = {(each.start, each.stop) for each in rows.along}
    reduces = any(s.kind == "reduce" for s in along)
    if not reduces or len(bounds) != 1 or not all(map(_can_be_cut, along)):
        return None
    if not several and _are_columns(rows):
        return None
    first = rows.along[0]
    trips = trips_of(first)
    if not own.isdisjoint((*first.start.names(), *first.stop.names(), *trips.names())):
        return None
    work = ((first.stop - first.start) * trips).constant
    if work is not None and work < _LEAST_WORK:
        return None
    if not limits.might_hold(loop.stop, first.stop - first.start):
        return None
    return rows if keeps_order(loop) and begins_neutral(loop) else None


def _are_columns(rows: _Rows) -> bool:
    """Return whether neighbours in memory belong to different rows."""
    along = sum(contiguous([s], s.index.name) for s in rows.along)
    return contiguous(rows.loop.body, rows.loop.index.name) > along


def _has_loop(loop: For) -> bool:
    return any(isinstance(s, For) for s in loop.body)


def _can_be_cut(loop: For) -> bool:
    """Return whether parts of a loop may run at the same time."""
    plain = all(isinstance(s, _INSIDE) for s in walk(loop.body))
    return plain and loop.kind in ("reduce", "independent") and loop.step == 1


class _Chunks(RowParts):
    """Writes the launches of one loop over rows."""

    def __init__(self, rows: _Rows, target: Target, context: Context) -> None:
        super().__init__(rows.loop, Builder(context.names))
        self.rows, self.target, self.context = rows, target, context
        self.length = self.chunks = Index.of(1)

    @property
    def count(self) -> Index:
        """The number of chunks."""
        return self.chunks

    def place(self, i: Index, part: Index) -> Index:
        """Return where the result of a row's chunk is."""
        return i * self.rows.limits.chunks + part

    def write(self) -> Sequence[Statement]:
        """Return launches for few long rows, or the loop as it is for others."""
        b, rows, chunks, limits = self.b, self.rows, self.target.chunks, self.rows.limits
        loop, first = rows.loop, rows.along[0]
        self.context.note(
            loop, "{} rows or fewer{} in at most {} chunks each, with work of at least {} "
            "additions", limits.rows,
            f" of {limits.length} elements or more" if limits.length else "",
            limits.chunks, chunks.work,
        )  # fmt: skip
        length, parts = b.value("rows", "int64"), b.value("chunks", "int64")
        trips, along = trips_of(first), first.stop - first.start
        b.emit(Partition(length, parts, along, trips, chunks.work, limits.chunks))
        self.length, self.chunks = length.index, parts.index
        for value, op in chain.from_iterable(self.reduced(each).items() for each in rows.along):
            buffer = Buffer(self.name(value), value.dtype, "local", limits.size(loop.stop))
            self.parts[value.name] = buffer, op
            b.emit(Local(buffer))
        few = limits.test(b, loop.stop, along)
        if few is None:
            self._launches()
            return b.statements()
        with b.block() as launches:
            self._launches()
        b.emit(If(few, tuple(launches), (loop,)))
        return b.statements()

    def _launches(self) -> None:
        """Write a loop over the chunks of rows for each loop along them, and one over rows."""
        b, loop = self.b, self.rows.loop
        for along in self.rows.along:
            before = loop.body[: loop.body.index(along)]
            with (
                b.loop(base_name(loop.index.name), loop.stop, kind="independent") as i,
                b.loop("chunk", self.count, kind="independent") as chunk,
            ):
                copier = self.again(before, i)
                self._part(along, copier, i, chunk)
        if any(isinstance(s, Store) for s in loop.body):
            with b.loop(base_name(loop.index.name), loop.stop, kind="independent") as i:
                self.again(loop.body, i, last=True)

    def _part(self, along: For, copier: Copier, i: Index, chunk: Index) -> None:
        """Write a loop along a chunk of a row, and keep what it reduces."""
        b = self.b
        start = b.index_value(along.start + chunk * self.length, "start").index
        stop = b.minimum(start + self.length, along.stop, "stop")
        for copy in copier.statement(replace(along, start=start, stop=stop)):
            b.emit(copy)
        self.leave(along, copier, i, chunk)

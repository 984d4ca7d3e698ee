"""Row chunks: what each of few rows sums over several axes is summed by many blocks, in two steps.

The statistics of channels over all images, as in batch normalization or in the gradient of a bias,
are sums over long rows, but there are few channels. Each row is cut into chunks along its outermost
axis, and each chunk leaves its results in memory. The next launch combines these in order. The
number of chunks depends on lengths alone. Loops that use the results of others, such as the squares
of differences from a mean, are launches of their own, which combine them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import trips_of
from symtheano.codegen.rows import neutral_element
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
    Literal,
    Load,
    Local,
    Partition,
    Reduce,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.names import definitions, reads, walk, writes
from symtheano.loopir.rewrite import Copier, base_name

_MOST_ROWS, _MOST_CHUNKS = 1024, 64
"""Rows of which there are enough for all blocks of a device; chunks of fewer rows."""

_LEAST_WORK = 1 << 12
"""Iterations of a row, if they are known, for which another launch is too much."""

_LIGHT = Comment | Declare | Let | LetIndex | Load | Store
_INSIDE = Comment | Declare | For | If | Let | LetIndex | Load | Reduce | Store


def row_chunks(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut loops that reduce several axes for each of the iterations around them."""
    body: list[Statement] = []
    for s in kernel.body:
        rows = _rows(s) if isinstance(s, For) else None
        body += [s] if rows is None else _Chunks(rows, target, context).write()
    context.otherwise("not, no row is reduced along several axes")
    return replace(kernel, body=tuple(body))


@dataclass(frozen=True)
class _Rows:
    """A loop over rows, and those of its statements that are loops along the outermost axis."""

    loop: For
    along: tuple[For, ...]

    @property
    def accumulators(self) -> list[Value]:
        """The scalars that these loops reduce into."""
        return [s.target for s in self.loop.body if isinstance(s, Declare)]


def _rows(loop: For) -> _Rows | None:
    """Return the rows of a loop that is to be cut, or None."""
    if loop.kind != "independent" or loop.start != 0 or loop.step != 1:
        return None
    if not all(isinstance(s, _LIGHT | For) for s in loop.body):
        return None
    rows = _Rows(loop, tuple(s for s in loop.body if isinstance(s, For)))
    own = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    bounds = {(each.start, each.stop) for each in rows.along}
    reduces = any(s.kind == "reduce" and _has_loop(s) for s in rows.along)
    if not reduces or len(bounds) != 1 or not all(map(_can_be_cut, rows.along)):
        return None
    first, count = rows.along[0], loop.stop.constant
    trips = trips_of(first)
    if not own.isdisjoint((*first.start.names(), *first.stop.names(), *trips.names())):
        return None
    work = ((first.stop - first.start) * trips).constant
    if (count is not None and count > _MOST_ROWS) or (work is not None and work < _LEAST_WORK):
        return None
    return rows if _keeps_order(rows) and _begins_neutral(rows) else None


def _has_loop(loop: For) -> bool:
    return any(isinstance(s, For) for s in loop.body)


def _can_be_cut(loop: For) -> bool:
    """Return whether parts of a loop may run at the same time."""
    plain = all(isinstance(s, _INSIDE) for s in walk(loop.body))
    return plain and loop.kind in ("reduce", "independent") and loop.step == 1


def _keeps_order(rows: _Rows) -> bool:
    """Return whether statements outside of loops may be run again, after the loops."""
    light = [s for s in rows.loop.body if not isinstance(s, For)]
    written = {buffer for s in walk(rows.loop.body) for buffer in writes(s)}
    stored = {buffer for s in light for buffer in writes(s)}
    read = {buffer for s in light for buffer in reads(s)}
    inside = {buffer for s in walk(rows.along) for buffer in (*reads(s), *writes(s))}
    return written.isdisjoint(read) and stored.isdisjoint(inside)


def _begins_neutral(rows: _Rows) -> bool:
    """Return whether each accumulator is one loop's, and begins as what adds nothing."""
    initial = {s.target.name: s.initial for s in rows.loop.body if isinstance(s, Declare)}
    seen: set[str] = set()
    for along in rows.along:
        reduced = {s.target: s.op for s in walk(along.body) if isinstance(s, Reduce)}
        for value, op in reduced.items():
            if value.name in initial and (
                value.name in seen or initial[value.name] != neutral_element(op, value.dtype)
            ):
                return False
        seen.update(value.name for value in reduced)
    return True


class _Chunks:
    """Writes the launches of one loop over rows."""

    def __init__(self, rows: _Rows, target: Target, context: Context) -> None:
        self.rows, self.target, self.context = rows, target, context
        self.b = Builder(context.names)
        self.parts: dict[str, tuple[Buffer, str]] = {}

    def write(self) -> Sequence[Statement]:
        """Return launches for few rows, which are so many, or the loop as it is for more."""
        b, rows, chunks = self.b, self.rows, self.target.chunks
        loop, first, count = rows.loop, rows.along[0], rows.loop.stop.constant
        self.context.note(
            loop, "{} rows or fewer in at most {} chunks each, with work of at least {} additions",
            _MOST_ROWS, _MOST_CHUNKS, chunks.work,
        )  # fmt: skip
        length, parts = b.value("rows", "int64"), b.value("chunks", "int64")
        trips = trips_of(first)
        b.emit(Partition(length, parts, first.stop - first.start, trips, chunks.work, _MOST_CHUNKS))
        self.length, self.count = length.index, parts.index
        for value, op in chain.from_iterable(self._reduced(each).items() for each in rows.along):
            name = self.context.names.fresh(f"{base_name(value.name)}_parts")
            size = _MOST_CHUNKS * (_MOST_ROWS if count is None else count)
            self.parts[value.name] = Buffer(name, value.dtype, "local", Index.of(size)), op
            b.emit(Local(self.parts[value.name][0]))
        if count is not None:
            self._launches()
            return b.statements()
        few = b.let("le", "bool", [b.operand(loop.stop), Literal(_MOST_ROWS, "int64")], "few_rows")
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
                copier = self._before(before, i)
                self._part(along, copier, i, chunk)
        if any(isinstance(s, Store) for s in loop.body):
            with b.loop(base_name(loop.index.name), loop.stop, kind="independent") as i:
                self._before(loop.body, i, last=True)

    def _before(self, statements: Sequence[Statement], i: Index, last: bool = False) -> Copier:
        """Write statements of a row again, with what its loops have left instead of these."""
        copier = Copier(self.context.names, {self.rows.loop.index.name: i})
        for s in statements:
            if isinstance(s, For):
                self._combine(s, copier, i)
            elif last or not isinstance(s, Store):
                for copy in copier.statement(s):
                    self.b.emit(copy)
        return copier

    def _part(self, along: For, copier: Copier, i: Index, chunk: Index) -> None:
        """Write a loop along a chunk of a row, and keep what it reduces."""
        b = self.b
        start = b.index_value(along.start + chunk * self.length, "start").index
        stop = b.minimum(start + self.length, along.stop, "stop")
        for copy in copier.statement(replace(along, start=start, stop=stop)):
            b.emit(copy)
        for value in self._reduced(along):
            place = i * _MOST_CHUNKS + chunk
            b.store(View(self.parts[value.name][0], (), (), place), [], copier.operand(value))

    def _combine(self, along: For, copier: Copier, i: Index) -> None:
        """Write what reduces the results of the chunks of a loop along a row."""
        reduced = self._reduced(along)
        if not reduced:
            return
        with self.b.loop("chunk", self.count) as chunk:
            for value in reduced:
                parts, op = self.parts[value.name]
                part = self.b.load(View(parts, (), (), i * _MOST_CHUNKS + chunk), [])
                self.b.emit(Reduce(copier.target(value), op, part))

    def _reduced(self, along: For) -> dict[Value, str]:
        own = {value.name for value in self.rows.accumulators}
        every = [s for s in walk(along.body) if isinstance(s, Reduce)]
        return {s.target: s.op for s in every if s.target.name in own}

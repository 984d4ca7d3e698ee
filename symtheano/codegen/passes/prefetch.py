"""Prefetch: memory is asked for before it is needed.

While the second loop over a row runs, the row is in the cache and memory is idle: it can deliver
the next row. Rows that an index array selects are nowhere near each other, so they are asked for
some iterations ahead. Rows that are read once, in order, are those of ``prefetch_stream.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Prefetch,
    Statement,
    Store,
    Update,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk, writes
from symtheano.loopir.rewrite import (
    Body,
    Copier,
    names_used,
    slice_of,
    unless_same,
    with_loops,
    with_nested,
)

_ITEMSIZES = (1, 2, 4, 8, 16)


def prefetch_rows(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Let the second loop over each row ask for the next row, and for the memory of results.

    Rows that loops further out visit again and again are likely to be in the cache.
    """

    def change(loop: For, around: Sequence[For]) -> Sequence[Statement] | None:
        loops = _visits(loop)
        if len(loops) < 2:
            return None
        rows = _next_row(loop, loops)
        ahead = [item for item in rows if not any(_repeats(outer, loop, item) for outer in around)]
        if not ahead:
            reason = (
                "its rows are visited many times"
                if rows
                else "nothing is contiguous along its rows"
            )
            context.note(loop, "not, {}", reason)
            return None
        for item in ahead:
            context.note(loop, "the next row of {} is asked for in loop {}, above {} elements",
                         item.buffer.name, loops[1].index.name, target.caches.far)  # fmt: skip
        cut = _with_prefetch(loops[1], ahead, target, context.names)
        body = [s for old in loop.body for s in (cut if old is loops[1] else [old])]
        return [replace(loop, body=tuple(body))]

    def block(statements: Body, around: Sequence[For]) -> Body:
        body: list[Statement] = []
        for statement in statements:
            new, inside = None, around
            if isinstance(statement, For):
                new, inside = change(statement, around), [*around, statement]
            if new is None:
                new = [with_nested(statement, partial(block, around=inside))]
            body += new
        return unless_same(body, statements)

    asking = with_nested(kernel, partial(block, around=()))
    context.otherwise("not, no loop visits rows more than once")
    return asking


def _repeats(outer: For, rows: For, item: Prefetch) -> bool:
    """Return whether each iteration of an outer loop visits the same elements."""
    varying = {outer.index.name}
    for statement in walk(outer.body):
        if isinstance(statement, Let | LetIndex) and not varying.isdisjoint(names_used(statement)):
            varying.add(statement.target.name)
    used = (*item.index.names(), *rows.start.names(), *rows.stop.names())
    return varying.isdisjoint(used)


def _visits(loop: For) -> list[For]:
    """Return the loops along a whole row in a loop over rows, if there are no other ones."""
    inner = [s for s in loop.body if isinstance(s, For)]
    plain = len({(row.start, row.stop) for row in inner}) == 1 and all(
        row.kind in ("independent", "reduce")
        and row.step == 1
        and not any(isinstance(s, For | If) for s in row.body)
        for row in inner
    )
    return inner if plain and loop.step == 1 and loop.kind != "simd" else []


def _next_row(loop: For, rows: Sequence[For]) -> list[Prefetch]:
    """Return what to ask for at a position ``k`` of a row."""
    own = {s.buffer.name for s in loop.body if isinstance(s, Local)}
    early = {s.buffer.name for row in rows[:2] for s in row.body if isinstance(s, Store)}
    stored = {s.buffer.name for row in rows for s in row.body if isinstance(s, Store)}
    places: dict[tuple[str, Index], Prefetch] = {}

    def add(row: For, s: Load | Store, step: int) -> None:
        near = s.index.coefficient(row.index.name)
        across = s.index.coefficient(loop.index.name)
        if near == 1 and across != 0 and s.buffer.name not in own:
            index = s.index.replace({row.index.name: Index.symbol("k")}) + across * step
            write = isinstance(s, Store)
            places.setdefault((s.buffer.name, index), Prefetch(s.buffer, index, write))

    for row in rows:
        inside = stored | {value.name for s in row.body for value in definitions(s)}
        for s in row.body:
            if isinstance(s, Load) and inside.isdisjoint([s.buffer.name, *s.index.names()]):
                add(row, s, 1)
    for row in rows:
        for s in row.body:
            if isinstance(s, Store):
                add(row, s, 1 if s.buffer.name in early else 0)
    return list(places.values())


def _with_prefetch(
    loop: For, ahead: Sequence[Prefetch], target: Target, names: Names
) -> Sequence[Statement]:
    b = Builder(names)
    many = _is_large(b, ahead[0], target)
    size = target.caches.burst // _widest(ahead)
    with b.loop("block", loop.stop, loop.start, step=size) as block:
        stop = b.minimum(block + size, loop.stop, "stop")
        _ask(b, many, ahead, block, stop, target)
        inner = replace(loop, start=block, stop=stop)
        b.emit(replace(inner, kind="simd", reductions=reductions_of(inner)))
    return b.statements()


def _is_large(b: Builder, item: Prefetch, target: Target) -> Value:
    size = b.operand(item.buffer.size)
    return b.let("gt", "bool", [size, Literal(target.caches.far, "int64")], "many")


def _widest(ahead: Sequence[Prefetch]) -> int:
    return max(np.dtype(item.buffer.dtype).itemsize for item in ahead)


def _ask(
    b: Builder, many: Value, ahead: Sequence[Prefetch], start: Index, stop: Index, target: Target
) -> None:
    """Ask for positions ``k`` of large arrays, line by line."""
    line = target.caches.line // _widest(ahead)
    with b.branch(many), b.loop("k", stop, start, step=line) as k:
        for item in ahead:
            b.emit(replace(item, index=item.index.replace({"k": k})))


def prefetch_gathers(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Ask for the rows that indices select in later iterations of a loop."""

    def change(loop: For) -> Sequence[Statement] | None:
        rows = _selected_rows(loop)
        if not rows:
            return None
        for name in dict.fromkeys(row.buffer.name for row, _ in rows):
            context.note(loop, "rows of {} are asked for {} rows ahead, above {} elements",
                         name, target.caches.ahead, target.caches.core)  # fmt: skip
        return [replace(loop, body=_asking(loop, rows, target, context.names))]

    asking = with_loops(kernel, change)
    context.otherwise("not, no row is selected by an index that is loaded")
    return asking


Row = tuple[Load | Store | Update, For]


def _selected_rows(loop: For) -> list[Row]:
    """Return what the only inner loop reads or writes in rows whose number is loaded."""
    inner = [s for s in loop.body if isinstance(s, For)]
    if len(inner) != 1 or loop.step < 1 or any(isinstance(s, For) for s in inner[0].body):
        return []
    rows: dict[tuple[str, Index | None], Row] = {}
    chosen: dict[str, bool] = {}
    own = {value.name: value for s in loop.body for value in definitions(s)}
    within = {value.name for s in walk(inner[0].body) for value in definitions(s)}
    for s in inner[0].body:
        if (
            not isinstance(s, Load | Store | Update)
            or s.index.coefficient(inner[0].index.name) != 1
        ):
            continue
        if not within.isdisjoint(s.index.names()):
            continue
        for name in s.index.names():
            if name in own and chosen.setdefault(name, _is_loaded(name, loop)):
                row = s.index if loop.step > 1 else None  # several rows at once
                rows.setdefault((s.buffer.name, row), (s, inner[0]))
    return list(rows.values())


def _is_loaded(name: str, loop: For) -> bool:
    """Return whether an integer depends on a load at the loop's counter."""
    return any(
        isinstance(s, Load) and loop.index.name in s.index.names()
        for s in slice_of({name}, loop.body)
    )


def _asking(loop: For, rows: Sequence[Row], target: Target, names: Names) -> Body:
    b = Builder(names)
    inner = rows[0][1]
    written = {buffer.name for s in inner.body for buffer in writes(s)}
    sizes = {s.buffer.name: s.buffer.size for s, _ in rows}
    size = b.operand(sum(sizes.values(), Index.of(0)))
    with b.branch(b.let("gt", "bool", [size, Literal(target.caches.core, "int64")], "many")):
        last = loop.stop - loop.step
        ahead = b.minimum(loop.index.index + target.caches.ahead, last, "ahead")
        copier = Copier(names, {loop.index.name: ahead})
        own = {value.name for s in loop.body for value in definitions(s)}
        wanted = {name for s, _ in rows for name in s.index.names() if name in own}
        for statement in copier.block(slice_of(wanted, loop.body)):
            b.emit(statement)
        line = target.caches.line // max(np.dtype(s.buffer.dtype).itemsize for s, _ in rows)
        stop = b.minimum(inner.stop, target.caches.ahead_lines * line, "stop")
        with b.loop("k", stop, step=line) as k:
            copier.indices[inner.index.name] = k
            for s, _ in rows:
                b.emit(Prefetch(s.buffer, copier.index(s.index), s.buffer.name in written))
    at = next(n for n, s in enumerate(loop.body) if isinstance(s, For))
    return (*loop.body[:at], *b.statements(), *loop.body[at:])

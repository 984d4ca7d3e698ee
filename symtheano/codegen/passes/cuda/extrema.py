"""Extrema: positions of extrema of a whole array, or of few long rows, are searched in chunks.

Each block leaves the extremum of its chunk, and its position, in memory; then these are compared in
order. So the first one of equal elements is found, as in a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.codegen.passes.cuda.row_parts import LONG_ROWS, keeps_order, loops_along
from symtheano.codegen.passes.finish import better
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
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
    Locate,
    Partition,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, unless_same

_LEAST = 1 << 12
"""Elements of a chunk at least."""

_LIGHT = Comment | Declare | Let | LetIndex | Load | Store


def extrema(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut the outermost loops that locate extrema into chunks, which are independent."""
    initial = {s.target.name: s.initial for s in kernel.body if isinstance(s, Declare)}
    body: list[Statement] = []
    for s in kernel.body:
        if isinstance(s, For) and _is_taken(s):
            context.note(s, "positions are searched in chunks of {} elements or more", _LEAST)
            body += _in_chunks(s, initial, target, context)
        elif isinstance(s, For) and _has_long_rows(s):
            context.note(
                s, "positions in {} rows or fewer of {} elements or more are searched in chunks",
                LONG_ROWS.rows, LONG_ROWS.length,
            )  # fmt: skip
            body += _rows_in_chunks(s, context)
        else:
            body.append(s)
    context.otherwise("not, no loop locates an extremum of an array, or of few long rows")
    return replace(kernel, body=unless_same(body, kernel.body))


def _is_taken(loop: For) -> bool:
    """Return whether a loop does nothing but locate, and is long."""
    located = [s for s in loop.body if isinstance(s, Locate)]
    length = (loop.stop - loop.start).constant
    return (
        bool(located)
        and loop.step == 1
        and (length is None or length > _LEAST)
        and all(isinstance(s, Let | LetIndex | Load | Locate) for s in loop.body)
    )


def _in_chunks(
    loop: For, initial: dict[str, Operand], target: Target, context: Context
) -> Sequence[Statement]:
    """Return the search in chunks of a loop, and that among what is found there."""
    b, most = Builder(context.names), target.chunks.most
    rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
    length = loop.stop - loop.start
    b.emit(Partition(rows, count, length, Index.of(1), _LEAST, most))
    parts = _parts(b, loop, Index.of(most))
    with b.loop("chunk", count.index, kind="independent") as chunk:
        start = b.index_value(loop.start + chunk * rows.index, "start").index
        stop = b.minimum(start + rows.index, loop.stop, "stop")
        own: dict[Locate, tuple[Value, Value]] = {}
        for item in parts:
            best = b.declare("best", initial[item.best.name])
            own[item] = best, b.declare("where", b.operand(start))
        body = tuple(
            replace(s, best=own[s][0], where=own[s][1]) if isinstance(s, Locate) else s
            for s in loop.body
        )
        b.emit(replace(loop, start=start, stop=stop, body=body))
        for item, buffers in parts.items():
            for buffer, value in zip(buffers, own[item], strict=True):
                b.emit(Store(buffer, chunk, value))
    with b.loop("chunk", count.index) as chunk:
        for item, buffers in parts.items():
            _take_better(b, item, buffers, chunk)
    return b.statements()


def _parts(b: Builder, loop: For, size: Index) -> dict[Locate, tuple[Buffer, Buffer]]:
    """Return local arrays for what a loop finds in chunks: extrema, and their positions."""
    parts: dict[Locate, tuple[Buffer, Buffer]] = {}
    for item in loop.body:
        if isinstance(item, Locate):
            buffers = [
                Buffer(b.names.fresh(wish), dtype, "local", size)
                for wish, dtype in (("extrema", item.best.dtype), ("positions", "int64"))
            ]
            for buffer in buffers:
                b.emit(Local(buffer))
            parts[item] = buffers[0], buffers[1]
    return parts


def _take_better(b: Builder, item: Locate, buffers: tuple[Buffer, Buffer], chunk: Index) -> None:
    """Write what takes a chunk's extremum and its position, if it is better than those before."""
    b.origin = item.origin
    best, where = (Value(b.names.fresh("part"), x.dtype) for x in buffers)
    for value, buffer in zip((best, where), buffers, strict=True):
        b.emit(Load(value, buffer, chunk))
    with b.branch(better(b, item.op, best, item.best)):
        b.assign(item.best, best)
        b.assign(item.where, where)


def _has_long_rows(rows: For) -> bool:
    """Return whether a loop locates extrema of rows, which may be few and long, and no more."""
    loops = loops_along(rows)
    if rows.kind != "independent" or rows.start != 0 or rows.step != 1 or len(loops) != 1:
        return False
    (along,) = loops
    own = {rows.index.name, *(value.name for s in rows.body for value in definitions(s))}
    declared = {s.target.name for s in rows.body if isinstance(s, Declare)}
    return (
        all(isinstance(s, _LIGHT | For) for s in rows.body)
        and _is_taken(along)
        and own.isdisjoint((*along.start.names(), *along.stop.names()))
        and all(s.best.name in declared for s in along.body if isinstance(s, Locate))
        and LONG_ROWS.might_hold(rows.stop, along.stop - along.start)
        and keeps_order(rows)
    )


def _rows_in_chunks(rows: For, context: Context) -> Sequence[Statement]:
    """Return launches for few long rows, or the loop as it is for others."""
    b, (along,) = Builder(context.names), loops_along(rows)
    length, count = along.stop - along.start, b.value("chunks", "int64")
    size = b.value("rows", "int64")
    b.emit(Partition(size, count, length, Index.of(1), _LEAST, LONG_ROWS.chunks))
    parts = _parts(b, along, LONG_ROWS.size(rows.stop))
    few = LONG_ROWS.test(b, rows.stop, length)
    with b.block() as launches:
        _search_parts(b, rows, along, parts, (size.index, count.index))
        _search_rows(b, rows, along, parts, count.index)
    if few is None:
        for s in launches:
            b.emit(s)
    else:
        b.emit(If(few, tuple(launches), (rows,)))
    return b.statements()


def _search_parts(
    b: Builder,
    rows: For,
    along: For,
    parts: Mapping[Locate, tuple[Buffer, Buffer]],
    sizes: tuple[Index, Index],
) -> None:
    """Write what leaves the extremum of each chunk of each row, and its position."""
    size, count = sizes
    with (
        b.loop("i", rows.stop, kind="independent") as i,
        b.loop("chunk", count, kind="independent") as chunk,
    ):
        copier = Copier(b.names, {rows.index.name: i})
        for s in rows.body[: rows.body.index(along)]:
            if not isinstance(s, Store):
                for copy in copier.statement(s):
                    b.emit(copy)
        start = b.index_value(along.start + chunk * size, "start").index
        stop = b.minimum(start + size, along.stop, "stop")
        for item in parts:
            where = copier.target(item.where)
            b.assign(where, b.operand(start))
        for copy in copier.statement(replace(along, start=start, stop=stop)):
            b.emit(copy)
        for item, buffers in parts.items():
            for buffer, value in zip(buffers, (item.best, item.where), strict=True):
                b.emit(Store(buffer, i * LONG_ROWS.chunks + chunk, copier.operand(value)))


def _search_rows(
    b: Builder,
    rows: For,
    along: For,
    parts: Mapping[Locate, tuple[Buffer, Buffer]],
    count: Index,
) -> None:
    """Write the rows with a search among the results of chunks."""
    with b.loop("i", rows.stop, kind="independent") as i:
        copier = Copier(b.names, {rows.index.name: i})
        for s in rows.body:
            if s is not along:
                for copy in copier.statement(s):
                    b.emit(copy)
                continue
            place = i * LONG_ROWS.chunks
            which = {item: b.declare("which", Literal(0, "int64")) for item in parts}
            with b.loop("chunk", count) as chunk:
                for item, (extremum, _) in parts.items():
                    value = Value(b.names.fresh("part"), extremum.dtype)
                    b.emit(Load(value, extremum, place + chunk))
                    best, position = copier.target(item.best), b.operand(chunk)
                    b.emit(Locate(best, which[item], item.op, value, position, item.origin))
            for item, (_, positions) in parts.items():
                found = Value(b.names.fresh("position"), "int64")
                b.emit(Load(found, positions, place + which[item].index))
                b.assign(copier.target(item.where), found)

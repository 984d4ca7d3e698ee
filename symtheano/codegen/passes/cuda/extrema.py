"""Extrema: the position of an extremum of a whole array is searched in chunks, by blocks.

Each block leaves the extremum of its chunk, and its position, in memory; then these are compared in
order. So the first one of equal elements is found, as in a loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.finish import better
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Locate,
    Partition,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import unless_same

_LEAST = 1 << 12
"""Elements of a chunk at least."""


def extrema(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut the outermost loops that locate extrema into chunks, which are independent."""
    initial = {s.target.name: s.initial for s in kernel.body if isinstance(s, Declare)}
    body: list[Statement] = []
    for s in kernel.body:
        if isinstance(s, For) and _is_taken(s, initial.keys()):
            context.note(s, "positions are searched in chunks of {} elements or more", _LEAST)
            body += _in_chunks(s, initial, target, context)
        else:
            body.append(s)
    context.otherwise("not, no outermost loop locates an extremum")
    return replace(kernel, body=unless_same(body, kernel.body))


def _is_taken(loop: For, declared: object) -> bool:
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
    b, most = Builder(context.names), target.chunks.most
    rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
    length = loop.stop - loop.start
    b.emit(Partition(rows, count, length, Index.of(1), _LEAST, most))
    located = [s for s in loop.body if isinstance(s, Locate)]
    parts: list[tuple[Locate, tuple[Buffer, Buffer]]] = []
    for item in located:
        pair = tuple(
            Buffer(context.names.fresh(wish), dtype, "local", Index.of(most))
            for wish, dtype in (("extrema", item.best.dtype), ("positions", "int64"))
        )
        for buffer in pair:
            b.emit(Local(buffer))
        parts.append((item, (pair[0], pair[1])))
    with b.loop("chunk", count.index, kind="independent") as chunk:
        start = b.index_value(loop.start + chunk * rows.index, "start").index
        stop = b.minimum(start + rows.index, loop.stop, "stop")
        own: dict[Locate, tuple[Value, Value]] = {}
        for item in located:
            best = b.declare("best", initial[item.best.name])
            own[item] = best, b.declare("where", b.operand(start))
        body = tuple(
            replace(s, best=own[s][0], where=own[s][1]) if isinstance(s, Locate) else s
            for s in loop.body
        )
        b.emit(replace(loop, start=start, stop=stop, body=body))
        for item, buffers in parts:
            for buffer, value in zip(buffers, own[item], strict=True):
                b.emit(Store(buffer, chunk, value))
    with b.loop("chunk", count.index) as chunk:
        for item, buffers in parts:
            b.origin = item.origin
            best, where = (Value(context.names.fresh("part"), x.dtype) for x in buffers)
            for value, buffer in zip((best, where), buffers, strict=True):
                b.emit(Load(value, buffer, chunk))
            with b.branch(better(b, item.op, best, item.best)):
                b.assign(item.best, best)
                b.assign(item.where, where)
    return b.statements()

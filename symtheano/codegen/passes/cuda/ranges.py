"""Ranges: what is stored at computed positions is shared out by ranges of rows.

A loop in order may store to one element several times, as the gradient of a lookup does. Each block
goes through all of its iterations, but stores to rows of its own range only. So the order of stores
to an element stays, and results have the same bits for any number of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.nests import is_apart, quotient, strided
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Partition,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions
from symtheano.loopir.rewrite import Body, slice_of

_MOST = 128
"""The largest number of ranges."""


def ranges(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Launch loops in order that store to rows whose numbers they compute."""
    body: list[Statement] = []
    for s in kernel.body:
        scatter = find_scatter(s, context.names) if isinstance(s, For) else None
        if scatter is None:
            body.append(s)
            continue
        context.note(scatter.loops[0], "rows of {} are shared out in ranges, at most {}",
                     scatter.target.name, _MOST)  # fmt: skip
        body += _written(scatter, target.device.threads, context.names)
    context.otherwise("not, no loop in order stores to rows that it computes")
    return replace(kernel, body=tuple(body))


@dataclass(frozen=True)
class Scatter:
    """Loops that store to rows whose numbers they compute.

    Attributes
    ----------
    kept
        The loop over the elements of a row, or None.
    loops
        The loops in order, the outermost first.
    body
        What they do.
    row, count
        The number of the row, which the body defines, and the number of rows. Where several indices
        are computed, it is the place of the row's first element, and the number of elements.
    target
        The array.
    """

    kept: For | None
    loops: tuple[For, ...]
    body: Body
    row: Value
    count: Index
    target: Buffer


def find_scatter(loop: For, names: Names) -> Scatter | None:
    """Return what a loop of a kernel does if it scatters, else None."""
    kept = loop if is_apart(loop) else None
    if kept is not None:
        if len(kept.body) != 1 or not isinstance(kept.body[0], For) or kept.step != 1:
            return None
        loop = kept.body[0]
    loops: list[For] = []
    body: Body = (loop,)
    while body and isinstance(inner := body[-1], For) and inner.kind == "serial":
        # What an outer loop computes before an inner one may as well be computed inside.
        scalars = body[:-1]
        own = {value.name for s in scalars for value in definitions(s)}
        if not own.isdisjoint((*inner.start.names(), *inner.stop.names())):
            return None
        loops.append(inner)
        body = (*scalars, *inner.body)
    if not loops or not body or not isinstance(body[-1], Store):
        return None
    store = body[-1]
    if not all(isinstance(s, Let | LetIndex | Load) for s in body[:-1]):
        return None
    if any(
        s.index != store.index for s in body if isinstance(s, Load) and s.buffer == store.buffer
    ):
        return None
    return _with_row(kept, loops, body, store) or _with_place(kept, loops, body, store, names)


def _with_row(kept: For | None, loops: Sequence[For], body: Body, store: Store) -> Scatter | None:
    """Return the scatter if the address of its store is a row's, and an element's in it."""
    own = {value.name: value for s in body for value in definitions(s)}
    own |= {each.index.name: each.index for each in loops}
    names = [name for name in store.index.names() if name in own]
    if len(set(names)) != 1:
        return None
    row = own[names[0]]
    width = store.index.coefficient(row.name)
    count = quotient(store.buffer.size, width)
    outside = {*own, *([kept.index.name] if kept else [])}
    if count is None or row.dtype != "int64" or not outside.isdisjoint(width.names()):
        return None
    if any(row == each.index for each in loops):
        return None
    # What is added to the row's address stays in the row, so rows of ranges do not overlap.
    rest = store.index - width * row.index
    if kept is None and rest != 0:
        return None
    if kept is not None and (rest != kept.index.index or kept.start != 0 or kept.stop != width):
        return None
    return Scatter(kept, tuple(loops), body, row, count, store.buffer)


def _with_place(
    kept: For | None, loops: Sequence[For], body: Body, store: Store, names: Names
) -> Scatter | None:
    """Return the scatter if a row is told by the place of its first element alone.

    So it is where several indices are computed, as those of the axes of a matrix are.
    """
    computed = {value.name for s in body for value in definitions(s)}
    varying = computed | {each.index.name for each in loops}
    first = store.index
    if computed.isdisjoint(first.names()):
        return None
    if kept is not None:
        first = first.replace({kept.index.name: 0})
        # What rows are apart is a multiple of their length, so they are the same or do not overlap.
        apart = Index(tuple(term for term in first.terms if not varying.isdisjoint(term[0])))
        if store.index - first != kept.index.index or kept.start != 0:
            return None
        if quotient(apart, kept.stop) is None:
            return None
    before = slice_of(set(first.names()), body)
    if any(isinstance(s, Load) and s.buffer == store.buffer for s in before):
        return None
    row = Value(names.fresh("row"), "int64")
    index = row.index if kept is None else row.index + kept.index.index
    rest = [
        replace(s, index=index) if isinstance(s, Load | Store) and s.buffer == store.buffer else s
        for s in body
        if s not in before
    ]
    whole = (*before, LetIndex(row, first), *rest)
    return Scatter(kept, tuple(loops), whole, row, store.buffer.size, store.buffer)


def _written(scatter: Scatter, threads: int, names: Names) -> tuple[Statement, ...]:
    """Return the launch: a block for each range of rows, and for some elements of a row."""
    b = Builder(names)
    rows, count = b.value("rows", "int64"), b.value("ranges", "int64")
    b.emit(Partition(rows, count, scatter.count, Index.of(1), 1, _MOST))
    kept = scatter.kept
    with b.loop("range", count.index, kind="grid") as number:
        if kept is None:
            start, stop = _bounds(b, number, rows, scatter.count)
            with b.loop("one", 1, kind="thread"):
                b.emit(_guarded(scatter, start, stop, names))
        else:
            with b.loop("first", kept.stop, kept.start, step=threads, kind="grid") as first:
                start, stop = _bounds(b, number, rows, scatter.count)
                last = b.minimum(first + threads, kept.stop, "last")
                inside = _guarded(scatter, start, stop, names)
                own = replace(kept, start=first, stop=last, body=(inside,))
                with b.loop("thread", threads, kind="thread") as thread:
                    b.emit(strided(own, thread, threads))
    return b.statements()


def _bounds(b: Builder, number: Index, rows: Value, count: Index) -> tuple[Index, Index]:
    start = b.index_value(number * rows.index, "start").index
    return start, b.minimum(start + rows.index, count, "stop")


def _guarded(scatter: Scatter, start: Index, stop: Index, names: Names) -> For:
    """Return the loops in order, which store to rows of one range only."""
    b = Builder(names)
    place = next(k for k, s in enumerate(scatter.body, 1) if scatter.row in definitions(s))
    for s in scatter.body[:place]:
        b.emit(s)
    least = b.let("ge", "bool", [scatter.row, b.operand(start)])
    most = b.let("lt", "bool", [scatter.row, b.operand(stop)])
    with b.branch(b.let("and_", "bool", [least, most])):
        for s in scatter.body[place:]:
            b.emit(s)
    body: Body = b.statements()
    for loop in reversed(scatter.loops):
        body = (replace(loop, body=body),)
    (whole,) = body
    assert isinstance(whole, For)
    return whole

"""Ranges: what is stored at computed positions is shared out by ranges of rows.

A loop in order may store to one element several times, as the gradient of a lookup does. Each block
goes through all of its iterations, but stores to rows of its own range only. So the order of stores
to an element stays, and results have the same bits for any number of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.nests import is_apart, strided
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
from symtheano.loopir.rewrite import Body

_MOST = 128
"""The largest number of ranges."""


def ranges(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Launch loops in order that store to rows whose numbers they compute."""
    body: list[Statement] = []
    for s in kernel.body:
        scatter = find_scatter(s) if isinstance(s, For) else None
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
        The number of the row, which the body defines, and the number of rows.
    target
        The array.
    """

    kept: For | None
    loops: tuple[For, ...]
    body: Body
    row: Value
    count: Index
    target: Buffer


def find_scatter(loop: For) -> Scatter | None:
    """Return what a loop of a kernel does if it scatters, else None."""
    kept = loop if is_apart(loop) else None
    if kept is not None:
        if len(kept.body) != 1 or not isinstance(kept.body[0], For) or kept.step != 1:
            return None
        loop = kept.body[0]
    loops: list[For] = []
    body: Body = (loop,)
    while len(body) == 1 and isinstance(body[0], For) and body[0].kind == "serial":
        loops.append(body[0])
        body = body[0].body
    if not loops or not body or not isinstance(body[-1], Store):
        return None
    store = body[-1]
    if not all(isinstance(s, Let | LetIndex | Load) for s in body[:-1]):
        return None
    if any(
        s.index != store.index for s in body if isinstance(s, Load) and s.buffer == store.buffer
    ):
        return None
    return _with_row(kept, loops, body, store)


def _with_row(kept: For | None, loops: Sequence[For], body: Body, store: Store) -> Scatter | None:
    """Return the scatter if the address of its store is a row's, and an element's in it."""
    own = {value.name: value for s in body for value in definitions(s)}
    own |= {each.index.name: each.index for each in loops}
    names = [name for name in store.index.names() if name in own]
    if len(set(names)) != 1:
        return None
    row = own[names[0]]
    width = store.index.coefficient(row.name)
    count = _divided(store.buffer.size, width)
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


def _divided(size: Index, width: Index) -> Index | None:
    """Return a quotient of polynomials, if the divisor has one term that divides all others."""
    if len(width.terms) != 1:
        return None
    ((names, factor),) = width.terms
    terms = []
    for term, number in size.terms:
        left = list(term)
        for name in names:
            if name not in left:
                return None
            left.remove(name)
        if number % factor:
            return None
        terms.append((tuple(left), number // factor))
    return Index(tuple(terms))


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

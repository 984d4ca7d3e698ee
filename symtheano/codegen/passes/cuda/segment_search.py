"""Segment search: threads share out elements instead of segments, and search theirs.

A loop over segments whose bounds are neighbours in an array, as those of the rows of a compressed
matrix are, has a loop over the elements of each. Segments may be empty, or have most of the
elements. So each thread takes elements, and finds the segment of each one by bisection. The loop
over segments is parallel: segments do not overlap, and their bounds increase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Value,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, slice_of, unless_same

_SCALAR = Let | LetIndex | Load


def segment_search(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Write loops over the elements of all segments."""
    body: list[Statement] = []
    for s in kernel.body:
        segments = _find(s) if isinstance(s, For) else None
        if segments is None:
            body.append(s)
            continue
        context.note(segments.loop, "threads take elements, and search the segment of each")
        body += _written(segments, context.names)
    context.otherwise("not, no loop is over the elements of segments")
    return replace(kernel, body=unless_same(body, kernel.body))


@dataclass(frozen=True)
class _Segments:
    """A loop over segments.

    Attributes
    ----------
    loop, inner
        The loop, and the one over the elements of a segment.
    scalars
        What is computed for each segment.
    count
        The number of elements of an array that has one for each element of a segment.
    """

    loop: For
    inner: For
    scalars: Body
    count: Index


def _find(loop: For) -> _Segments | None:
    """Return what a loop does if it is over segments, else None."""
    if "parallel" not in loop.kind or (loop.start, loop.step) != (Index.of(0), 1) or not loop.body:
        return None
    *scalars, inner = loop.body
    if not isinstance(inner, For) or inner.step != 1 or inner.reductions:
        return None
    if not all(isinstance(s, _SCALAR) for s in scalars):
        return None
    if not all(isinstance(s, _SCALAR | Store) for s in inner.body):
        return None
    first, last = (bounding_load(bound, scalars) for bound in (inner.start, inner.stop))
    following = {loop.index.name: loop.index.index + 1}
    if first is None or last is None or first.buffer != last.buffer:
        return None
    if first.index.replace(following) != last.index or first.index == last.index:
        return None
    stores = [s for s in inner.body if isinstance(s, Store)]
    sizes = [s.buffer.size for s in stores if s.index == inner.index.index]
    if not stores or len(sizes) != len(stores):
        return None
    return _Segments(loop, inner, tuple(scalars), sizes[0])


def bounding_load(bound: Index, scalars: Sequence[Statement]) -> Load | None:
    """Return the load from which a bound comes, as it is or as an int64."""
    if bound.name is None:
        return None
    needed = slice_of({bound.name}, scalars)
    casts = (s for s in needed if not isinstance(s, Load))
    loads = [s for s in needed if isinstance(s, Load)]
    if len(loads) != 1 or not all(isinstance(s, Let) and s.op == "cast" for s in casts):
        return None
    return loads[0]


def _written(segments: _Segments, names: Names) -> tuple[Statement, ...]:
    """Return the loop over the elements of all segments."""
    loop, inner = segments.loop, segments.inner
    b = Builder(names)
    b.origin = next((s.origin for s in segments.scalars if isinstance(s, Let)), None)

    def bound(which: Index, segment: Index) -> Operand:
        assert which.name is not None
        copier = Copier(names, {loop.index.name: segment})
        for s in copier.block(slice_of({which.name}, segments.scalars)):
            b.emit(s)
        return copier.operand(Value(which.name, "int64"))

    with b.loop("p", segments.count, kind="independent") as p:
        low, high = _bisected(b, loop.stop, p, partial(bound, inner.start))
        with b.branch(b.let("lt", "bool", [low, high])):
            segment = b.index_value(low.index, "segment").index
            inside = [
                b.let("le", "bool", [bound(inner.start, segment), b.operand(p)]),
                b.let("lt", "bool", [b.operand(p), bound(inner.stop, segment)]),
            ]
            with b.branch(b.let("and_", "bool", inside)):
                copier = Copier(names, {loop.index.name: segment, inner.index.name: p})
                for s in copier.block((*segments.scalars, *inner.body)):
                    b.emit(s)
    return b.statements()


def _bisected(
    b: Builder, count: Index, p: Index, begin: Callable[[Index], Operand]
) -> tuple[Value, Value]:
    """Return the last of some segments that begins at an element or before it, and a limit.

    The segment is below the limit unless there is none.
    """
    one = Literal(1, "int64")
    low = b.declare("low", Literal(0, "int64"))
    high = b.declare("high", b.operand(count))

    def bisect() -> None:
        half = b.let("right_shift", "int64", [b.let("sub", "int64", [high, low]), one])
        middle = b.let("add", "int64", [low, half])
        begins = b.let("le", "bool", [begin(middle.index), b.operand(p)])
        b.assign(low, b.let("switch", "int64", [begins, middle, low]))
        b.assign(high, b.let("switch", "int64", [begins, high, middle]))

    if count.constant is not None:
        with b.loop("step", count.constant.bit_length()):
            bisect()
    else:
        with b.block() as test:
            more = b.let("gt", "bool", [b.let("sub", "int64", [high, low]), one])
        with b.block() as body:
            bisect()
        b.emit(While(tuple(test), more, tuple(body)))
    return low, high

"""Segment elements: a loop in order over segments that scatters becomes one over their elements.

Segments whose bounds are neighbours in an array, as those of the rows of a compressed matrix are,
have a loop over the elements of each. Threads search the segment of each element first
(:mod:`segment_search`); then one loop goes through all elements, in the same order, so that what
they store can be sorted by rows (:mod:`segments`).
"""

from __future__ import annotations

from symtheano.codegen.passes.cuda.nests import quotient
from symtheano.codegen.passes.cuda.segment_search import bounding_load
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Body, Copier, names_used, slice_of

_SCALAR = Let | LetIndex | Load
_NONE = -1
"""The segment of an element that no segment has."""


@dataclass(frozen=True)
class SegmentElements:
    """A loop in order over segments, the only one of its kernel, that stores to rows.

    Attributes
    ----------
    kernel
        The kernel.
    loop, inner
        The loop, and the one over the elements of a segment.
    scalars
        What is computed for each segment.
    row, rows
        The number of the row to which an element is stored, and how many rows there are.
    count
        How many elements the array has from which the number comes: at least as many as segments.
    """

    kernel: Kernel
    loop: For
    inner: For
    scalars: Body
    row: Value
    rows: Index
    count: Index

    def searched(self, segments: Buffer, names: Names) -> Kernel:
        """Return the kernel that stores the number of each element's segment."""
        b = Builder(names)
        with b.loop("p", self.count, kind="independent") as p:
            b.emit(Store(segments, p, Literal(_NONE, "int64")))
        work = self.loop.stop + self.count
        with b.loop("segment", self.loop.stop, kind="parallel", work=work) as segment:
            bounds = {*self.inner.start.names(), *self.inner.stop.names()}
            copier = Copier(names, {self.loop.index.name: segment})
            for s in copier.block(slice_of(bounds, self.scalars)):
                b.emit(s)
            with b.loop("p", copier.index(self.inner.stop), copier.index(self.inner.start)) as p:
                b.emit(Store(segments, p, b.operand(segment)))
        title, name = f"{self.kernel.title}: segments", names.fresh(self.kernel.name)
        return Kernel(name, title, b.statements(), (), self.kernel.origins)

    def joined(self, segments: Buffer, names: Names) -> Kernel:
        """Return the kernel with one loop over all elements.

        What no segment has is stored to the row after the last one.
        """
        b = Builder(names)
        with b.loop("p", self.count) as p:
            segment = b.value("segment", "int64")
            b.emit(Load(segment, segments, p))
            copier = Copier(names, {self.loop.index.name: segment.index, self.inner.index.name: p})
            used = {name for s in walk(self.inner.body) for name in names_used(s)}
            for s in (*slice_of(used, self.scalars), *self.inner.body):
                for copied in copier.statement(s):
                    b.emit(copied)
                if self.row in definitions(s):
                    none = b.let("lt", "bool", [segment, Literal(0, "int64")])
                    own = [none, b.operand(self.rows), copier.operand(self.row)]
                    row = b.let("switch", "int64", own, "row")
                    copier.values[self.row.name] = row
                    copier.indices[self.row.name] = row.index
        return replace(self.kernel, body=b.statements())


def find_segment_elements(kernel: Kernel) -> SegmentElements | None:
    """Return the loop of a kernel if it is in order, over segments, and stores to rows."""
    if len(kernel.body) != 1 or kernel.results or not isinstance(kernel.body[0], For):
        return None
    loop = kernel.body[0]
    if loop.kind != "serial" or (loop.start, loop.step) != (Index.of(0), 1) or not loop.body:
        return None
    *scalars, inner = loop.body
    if not isinstance(inner, For) or (inner.step, inner.kind) != (1, "serial"):
        return None
    if not all(isinstance(s, _SCALAR) for s in scalars):
        return None
    first, last = (bounding_load(bound, scalars) for bound in (inner.start, inner.stop))
    following = {loop.index.name: loop.index.index + 1}
    if first is None or last is None or first.buffer != last.buffer:
        return None
    if first.index.replace(following) != last.index or first.index == last.index:
        return None
    return _with_row(kernel, loop, inner, tuple(scalars))


def _with_row(kernel: Kernel, loop: For, inner: For, scalars: Body) -> SegmentElements | None:
    stores = [s for s in walk(inner.body) if isinstance(s, Store)]
    own = {value.name: value for s in inner.body for value in definitions(s)}
    computed = {name for name in stores[0].index.names() if name in own} if stores else set()
    if len(stores) != 1 or len(computed) != 1:
        return None
    row = own[computed.pop()]
    sources = slice_of({row.name}, inner.body)
    places = [s for s in sources if isinstance(s, Load)]
    rows = quotient(stores[0].buffer.size, stores[0].index.coefficient(row.name))
    if row.dtype != "int64" or rows is None or len(places) != 1:
        return None
    if places[0].index != inner.index.index:
        return None
    before = {loop.index.name, *(value.name for s in scalars for value in definitions(s))}
    if not before.isdisjoint(name for s in sources for name in names_used(s)):
        return None
    return SegmentElements(kernel, loop, inner, scalars, row, rows, places[0].buffer.size)

"""Jam: the inner loop of a reduction serves several iterations of the outer one (unroll and jam).

Rows: the additions of one row wait for each other. Columns: the accumulators are loaded and stored
once for several rows. Rows that no cache holds are read one by one, because some processors do not
recognize several streams that are near to each other, unless their accumulators fill the nearest
cache.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano.codegen.passes.partial_sums import adds_narrow
from symtheano.codegen.passes.rounded import KeptWide
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.passes.work import scalar_cost, work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
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
    Reduce,
    Statement,
    Update,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, uses
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, base_name, with_loops


def jam(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Jam loops with one inner loop that does little but reduce; afterwards both are decided.

    The rest of the rows is added in the same order, so a row's sum does not depend on its place.
    """
    kept = KeptWide(kernel)

    def change(loop: For) -> Sequence[Statement] | None:
        inner = [s for s in loop.body if isinstance(s, For)]
        if not inner or loop.kind not in ("independent", "reduce") or loop.step != 1:
            return None
        cost = scalar_cost(inner[0].body)
        reason = _why_not(loop, inner)
        if reason is not None:
            context.note(loop, "not, {}", reason)
        elif adds_narrow(inner[0], kept, target):
            context.note(loop, "not, few sums in float64 follow each other")
        elif cost > target.vectors.cheap_sums:
            context.note(loop, "not, an element costs {} additions, more than {}",
                         cost, target.vectors.cheap_sums)  # fmt: skip
        else:
            context.note(loop, "{} at once, since an element costs {} additions, at most {}",
                         target.vectors.jam, cost, target.vectors.cheap_sums)  # fmt: skip
            # A buffer's size may have names that the kernel has not, if it reads a part of it.
            known = {value.name for value in uses(kernel.body).values}
            return _jammed(loop, known, target, context.names)
        return None

    jammed = with_loops(kernel, change)
    context.otherwise("not, no loop has one inside")
    return jammed


def _why_not(loop: For, inner: Sequence[For]) -> str | None:
    """Return what is in the way of running several iterations of a loop at once."""
    if len(inner) != 1 or any(isinstance(s, If | Local) for s in loop.body):
        return "its body is more than one loop and scalars"
    (only,) = inner
    if only.kind not in ("independent", "reduce") or only.step != 1:
        return "the loop inside is cut already"
    if loop.index.name in (*only.start.names(), *only.stop.names()):
        return "the loop inside has another length each time"
    if not all(isinstance(s, Let | LetIndex | Load | Reduce | Update) for s in only.body):
        return "the loop inside does more than reduce"
    reduces = any(isinstance(s, Reduce) for s in only.body)
    columns = any(isinstance(s, Update) for s in only.body)
    if reduces == columns:
        return "both scalars and elements are reduced" if reduces else "nothing is reduced"
    if not _bounds_are_outside(only, loop):
        return "the loop inside has another length each time"
    declared = {s.target.name for s in loop.body if isinstance(s, Declare)}
    if any(isinstance(s, Reduce) and s.target.name not in declared for s in only.body):
        return "there is one sum over both loops"
    if columns and any(not isinstance(s, Let | LetIndex | Load | For) for s in loop.body):
        return "its body does more than reduce elements"
    return None


def _bounds_are_outside(inner: For, outer: For) -> bool:
    inside = {value.name for s in outer.body for value in definitions(s)}
    return inside.isdisjoint([*inner.start.names(), *inner.stop.names()])


def _jammed(loop: For, known: set[str], target: Target, names: Names) -> Sequence[Statement]:
    b, many = Builder(names), target.vectors.jam
    (inner,) = (s for s in loop.body if isinstance(s, For))
    at = loop.body.index(inner)
    before, after = loop.body[:at], loop.body[at + 1 :]
    length = _together(b, loop, inner, known, target)
    times = b.let("trunc_div", "int64", [length, Literal(many, "int64")], "times").index
    until = loop.start + times * many
    work = work_of(loop) if loop.kind == "independent" else None
    wish = base_name(loop.index.name)
    with b.loop(wish, until, loop.start, kind=loop.kind, step=many, work=work) as here:
        rows = [Copier(names, {loop.index.name: here + row}) for row in range(many)]
        for copier in rows:
            _emit(b, copier, before)
        counter = b.value(base_name(inner.index.name), "int64")
        with b.block() as body:
            for copier in rows:
                copier.indices[inner.index.name] = counter.index
                _emit(b, copier, inner.body)
        b.emit(_in_lanes(replace(inner, index=counter, body=tuple(body))))
        for copier in rows:
            _emit(b, copier, after)
    rest = tuple(_in_lanes(s) if isinstance(s, For) else s for s in loop.body)
    b.emit(replace(loop, start=until, kind="serial", body=rest))
    return b.statements()


def _together(b: Builder, loop: For, inner: For, known: set[str], target: Target) -> Operand:
    """Return how many iterations run several at once.

    None do where rows are read from memory, unless they are added to accumulators that do not stay
    in the nearest cache beside them: 4,096 columns of float32 are summed in .55 of the time if four
    rows are served at once, rows of 100 float64 in 2.8 of it.
    """
    length = b.operand(loop.stop - loop.start)
    read = {s.buffer: s.buffer.size * np.dtype(s.buffer.dtype).itemsize for s in inner.body
            if isinstance(s, Load) and s.index.coefficient(loop.index.name) != 0
            and known.issuperset(s.buffer.size.names())}  # fmt: skip
    size, most = sum(read.values(), Index.of(0)), target.caches.memory
    if not read or (size.constant is not None and size.constant <= most):
        return length
    one_by_one = b.let("gt", "bool", [b.operand(size), Literal(most, "int64")], "large")
    cells = {(s.buffer.name, s.index): s.buffer.dtype for s in inner.body if isinstance(s, Update)}
    if cells:
        row = inner.stop - inner.start
        near = target.caches.near // 2 // sum(np.dtype(dtype).itemsize for dtype in cells.values())
        if row.constant is not None and row.constant > near:
            return length
        if row.constant is None:
            stays = b.let("le", "bool", [b.operand(row), Literal(near, "int64")], "stays")
            one_by_one = b.let("and_", "bool", [one_by_one, stays], "one_by_one")
    return b.let("switch", "int64", [one_by_one, Literal(0, "int64"), length], "together")


def _emit(b: Builder, copier: Copier, statements: Sequence[Statement]) -> None:
    for statement in copier.block(statements):
        b.emit(statement)


def _in_lanes(loop: For) -> For:
    return replace(loop, kind="simd", reductions=reductions_of(loop))

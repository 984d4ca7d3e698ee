"""Accumulators: a loop in lanes has an accumulator for each lane, which are combined after it.

A compiler that reduces in vectors decides how many lanes there are, and so do its options and the
processor. Then results depend on them. Here the number of lanes follows from the dtypes alone: a
short loop over the lanes runs in a loop over blocks of as many elements. If these are several
vectors, another loop takes a vector at a time of what remains. The elements that remain then are
added one after the other. The bits of integers do not depend on the order, and those of extrema
only in the sign of a zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symtheano import dtypes
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.widen import is_name
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    Kernel,
    Literal,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Kind
from symtheano.loopir.rewrite import Copier, base_name, with_bodies, with_loops

BYTES, _BYTES_OF_WIDE = 32, 64
"""Minimum number of lanes of loops that load or store bytes, and where all else has 8 bytes.

gcc 12 has no vectors of fewer than 16 bytes, so that it would branch on each truth value. With 16,
its vectors of all dtypes have 16 bytes: masked sums of float64 took twice as long, and maxima of
float32 six times. With 32, it uses vectors of 32 bytes where it has vectors of 64, in which masked
sums of float64 take two thirds of the time. More elements remain after the last block, though.
"""

_IN_A_ROW = 4
"""Vectors of sums of a tile: an addition takes about as many cycles."""

_SCALARS, _FEW_BYTES = 8, 16
"""More lanes are combined in vectors, by halves, before they are combined one after the other.

Extrema, of which order changes the sign of a zero at most, are combined by halves down to
``_FEW_BYTES``.
"""

_EXTREMA = frozenset(("larger", "smaller", "maximum", "minimum", "nan_or"))
_OF_EXTREMA, _MOST_EXTREMA = 2, 2
"""Vectors of 32 bytes of extrema in a row, if there are few: there may be 16 registers."""


def accumulators(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Give loops in lanes that reduce floating-point numbers an accumulator for each lane."""

    def change(loop: For) -> Sequence[Statement] | None:
        floats = [value for value, _ in loop.reductions if not dtypes.is_discrete(value.dtype)]
        if loop.kind != "simd" or not floats:
            return None
        if loop.step != 1:
            context.note(loop, "one after the other, since the step is {}", loop.step)
            return [replace(loop, kind="scalar", reductions=())]
        count = (loop.stop - loop.start).constant
        lanes, vector = _lanes(loop, target.chunks.vector)
        if count is not None and count < 2 * lanes:
            lanes = vector
        if count is not None and count < 2 * vector:
            context.note(loop, "one after the other, since there are only {} elements", count)
            return [replace(loop, kind="scalar", reductions=())]
        context.note(loop, "{} accumulators for each result", lanes)
        return _in_blocks(loop, lanes, vector, context.names)

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop in lanes reduces floating-point numbers")
    return changed


def _lanes(loop: For, vector: int) -> tuple[int, int]:
    """Return the number of lanes, and that of a vector of the narrowest numbers that a loop uses.

    Truth values and bytes take part in vectors of wider elements. Sums of a tile, of which
    elements are in the nearest cache, only wait for each other, and so do extrema: several vectors
    do not.
    """
    sizes = [np.dtype(value.dtype).itemsize for value, _ in loop.reductions]
    accesses = [s for s in walk(loop.body) if isinstance(s, Load | Store | Update)]
    sizes += [np.dtype(s.buffer.dtype).itemsize for s in accesses]
    narrowest = min(size for size in sizes if size > 1)
    lanes = max(vector // narrowest, 1)
    in_tile = accesses and all(s.buffer.memory is STACK for s in accesses)
    if 1 in sizes:
        lanes *= _IN_A_ROW if in_tile else 1
        lanes = max(lanes, _BYTES_OF_WIDE if narrowest == 8 else BYTES)
        return lanes, lanes
    if in_tile:
        return lanes * _IN_A_ROW, lanes
    few = len(loop.reductions) <= _MOST_EXTREMA
    if few and all(op in _EXTREMA for _, op in loop.reductions):
        return lanes * _OF_EXTREMA, lanes
    return lanes, lanes


def _in_blocks(loop: For, lanes: int, vector: int, names: Names) -> Sequence[Statement]:
    """Return loops over blocks of elements, over vectors that remain, and over the rest."""
    b, counter = Builder(names), base_name(loop.index.name)
    count = loop.stop - loop.start
    if count.constant is None and not is_name(count):
        # a difference may be negative, a number of elements is not
        count = b.maximum(count, 0, f"{counter}_count")
    whole = _multiple(b, count, lanes, f"{counter}_whole")
    ended = whole
    if whole != 0:
        several = vector < lanes
        kind: Kind = "unrolled simd" if several else "simd"
        cells = _cells(b, loop, lanes, kind)
        _block(b, loop, (Index.of(0), whole), lanes, cells, kind)
        if several:
            ended = _vectors(b, loop, (whole, count), vector, cells)
        _combine(b, loop, lanes, cells, kind)
    if ended != count:
        with b.loop(counter, loop.stop, loop.start + ended, kind="scalar") as i:
            for statement in Copier(names, {loop.index.name: i}).block(loop.body):
                b.emit(statement)
    return b.statements()


def _multiple(b: Builder, count: Index, of: int, name: str) -> Index:
    """Return the largest multiple of a power of two that is at most ``count``."""
    if count.constant is not None:
        return Index.of(count.constant - count.constant % of)
    return b.let("and_", "int64", [b.operand(count), Literal(-of, "int64")], name).index


def _vectors(
    b: Builder, loop: For, rest: tuple[Index, Index], vector: int, cells: Mapping[str, Buffer]
) -> Index:
    """Reduce what blocks leave, a vector at a time; return where the vectors end.

    The last vector of extrema, which may take part twice, begins as early as it must, so that
    nothing is left.
    """
    (whole, count), counter = rest, base_name(loop.index.name)
    if not _may_repeat(loop):
        ended = _multiple(b, count, vector, f"{counter}_ended")
        if ended != whole:
            _block(b, loop, (whole, ended), vector, cells)
        return ended
    if count.constant is None:
        enough = b.let("ge", "bool", [b.operand(count), Literal(vector, "int64")])
        choice = [enough, b.operand(count), Literal(0, "int64")]
        ended = b.let("switch", "int64", choice, f"{counter}_ended").index
    else:
        ended = count
    if ended != whole:
        _block(b, loop, (whole, ended), vector, cells, last=loop.start + count - vector)
    return ended


def _may_repeat(loop: For) -> bool:
    """Return whether an element may take part twice: in extrema, if nothing is stored."""
    changes = any(isinstance(s, Store | Update | If) for s in walk(loop.body))
    return not changes and all(op in _EXTREMA for _, op in loop.reductions)


def _cells(b: Builder, loop: For, lanes: int, kind: Kind) -> dict[str, Buffer]:
    """Return the accumulators of each reduction, with neutral elements."""
    cells = {}
    with b.loop(f"{base_name(loop.index.name)}_lane", lanes, kind=kind) as lane:
        for total, op in loop.reductions:
            name = b.names.fresh(f"{base_name(total.name)}_lanes")
            cell = cells[total.name] = Buffer(name, total.dtype, "stack", Index.of(lanes))
            b.store(View(cell, (), (), lane), [], neutral_element(op, total.dtype))
    return cells


def _block(
    b: Builder,
    loop: For,
    bounds: tuple[Index, Index],
    lanes: int,
    cells: Mapping[str, Buffer],
    kind: Kind = "simd",
    last: Index | None = None,
) -> None:
    """Reduce blocks of elements, each lane by itself; none begins after ``last``."""
    counter, (start, stop) = base_name(loop.index.name), bounds
    with b.loop(counter, loop.start + stop, loop.start + start, step=lanes, kind="reduce") as block:
        first = block if last is None else b.minimum(block, last, "first")
        with b.loop(f"{counter}_lane", lanes, kind=kind) as lane:
            copier = Copier(b.names, {loop.index.name: first + lane})
            for statement in copier.block(loop.body):
                b.emit(_by_lane(statement, cells, lane))


def _combine(b: Builder, loop: For, lanes: int, cells: Mapping[str, Buffer], kind: Kind) -> None:
    """Reduce the accumulators: by halves, then one after the other."""
    counter, scalars = base_name(loop.index.name), _SCALARS
    if all(op in _EXTREMA for _, op in loop.reductions):
        scalars = _FEW_BYTES // min(np.dtype(total.dtype).itemsize for total, _ in loop.reductions)
    while lanes > scalars:
        lanes //= 2
        with b.loop(f"{counter}_lane", lanes, kind=kind) as lane:
            for total, op in loop.reductions:
                cell = cells[total.name]
                other = b.load(View(cell, (), (), lane + lanes), [])
                b.update(View(cell, (), (), lane), [], op, other)
    with b.loop(f"{counter}_lane", lanes, kind="unrolled") as lane:
        for total, op in loop.reductions:
            b.reduce(total, op, b.load(View(cells[total.name], (), (), lane), []))


def _by_lane(statement: Statement, cells: Mapping[str, Buffer], lane: Index) -> Statement:
    """Return a statement that reduces into the cells of a lane."""
    if isinstance(statement, Reduce) and statement.target.name in cells:
        cell = cells[statement.target.name]
        return Update(cell, lane, statement.op, statement.value, statement.origin)
    if isinstance(statement, If):
        return with_bodies(statement, lambda body: tuple(_by_lane(s, cells, lane) for s in body))
    return statement

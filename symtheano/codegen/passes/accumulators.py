"""Accumulators: a loop in lanes has an accumulator for each lane, which are combined after it.

A compiler that reduces in vectors decides how many lanes there are, and so do its options and the
processor. Then results depend on them. Here the number of lanes follows from the dtypes alone: a
short loop over the lanes runs in a loop over blocks of as many elements. The elements that remain
are added one after the other. The bits of integers do not depend on the order.
"""

from __future__ import annotations

from collections.abc import Sequence

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

_SCALARS = 8
"""More lanes are combined in vectors, by halves, before they are combined one after the other."""


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
        lanes = _lanes(loop, target.chunks.vector)
        if count is not None and count < 2 * lanes:
            context.note(loop, "one after the other, since there are only {} elements", count)
            return [replace(loop, kind="scalar", reductions=())]
        context.note(loop, "{} accumulators for each result", lanes)
        return _in_blocks(loop, lanes, context.names)

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop in lanes reduces floating-point numbers")
    return changed


def _lanes(loop: For, vector: int) -> int:
    """Return the number of lanes: a vector of the narrowest numbers that a loop uses.

    Truth values and bytes take part in vectors of wider elements. Sums of a tile, of which
    elements are in the nearest cache, only wait for each other: several vectors do not.
    """
    sizes = [np.dtype(value.dtype).itemsize for value, _ in loop.reductions]
    accesses = [s for s in walk(loop.body) if isinstance(s, Load | Store | Update)]
    sizes += [np.dtype(s.buffer.dtype).itemsize for s in accesses]
    narrowest = min(size for size in sizes if size > 1)
    lanes = max(vector // narrowest, 1)
    if accesses and all(s.buffer.memory is STACK for s in accesses):
        lanes *= _IN_A_ROW
    if 1 not in sizes:
        return lanes
    return max(lanes, _BYTES_OF_WIDE if narrowest == 8 else BYTES)


def _in_blocks(loop: For, lanes: int, names: Names) -> Sequence[Statement]:
    """Return a loop over blocks of elements, and one over the elements that remain."""
    b, counter = Builder(names), base_name(loop.index.name)
    count = loop.stop - loop.start
    if count.constant is not None:
        whole = Index.of(count.constant - count.constant % lanes)
        if whole.constant:
            _blocks(b, loop, lanes, whole)
    else:
        if not is_name(count):  # a difference may be negative, a number of elements is not
            count = b.maximum(count, 0, f"{counter}_count")
        length = b.operand(count)
        whole = b.let("and_", "int64", [length, Literal(-lanes, "int64")], f"{counter}_whole").index
        _blocks(b, loop, lanes, whole)
    if whole != count:
        with b.loop(counter, loop.stop, loop.start + whole, kind="scalar") as i:
            for statement in Copier(names, {loop.index.name: i}).block(loop.body):
                b.emit(statement)
    return b.statements()


def _blocks(b: Builder, loop: For, lanes: int, whole: Index) -> None:
    """Reduce whole blocks of elements, each lane by itself, then the lanes."""
    cells: dict[str, Buffer] = {}
    counter = base_name(loop.index.name)
    with b.loop(f"{counter}_lane", lanes, kind="simd") as lane:
        for total, op in loop.reductions:
            name = b.names.fresh(f"{base_name(total.name)}_lanes")
            cell = cells[total.name] = Buffer(name, total.dtype, "stack", Index.of(lanes))
            b.store(View(cell, (), (), lane), [], neutral_element(op, total.dtype))
    with (
        b.loop(counter, loop.start + whole, loop.start, step=lanes, kind="reduce") as block,
        b.loop(f"{counter}_lane", lanes, kind="simd") as lane,
    ):
        copier = Copier(b.names, {loop.index.name: block + lane})
        for statement in copier.block(loop.body):
            b.emit(_by_lane(statement, cells, lane))
    while lanes > _SCALARS:
        lanes //= 2
        with b.loop(f"{counter}_lane", lanes, kind="simd") as lane:
            for total, op in loop.reductions:
                cell = cells[total.name]
                other = b.load(View(cell, (), (), lane + lanes), [])
                b.update(View(cell, (), (), lane), [], op, other)
    with b.loop(f"{counter}_lane", lanes, kind="unrolled") as lane:
        for total, op in loop.reductions:
            b.reduce(total, op, b.load(View(cells[total.name], (), (), lane), []))


def _by_lane(statement: Statement, cells: dict[str, Buffer], lane: Index) -> Statement:
    """Return a statement that reduces into the cells of a lane."""
    if isinstance(statement, Reduce) and statement.target.name in cells:
        cell = cells[statement.target.name]
        return Update(cell, lane, statement.op, statement.value, statement.origin)
    if isinstance(statement, If):
        return with_bodies(statement, lambda body: tuple(_by_lane(s, cells, lane) for s in body))
    return statement

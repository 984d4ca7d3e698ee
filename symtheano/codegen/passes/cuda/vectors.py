"""Vectors: a thread loads and stores four neighbours at once, in accesses of up to 128 bits.

It is done in launches whose threads compute elements alone. The four elements pass through small
arrays, whose indices are constants in an unrolled loop, so that these are registers. Elements of a
block that are fewer than four, or not aligned in memory, are left to the loop as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.fours import constant_part, move
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Aligned,
    Buffer,
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
)
from symtheano.loopir.names import definitions, reads, writes
from symtheano.loopir.operands import LANES, Operand
from symtheano.loopir.rewrite import Body, Copier, base_name, with_loops

_MOST_COST = 200
"""Additions for an element up to which memory, and not arithmetic, takes the time of a loop."""


def vectors(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Let threads of elementwise launches load and store vectors."""

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind != "grid" or any(isinstance(s, For) and s.kind == "grid" for s in loop.body):
            return None
        elements = _elements(loop)
        if elements is None:
            return [loop]
        reason = _why_not(elements, target)
        if reason is not None:
            context.note(elements.loop, "not, {}", reason)
            return [loop]
        names = sorted(buffer.name for buffer in elements.places)
        context.note(elements.loop, "{} elements of {} at once", LANES, ", ".join(names))
        return [replace(loop, body=(*loop.body[:-1], *_in_vectors(loop, elements, context)))]

    changed = with_loops(kernel, change)
    context.otherwise("not, no thread computes elements alone")
    return changed


@dataclass(frozen=True)
class _Elements:
    """What a thread does with elements by itself.

    Attributes
    ----------
    threads, loop
        The loop over threads, and that over the elements of one.
    places
        For each array whose neighbours are accessed, the index of an element.
    """

    threads: For
    loop: For
    places: dict[Buffer, Index]


def _elements(grid: For) -> _Elements | None:
    """Return the elements of which each thread of a block computes four."""
    threads = grid.body[-1] if grid.body else None
    if not isinstance(threads, For) or threads.kind != "thread" or len(threads.body) != 1:
        return None
    (loop,) = threads.body
    count = threads.stop.constant
    if not isinstance(loop, For) or loop.kind != "serial" or count is None:
        return None
    whole = loop.step == count and grid.step == LANES * count
    if not whole or loop.start != grid.index.index + threads.index.index:
        return None
    return _Elements(threads, loop, _neighbours(loop))


def _neighbours(loop: For) -> dict[Buffer, Index]:
    """Return the arrays of which neighbouring iterations access neighbours, and only these."""
    own = {value.name for s in loop.body for value in definitions(s)}
    places: dict[Buffer, Index] = {}
    others: set[Buffer] = set()
    for s in loop.body:
        if not isinstance(s, Load | Store):
            continue
        rest = s.index - loop.index.index
        fits = loop.index.name not in rest.names() and own.isdisjoint(rest.names())
        fits &= s.buffer.memory.passed
        if not fits or constant_part(rest) % LANES or places.get(s.buffer, s.index) != s.index:
            others.add(s.buffer)
        places.setdefault(s.buffer, s.index)
    return {buffer: index for buffer, index in places.items() if buffer not in others}


def _why_not(elements: _Elements, target: Target) -> str | None:
    """Return why a thread loads and stores its elements one by one."""
    loop = elements.loop
    if not all(isinstance(s, Let | LetIndex | Load | Store) for s in loop.body):
        return "it does more than load, compute and store"
    if not elements.places:
        return "it accesses no neighbours"
    written = {buffer for s in loop.body for buffer in writes(s)} - elements.places.keys()
    both = [b.name for s in loop.body for b in reads(s) if b in written]
    if both:
        return f"elements of {both[0]} pass from one place to another"
    cost = scalar_cost(loop.body)
    if cost > _MOST_COST:
        return f"an element takes {cost} additions, more than {_MOST_COST}"
    return None


def _in_vectors(grid: For, elements: _Elements, context: Context) -> Body:
    """Return a block's elements: in vectors as far as these go, and one by one from there on."""
    b, loop = Builder(context.names), elements.loop
    first = {loop.index.name: grid.index.index}
    fits: Operand | None = None
    for buffer, index in elements.places.items():
        aligned = b.value("aligned", "bool")
        b.emit(Aligned(aligned, buffer, index.replace(first)))
        fits = aligned if fits is None else b.let("and_", "bool", [fits, aligned], "vectors")
    assert fits is not None
    count = b.operand(loop.stop - grid.index.index)
    whole = b.let("and_", "int64", [count, Literal(-LANES, "int64")], "whole")
    done = b.let("switch", "int64", [fits, whole, Literal(0, "int64")], "in_vectors")
    rest = b.index_value(grid.index.index + done.index, "rest")
    with b.block() as body:
        thread = elements.threads.index.index
        four = b.index_value(grid.index.index + thread * LANES, base_name(loop.index.name))
        with b.branch(b.let("lt", "bool", [four, rest], "some")):
            _four(b, four.index, elements)
        b.emit(replace(loop, start=rest.index + thread))
    b.emit(replace(elements.threads, body=tuple(body)))
    return b.statements()


def _four(b: Builder, first: Index, elements: _Elements) -> None:
    """Write what a thread does with four elements at once."""
    loop, at = elements.loop, {elements.loop.index.name: first}
    own = {
        buffer: Buffer(
            b.names.fresh(f"{base_name(buffer.name)}_four"), buffer.dtype, "stack", Index.of(LANES)
        )
        for buffer in elements.places
    }
    # An array that is written to may be read before.
    for buffer in dict.fromkeys(b for s in loop.body for b in reads(s) if b in own):
        move(b, buffer, elements.places[buffer].replace(at), own[buffer], Index.of(0))
    with b.loop("k", LANES, kind="unrolled") as k:
        copier = Copier(b.names, {loop.index.name: first + k})
        for s in loop.body:
            (*before, copy) = copier.statement(s)
            for each in before:
                b.emit(each)
            if isinstance(copy, Load | Store) and copy.buffer in own:
                copy = replace(copy, buffer=own[copy.buffer], index=k)
            b.emit(copy)
    for buffer in dict.fromkeys(b for s in loop.body for b in writes(s) if b in own):
        move(b, own[buffer], Index.of(0), buffer, elements.places[buffer].replace(at))

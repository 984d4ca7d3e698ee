"""Search: the position of an extremum is searched only in the block that contains it.

Vector code finds the extremum of each block. If it is better than all before, the block is noted;
at the end, its first element equal to the extremum is searched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano import dtypes
from symtheano.codegen.passes.finish import better
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.rows import apply_row, neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    For,
    Kernel,
    Literal,
    Load,
    Locate,
    Reduce,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, slice_of, with_loops
from symtheano.scalar.table import scalar_op

_BURSTS = 2
"""Bursts of a block: at the end of each, lanes are combined, and one of them is searched."""


def search(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut loops that locate extrema into blocks; afterwards they only reduce."""

    def change(loop: For) -> Sequence[Statement] | None:
        if not any(isinstance(s, Locate) for s in loop.body):
            return None
        size = max(np.dtype(s.best.dtype).itemsize for s in loop.body if isinstance(s, Locate))
        length = _BURSTS * target.caches.burst // size
        context.note(loop, "positions are searched in blocks of {}", length)
        return _in_blocks(loop, length, context.names)

    searched = with_loops(kernel, change)
    context.otherwise("not, no loop locates an extremum")
    return searched


def extrema(op: str, dtype: str) -> tuple[str, ...]:
    """Return the rows that accumulate an extremum; the second one keeps NaN.

    Examples
    --------
    >>> extrema("argmax", "float64"), extrema("argmin", "int8")
    (('larger', 'nan_or'), ('smaller',))
    """
    largest = op == "argmax"
    if dtype == "bool" or dtypes.is_complex(dtype):
        return ("maximum" if largest else "minimum",)
    row = "larger" if largest else "smaller"
    return (row,) if dtypes.is_discrete(dtype) else (row, "nan_or")


def _in_blocks(loop: For, size: int, names: Names) -> Sequence[Statement]:
    b = Builder(names)
    located = [s for s in loop.body if isinstance(s, Locate)]
    with b.loop("block", loop.stop, loop.start, step=size) as start:
        stop = b.minimum(start + size, loop.stop, "stop")
        here: dict[Locate, list[tuple[Value, str]]] = {}
        for item in located:
            rows, dtype = extrema(item.op, item.best.dtype), item.best.dtype
            here[item] = [(b.declare("here", neutral_element(r, dtype)), r) for r in rows]
        body: list[Statement] = []
        for statement in loop.body:
            if isinstance(statement, Locate):
                value, origin = statement.value, statement.origin
                body += [Reduce(v, row, value, origin) for v, row in here[statement]]
            else:
                body.append(statement)
        inner = replace(loop, start=start, stop=stop, body=tuple(body))
        b.emit(replace(inner, kind="simd", reductions=reductions_of(inner)))
        for item in located:
            b.origin = item.origin
            (total, _), *rest = here[item]
            joined: Operand = total
            for other, row in rest:
                joined = apply_row(b, scalar_op(row), [joined, other], total.dtype)
            with b.branch(better(b, item.op, joined, item.best)):
                b.assign(item.best, joined)
                b.assign(item.where, b.operand(start))
    for item in located:
        _look_up(b, loop, item, size)
    return b.statements()


def _look_up(b: Builder, loop: For, item: Locate, size: int) -> None:
    """Find the first element of a block that equals the extremum."""
    b.origin = item.origin
    best = item.best
    # As wide as the elements, so that positions fill the lanes of their vectors.
    dtype = "int64" if np.dtype(best.dtype).itemsize == 8 else "int32"
    none = Literal(int(np.iinfo(dtype).max), dtype)
    first = b.declare("first", none)
    block = item.where.index
    count = b.minimum(block + size, loop.stop, "stop") - block
    with b.loop("k", count, kind="simd", reductions=((first, "minimum"),)) as k:
        copier = Copier(b.names, {loop.index.name: block + k})
        for statement in copier.block(_needed(item, loop.body)):
            b.emit(statement)
        element = b.cast(copier.operand(item.value), best.dtype)
        same: Operand = b.let("eq", "bool", [element, best])
        if not dtypes.is_discrete(best.dtype):
            both = [b.let("neq", "bool", [x, x]) for x in (element, best)]
            same = b.let("or_", "bool", [same, b.let("and_", "bool", both)])
        position = b.let("switch", dtype, [same, b.cast(b.operand(k), dtype), none])
        b.emit(Reduce(first, "minimum", position))
    b.assign(item.where, b.operand(block + b.as_index(b.cast(first, "int64"))))


def _needed(item: Locate, body: Sequence[Statement]) -> list[Statement]:
    """Return what computes the candidate; what the loop stores is loaded."""
    stored = {s.value.name: Load(s.value, s.buffer, s.index) for s in body
              if isinstance(s, Store) and isinstance(s.value, Value)}  # fmt: skip
    loaded = [
        stored.get(target.name, s) if isinstance(target := getattr(s, "target", None), Value) else s
        for s in body
        if not isinstance(s, Store | Locate | Reduce)
    ]
    wanted = {item.value.name} if isinstance(item.value, Value) else set()
    return slice_of(wanted, loaded)

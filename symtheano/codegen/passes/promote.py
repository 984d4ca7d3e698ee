"""Promote: elements that all iterations of an innermost loop update are kept in registers.

The iterations of such a loop would wait for each other's stores, and could not run in lanes. Each
element gets a scalar accumulator, which is added to memory after the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Builder, For, Index, Kernel, Reduce, Statement, Update, Value
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, reads, writes
from symtheano.loopir.rewrite import base_name, with_loops


def promote(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Promote elements of innermost loops that reduce; afterwards these are decided."""

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind != "reduce":
            return None
        updates = _fixed(loop)
        if not updates:
            return None
        names = dict.fromkeys(update.buffer.name for update in updates)
        context.note(
            loop, "{} elements of {} are kept in registers", len(updates), ", ".join(names)
        )
        return _promoted(loop, updates, context.names)

    promoted = with_loops(kernel, change)
    context.otherwise("not, no innermost loop updates the same elements each time")
    return promoted


def _fixed(loop: For) -> list[Update]:
    """Return the updates whose place does not change; none if that does not hold for all."""
    own = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    updates = [s for s in loop.body if isinstance(s, Update) and own.isdisjoint(s.index.names())]
    operations = {(s.buffer.name, s.op) for s in updates}
    names = {name for name, _ in operations}
    for s in loop.body:
        if isinstance(s, For):
            return []
        if s not in updates and any(b.name in names for b in (*reads(s), *writes(s))):
            return []
    return updates if len(names) == len(operations) else []


def _promoted(loop: For, updates: Sequence[Update], names: Names) -> Sequence[Statement]:
    b = Builder(names)
    totals: dict[tuple[str, Index], tuple[Update, Value]] = {}
    for s in updates:
        key = s.buffer.name, s.index
        if key not in totals:
            wish = base_name(s.buffer.name)
            totals[key] = s, b.declare(wish, neutral_element(s.op, s.buffer.dtype))
    body = [
        Reduce(totals[s.buffer.name, s.index][1], s.op, s.value, s.origin)
        if isinstance(s, Update) and s in updates
        else s
        for s in loop.body
    ]
    loop = replace(loop, body=tuple(body))
    b.emit(replace(loop, kind="simd", reductions=reductions_of(loop)))
    for update, total in totals.values():
        b.emit(replace(update, value=total))
    return b.statements()

"""Hoist: what does not change from one iteration to the next is computed before the loop.

Loads and scalar statements move out of all loops on which they do not depend.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    For,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Locate,
    Reduce,
    Statement,
)
from symtheano.loopir.names import definitions, walk, writes
from symtheano.loopir.rewrite import names_used, with_inner_loops


def hoist(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Move invariants out of loops."""

    def change(loop: For) -> Sequence[Statement]:
        before, after = _invariants(loop)
        if not before:
            return [loop]
        context.note(loop, "{} statements do not depend on it", len(before))
        return [*before, replace(loop, body=tuple(after))]

    hoisted = with_inner_loops(kernel, change)
    context.otherwise("not, all values change with the innermost loop around them")
    return hoisted


def _invariants(loop: For) -> tuple[list[Statement], list[Statement]]:
    """Return the statements of a loop that may run before it, and the others."""
    varying = {loop.index.name}
    changed: set[str] = set()
    for statement in walk(loop.body):
        if isinstance(statement, Let | Load):  # most statements
            continue
        changed.update(buffer.name for buffer in writes(statement))
        if isinstance(statement, Local):
            changed.add(statement.buffer.name)
        elif isinstance(statement, Assign | Reduce):
            varying.add(statement.target.name)
        elif isinstance(statement, Locate):
            varying.update((statement.best.name, statement.where.name))
    before: list[Statement] = []
    after: list[Statement] = []
    for statement in loop.body:
        fixed = isinstance(statement, Let | LetIndex) or (
            isinstance(statement, Load) and statement.buffer.name not in changed
        )
        if fixed and varying.isdisjoint(names_used(statement)):
            before.append(statement)
        else:
            if isinstance(statement, Let | Load):
                varying.add(statement.target.name)
            else:
                varying.update(value.name for value in definitions(statement))
            after.append(statement)
    return before, after

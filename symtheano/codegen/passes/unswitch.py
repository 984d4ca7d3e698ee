"""Unswitch: loops that correct negative indices are written a second time, without corrections.

Which of the two runs is decided before the loop, by whether any index is negative
(:mod:`~symtheano.codegen.passes.signs`). Of a loop over rows, which correct one index for many
elements, the second form would only be more text. (Compilers call this loop unswitching.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, If, Kernel, Let, Literal, Statement, Value
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import (
    Body,
    Copier,
    names_used,
    unless_same,
    with_bodies,
    with_loops,
)

_SHORT = 16
"""Iterations of an inner loop that belongs to the body of the loop around it, at most."""
_STATEMENTS = 120
"""Statements of a loop that is written twice, at most."""
_ZERO = Literal(0, "int64")


def unswitch(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Write loops that correct many indices in two forms."""
    flags = _flags(kernel)

    def change(loop: For) -> Sequence[Statement] | None:
        if not flags or _is_short(loop):
            return None
        asked = [s for s in _inside(loop.body) if s.target.name in flags]
        if not asked or len([*walk(loop.body)]) > _STATEMENTS:
            return None
        flag = flags[asked[0].target.name]
        context.note(loop, "it has a second form for indices that are not negative")
        (again,) = Copier(context.names).block([_decided(loop, flag, False)])
        return [If(flag, (_decided(loop, flag, True),), (again,), rare=True)]

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop corrects many indices of an array that may be negative")
    return changed


def _flags(kernel: Kernel) -> dict[str, Value]:
    """Return the conditions from outside on which comparisons depend, by the results' names."""
    statements = [*walk(kernel.body)]
    inside = {value.name for s in statements for value in definitions(s)}
    compared = {
        s.target.name
        for s in statements
        if isinstance(s, Let) and s.op == "lt" and s.arguments[1] == _ZERO
    }
    flags: dict[str, Value] = {}
    for s in statements:
        if isinstance(s, Let) and s.op == "and_" and len(s.arguments) == 2:
            for flag, other in (s.arguments, s.arguments[::-1]):
                if isinstance(flag, Value) and flag.name not in inside and _named(other, compared):
                    flags[s.target.name] = flag
    return flags


def _is_short(loop: For) -> bool:
    count = (loop.stop - loop.start).constant
    return count is not None and count <= _SHORT * loop.step


def _inside(body: Body) -> Iterator[Let]:
    """Yield what each iteration of a loop computes, also in short loops inside."""
    for s in body:
        if isinstance(s, Let):
            yield s
        elif isinstance(s, For) and _is_short(s):
            yield from _inside(s.body)


def _decided(loop: For, flag: Value, holds: bool) -> For:
    """Return a loop for the case that a condition holds, or that it does not."""
    false: set[str] = set()
    copier = Copier(None)

    def block(body: Body) -> Body:
        new: list[Statement] = []
        for s in body:
            if isinstance(s, Let) and s.op == "and_" and flag in s.arguments:
                (compared,) = (operand for operand in s.arguments if operand != flag)
                if holds:
                    copier.values[s.target.name] = compared
                else:
                    false.add(s.target.name)
            elif isinstance(s, Let) and s.op == "switch" and _named(s.arguments[0], false):
                value = copier.operand(s.arguments[2])
                copier.values[s.target.name] = value
                if isinstance(value, Value) and value.dtype == "int64":
                    copier.indices[s.target.name] = value.index
            elif isinstance(s, For):
                new.append(replace(s, body=block(s.body)))
            else:
                new += copier.statement(s)
        return tuple(new)

    whole = replace(loop, body=block(loop.body))
    used = {name for s in walk((whole,)) for name in names_used(s)}
    return _used(whole, used)


def _named(operand: object, names: Collection[str]) -> bool:
    return isinstance(operand, Value) and operand.name in names


def _used(loop: For, used: Collection[str]) -> For:
    """Return a loop without what corrections alone needed."""

    def block(body: Body) -> Body:
        kept = [
            with_bodies(s, block)
            for s in body
            if not (isinstance(s, Let) and s.target.name not in used)
        ]
        return unless_same(kept, body)

    return with_bodies(loop, block)

"""Scatters: loops that add elements to one array, one after the other, become one loop.

The gradient of an interpolation adds to several elements for each point, and each of these scatters
is a loop over all points. One loop finds the destinations' cache lines once, and additions to
different elements overlap in the processor. The terms of each element are added in another order,
which depends on nothing but the program.
"""

from __future__ import annotations

from collections import Counter

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    For,
    Kernel,
    Let,
    LetIndex,
    Load,
    Program,
    Statement,
    Store,
    While,
)
from symtheano.loopir.names import reads, walk
from symtheano.loopir.rewrite import Body, Copier, names_used, unless_same, with_bodies

_MOST = 8
"""Most loops that become one."""


def scatters(program: Program, target: Target, context: ProgramContext) -> Program:
    """Merge neighbouring kernels that only add to elements of the same array."""

    def block(body: Body) -> Body:
        after: list[Statement] = []
        merged = 0
        for statement in body:
            whole = _merged(after[-1], statement) if after and merged < _MOST else None
            if whole is not None:
                after[-1], merged = whole, merged + 1
            else:
                if isinstance(statement, While):
                    statement = replace(statement, body=block(statement.body))
                elif not isinstance(statement, Kernel) or statement.region:
                    statement = with_bodies(statement, block)
                after.append(statement)
                merged = 1
        return unless_same(after, body)

    body = block(program.body)
    return program if body is program.body else replace(program, body=body)


def _merged(first: Statement, second: Statement) -> Kernel | None:
    """Return the kernel that does what two do, one after the other, or None."""
    if not isinstance(first, Kernel) or not isinstance(second, Kernel):
        return None
    one, other = _only_loop(first), _only_loop(second)
    if one is None or other is None or (one.stop, one.kind) != (other.stop, other.kind):
        return None
    array = _added_to(one)
    if array is None or array != _added_to(other):
        return None
    again = Copier(None, {other.index.name: one.index.index}).block(other.body)
    loop = replace(one, body=(*one.body, *again))
    origins = tuple(dict.fromkeys((*first.origins, *second.origins)))
    return replace(first, body=(loop,), origins=origins)


def _only_loop(kernel: Kernel) -> For | None:
    """Return the loop in order that is all of a kernel, or None."""
    if kernel.results or kernel.region or kernel.epilogue or kernel.scheduled:
        return None
    if len(kernel.body) != 1 or not isinstance(kernel.body[0], For):
        return None
    loop = kernel.body[0]
    return loop if loop.kind == "serial" and loop.step == 1 and loop.start == 0 else None


def _added_to(loop: For) -> Buffer | None:
    """Return the array to whose elements a loop adds, if it does nothing else."""
    every = [*walk(loop.body)]
    stores = [s for s in every if isinstance(s, Store)]
    if not stores or not all(isinstance(s, Let | LetIndex | Load | Store | For) for s in every):
        return None
    array = stores[0].buffer
    olds = {s.target.name: s for s in every if isinstance(s, Load) and s.buffer == array}
    sums = {s.target.name: s for s in every if isinstance(s, Let) and s.op == "add"}
    used = Counter(name for s in every for name in names_used(s))
    for store in stores:
        total = sums.get(getattr(store.value, "name", ""))
        if store.buffer != array or total is None:
            return None
        names = [getattr(term, "name", "") for term in total.arguments]
        old = next((olds.pop(name) for name in names if name in olds), None)
        if old is None or old.index != store.index or used[old.target.name] != 1:
            return None
    return None if olds or _reads_again(every, array, len(stores)) else array


def _reads_again(every: list[Statement], array: Buffer, count: int) -> bool:
    return sum(buffer == array for s in every for buffer in reads(s)) != count

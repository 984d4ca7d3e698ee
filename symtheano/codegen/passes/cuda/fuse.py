"""Fuse: a loop that prepares memory of the kernel joins the next loop that uses it.

Such loops are made by splitting sums into chunks: elements are cleared, updated, and converted.
Each of them would be a launch of its own, and rows of a chunk could not be shared out over blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.nests import is_apart
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, For, Index, Kernel, Load, Statement, Store, Update
from symtheano.loopir.memory import CONSTANT, LOCAL
from symtheano.loopir.names import definitions, inner_definitions, reads, walk, writes
from symtheano.loopir.rewrite import Body, Copier, unless_same, with_bodies


def fuse(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Join loops over the same range whose iterations pass on elements of their own."""

    def block(body: Body) -> Body:
        statements = [with_bodies(s, block) for s in body]
        place = 0
        while place < len(statements):
            user = _user(statements, place)
            if user is None:
                place += 1
                continue
            first, second = statements[place], statements[user]
            assert isinstance(first, For)
            assert isinstance(second, For)
            context.note(second, "it does what a loop over {} did before", first.index.name)
            counter = {first.index.name: second.index.index}
            values = {first.index.name: second.index}
            before = Copier(None, counter, values).block(first.body)
            statements[user] = replace(second, body=(*before, *second.body))
            del statements[place]
        return unless_same(statements, body)

    fused = with_bodies(kernel, block)
    context.otherwise("not, no loop prepares memory for another one")
    return fused


def _user(statements: Sequence[Statement], place: int) -> int | None:
    """Return the place of the loop that a loop can join, or None."""
    first = statements[place]
    if not isinstance(first, For) or not is_apart(first):
        return None
    read, written = _buffers([first])
    # Arrays of other names may share memory with the caller's, but not with the kernel's own. What
    # only clears elements may do so later in any case: nothing else uses them meanwhile.
    if not written or any(b.memory not in (LOCAL, CONSTANT) for b in read):
        return None
    if read and any(b.memory is not LOCAL for b in written):
        return None
    names = {buffer.name for buffer in (*read, *written)}
    own = {buffer.name for buffer in written}
    for number in range(place + 1, len(statements)):
        s = statements[number]
        used, changed = ({b.name for b in part} for part in _buffers([s]))
        if own.isdisjoint(used | changed):
            if not names.isdisjoint(changed):
                return None
            continue
        if not isinstance(s, For) or not is_apart(s) or not _same_range(first, s):
            return None
        return number if _pass_on(first, s, own | (changed & names)) else None
    return None


def _buffers(statements: Sequence[Statement]) -> tuple[set[Buffer], set[Buffer]]:
    """Return the buffers that statements read, and those that they write to."""
    read = {buffer for s in walk(statements) for buffer in reads(s)}
    written = {buffer for s in walk(statements) for buffer in writes(s)}
    return read, written


def _same_range(first: For, second: For) -> bool:
    return (first.start, first.stop, first.step) == (second.start, second.stop, second.step)


def _pass_on(first: For, second: For, names: set[str]) -> bool:
    """Return whether each iteration has its own element of each array, the same in both loops."""
    places: dict[str, set[Index]] = {}
    for loop in (first, second):
        inside = {value.name for s in walk(loop.body) for value in definitions(s)}
        for s in walk(loop.body):
            if isinstance(s, For):
                inside.update(value.name for value in inner_definitions(s))
            used = [buffer.name for buffer in (*reads(s), *writes(s)) if buffer.name in names]
            if not used:
                continue
            if not isinstance(s, Load | Store | Update):
                return False
            near = s.index.coefficient(loop.index.name).constant
            if not near or not inside.isdisjoint(s.index.names()):
                return False
            counter = {loop.index.name: second.index.index}
            places.setdefault(used[0], set()).add(s.index.replace(counter))
    return all(len(indices) == 1 for indices in places.values())

"""Groups: positions that a loop in order appends to groups are sorted by group.

Each group has a place where the next position is stored, after those of the group before. So the
result is a stable sort of the positions by the numbers of their groups, and the places are where
groups end at last.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Allocate,
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
    Value,
)
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, slice_of
from symtheano.loopir.view import View


@dataclass(frozen=True)
class Grouping:
    """A loop that appends its counter to groups.

    Attributes
    ----------
    before
        The loops before, which store where groups begin.
    loop
        The loop in order.
    group
        The number of the group.
    order, ends
        The arrays of positions, and of the places.
    """

    before: Body
    loop: For
    group: Value
    order: Buffer
    ends: Buffer


def find_grouping(kernel: Kernel) -> Grouping | None:
    """Return what a kernel does if it appends positions to groups, else None."""
    if kernel.results or not all(isinstance(s, For) for s in kernel.body) or not kernel.body:
        return None
    *before, loop = kernel.body
    if not isinstance(loop, For) or loop.kind != "serial" or loop.start != 0 or loop.step != 1:
        return None
    stores = [s for s in loop.body if isinstance(s, Store)]
    if len(stores) != 2 or not all(isinstance(s, Let | LetIndex | Load | Store) for s in loop.body):
        return None
    appended, moved = stores
    ends = moved.buffer
    places = [s for s in loop.body if isinstance(s, Load) and s.buffer in (ends, appended.buffer)]
    if len(places) != 1 or places[0].buffer != ends or ends == appended.buffer:
        return None
    (place,) = places
    added = next((s for s in loop.body if isinstance(s, Let) and s.target == moved.value), None)
    group = _number(place.index)
    if (
        group is None
        or moved.index != place.index
        or appended.index != place.target.index
        or not _is_position(appended.value, loop)
        or added is None
        or added.op != "add"
        or added.arguments != (place.target, Literal(1, "int64"))
        or place in slice_of({group.name}, loop.body)
    ):
        return None
    return Grouping(tuple(before), loop, group, appended.buffer, ends)


def _number(index: Index) -> Value | None:
    """Return the integer that an index is."""
    return None if index.name is None else Value(index.name, "int64")


def _is_position(value: Operand, loop: For) -> bool:
    if value == loop.index:
        return True
    return any(
        isinstance(s, LetIndex) and s.target == value and s.index == loop.index.index
        for s in loop.body
    )


def grouped(
    kernel: Kernel,
    grouping: Grouping,
    memory: KernelMemory,
    target: Target,
    context: ProgramContext,
) -> tuple[Statement, ...]:
    """Return the statements in place of a kernel: number groups, sort, and find their ends."""
    names, loop = context.names, grouping.loop
    b = Builder(names, target.routines)
    b.origin = kernel.origins[0] if kernel.origins else None
    placed = memory.place(Buffer(names.fresh("groups"), "int64", "local", loop.stop), [])
    if isinstance(placed, Allocate):
        b.emit(placed)
        placed = placed.buffer
    groups = View.contiguous(placed, (loop.stop,))
    order = View.contiguous(grouping.order, (loop.stop,))
    ends = View.contiguous(grouping.ends, (grouping.ends.size,))

    def emit(what: str, body: Sequence[Statement]) -> None:
        title = f"{kernel.title}: {what}"
        b.emit(Kernel(names.fresh(kernel.name), title, tuple(body), (), kernel.origins))

    with b.block() as body, b.loop("p", loop.stop, kind="independent") as p:
        copier = Copier(names, {loop.index.name: p})
        for s in copier.block(slice_of({grouping.group.name}, loop.body)):
            b.emit(s)
        b.store(groups, [p], copier.operand(grouping.group))
    emit("groups", body)
    b.call("argsort", 1, loop.stop, groups.address, order.address)
    if grouping.before:
        emit("beginnings", grouping.before)
    with b.block() as body:
        _store_ends(b, groups, order, ends, loop.stop)
    emit("ends", body)
    return b.statements()


def _store_ends(b: Builder, groups: View, order: View, ends: View, count: Index) -> None:
    """Write the loop that stores, for each group, the place after its last one in the order."""

    def group(place: Index) -> Operand:
        return b.load(groups, [b.as_index(b.load(order, [place]))])

    with b.loop("place", count, kind="independent") as place:
        following = b.minimum(place + 1, count - 1, "following")
        last = b.let("eq", "bool", [b.operand(place + 1), b.operand(count)])
        own = group(place)
        other = b.let("neq", "bool", [own, group(following)])
        with b.branch(b.let("or_", "bool", [last, other])):
            b.store(ends, [b.as_index(own)], b.operand(place + 1))

"""Rotate: a loop that reads a row from its middle on, then from its beginning, reads it in order.

An element at ``(j + shift) % n``, in a loop over ``n`` elements, needs a division, and no vector
reads it. If all such elements have one shift, and the loop computes little, it becomes two loops:
up to the end of the row, and after it. If all shifts are known and small, and no loop is around
this one, only the positions near both ends divide. Otherwise each row is copied to memory in which
it begins at its shift; the copy stays in the nearest cache.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Locate,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, writes
from symtheano.loopir.nodes import Kind
from symtheano.loopir.rewrite import Body, Copier, names_used, with_nested

_SHORT = 24
"""Most statements of a loop that is written twice."""
_NEAR = 16
"""Largest shift for which only the positions near the ends divide."""


@dataclass(frozen=True)
class _Position:
    """A position in a rotated row: ``(counter + shift) % length``, and what computes it."""

    name: str
    shift: Index


def rotate(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Rewrite innermost loops over rotated rows; invariants must be hoisted."""
    changed = replace(kernel, body=_block(kernel.body, context, False))
    context.otherwise("not, no innermost loop reads rotated rows")
    return changed


def _block(statements: Body, context: Context, inside: bool) -> Body:
    body: list[Statement] = []
    for statement in statements:
        new = _rotated(statement, context, inside) if isinstance(statement, For) else None
        if new is None:
            nested = inside or isinstance(statement, For)
            body.append(with_nested(statement, partial(_block, context=context, inside=nested)))
        else:
            body += new
    return tuple(body)


def _rotated(loop: For, context: Context, inside: bool) -> Sequence[Statement] | None:
    """Return what takes the place of a loop, or None if it reads no rotated rows."""
    if loop.kind not in ("independent", "reduce") or loop.step != 1 or loop.start != 0:
        return None
    if any(isinstance(s, For | Locate) for s in loop.body):  # a position is that in one loop
        return None
    rows = _rows(loop)
    if not rows:
        return None
    shifts = {position.shift for position in rows}
    if len(shifts) == 1 and len(loop.body) <= _SHORT:
        context.note(loop, "it runs up to the end of the rotated rows, and from their beginning on")
        return _two_loops(loop, [*rows], context.names)
    near = [_near(shift, loop.stop) for shift in shifts]
    if not inside and None not in near:
        distances = [shift for shift in near if shift is not None]
        context.note(loop, "only positions near the ends of rotated rows divide")
        return _three_loops(loop, [*rows], distances, context.names)
    context.note(loop, "{} rotated rows are copied", sum(map(len, rows.values())))
    return _copies(loop, rows, context.names)


def _rows(loop: For) -> dict[_Position, list[Load]]:
    """Return the loads of rotated rows by their positions."""
    own = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    written = {buffer.name for s in loop.body for buffer in writes(s)}
    sums = {s.target.name: s.index for s in loop.body if isinstance(s, LetIndex)}
    positions: dict[str, _Position] = {}
    for s in loop.body:
        if not isinstance(s, Let) or s.op != "mod" or s.target.dtype != "int64":
            continue
        dividend, divisor = s.arguments
        if not isinstance(dividend, Value):
            continue
        at = sums.get(dividend.name, dividend.index)
        shift = at - loop.index.index
        if own.isdisjoint(shift.names()) and Builder.as_index(divisor) == loop.stop:
            positions[s.target.name] = _Position(s.target.name, shift)
    rows: dict[_Position, list[Load]] = defaultdict(list)
    for s in loop.body:
        if not isinstance(s, Load) or s.buffer.name in written:
            continue
        varying = [name for name in s.index.names() if name in own]
        position = positions.get(varying[0]) if len(varying) == 1 else None
        if position is not None:
            rows[position].append(s)
    return rows


def _near(shift: Index, length: Index) -> int | None:
    """Return a shift if it is known to be small, to the left or right."""
    distance = shift.constant
    if distance is None:
        return None
    if length.constant:
        distance %= length.constant
        distance = min(distance, distance - length.constant, key=abs)
    return distance if abs(distance) <= _NEAR else None


def _start(b: Builder, shift: Index, length: Index) -> Index:
    """Return the position in a row of its first element: in most rows, nothing is divided."""
    ahead = shift + length if (shift.constant or 0) < 0 else shift
    return b.let("mod", "int64", [b.operand(ahead), b.operand(length)], "first").index


def _halves(first: Index, length: Index) -> Sequence[tuple[Index, Index, Index]]:
    """Return the two parts of a rotated row: their lengths, and where they are written and read."""
    rest = length - first
    return ((rest, Index.of(0), first), (first, rest, Index.of(0)))


def _two_loops(loop: For, positions: Sequence[_Position], names: Names) -> Sequence[Statement]:
    """Return a loop over the elements up to the end of the row, and one over the others."""
    b = Builder(names)
    first = _start(b, positions[0].shift, loop.stop)
    for count, start, read in _halves(first, loop.stop):
        with b.loop("j", count, kind=loop.kind) as j:
            moved = {position.name: j + read for position in positions}
            _copy_body(b, loop, j + start, moved)
    return b.statements()


def _three_loops(
    loop: For, positions: Sequence[_Position], distances: Sequence[int], names: Names
) -> Sequence[Statement]:
    """Return loops over the positions near the beginning, in the middle, and near the end."""
    b = Builder(names)
    left = b.minimum(max(0, -min(distances)), loop.stop, "left")
    right = b.maximum(left, loop.stop - max(0, *distances), "right")
    edge: Kind = "serial" if loop.kind == "independent" else loop.kind
    moved = {p.name: near for p in positions if (near := _near(p.shift, loop.stop)) is not None}
    # In order, because the first of equal extrema is located.
    for start, stop, kind, inner in (
        (Index.of(0), left, edge, False), (left, right, loop.kind, True),
        (right, loop.stop, edge, False),
    ):  # fmt: skip
        with b.loop("j", stop - start, kind=kind) as j:
            places = {name: j + start + near for name, near in moved.items()} if inner else {}
            _copy_body(b, loop, j + start, places)
    return b.statements()


def _copy_body(b: Builder, loop: For, counter: Index, moved: Mapping[str, Index]) -> None:
    """Write the body of a loop for a counter, with other positions in rotated rows."""
    copier = Copier(b.names, {loop.index.name: counter, **moved})
    for statement in _without(loop.body, moved, True):
        for new in copier.statement(statement):
            b.emit(new)


def _copies(
    loop: For, rows: Mapping[_Position, Sequence[Load]], names: Names
) -> Sequence[Statement]:
    """Return loops that copy rows, and the loop over the copies."""
    b = Builder(names)
    copies: dict[Load, Buffer] = {}
    by_shift: dict[Index, dict[tuple[str, Index], Load]] = defaultdict(dict)
    copy_of: dict[tuple[Index, str, Index], Buffer] = {}
    for position, loads in rows.items():
        for load in loads:
            row = load.buffer.name, load.index.replace({position.name: Index.of(0)})
            key = (position.shift, *row)
            if key not in copy_of:
                copy = Buffer(names.fresh("row"), load.buffer.dtype, "local", loop.stop)
                b.emit(Local(copy))
                copy_of[key] = copy
                by_shift[position.shift][row] = load
            copies[load] = copy_of[key]
    starts = {shift: _start(b, shift, loop.stop) for shift in by_shift}
    positions = [position.name for position in rows]
    for shift, first in starts.items():
        for count, start, read in _halves(first, loop.stop):
            with b.loop("j", count, kind="independent") as j:
                for load in by_shift[shift].values():
                    element = b.value("element", load.buffer.dtype)
                    place = load.index.replace(dict.fromkeys(positions, j + read))
                    b.emit(Load(element, load.buffer, place))
                    b.emit(Store(copies[load], j + start, element))
    body = [
        Load(s.target, copies[s], loop.index.index) if isinstance(s, Load) and s in copies else s
        for s in loop.body
    ]
    b.emit(replace(loop, body=_without(body, {position.name for position in rows}, False)))
    return b.statements()


def _without(body: Sequence[Statement], replaced: Collection[str], mapped: bool) -> Body:
    """Return statements without positions that are replaced, and what only these used.

    Where positions are not mapped to others, those that something else uses stay.
    """
    used = Counter(name for s in body for name in names_used(s))
    after: list[Statement] = []
    for s in reversed(body):
        if isinstance(s, Let | LetIndex):
            name = s.target.name
            position = name in replaced and (mapped or not used[name])
            if position or (isinstance(s, LetIndex) and not used[name]):
                used.subtract(names_used(s))
                continue
        after.append(s)
    return tuple(reversed(after))

"""Unroll rows: loops along rows of a few elements become statements, and rows run side by side.

A loop over the coordinates of a point costs more around it than inside, and fills no vector. If its
length is known, it is unrolled, and the loop over points, now the innermost one, fills vectors with
one point per lane. Sums become chains of additions, in order, and what a row keeps in memory
between its loops stays in registers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano.codegen.passes.finish import better
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import apply_row
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Locate,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, reads, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, with_loops
from symtheano.scalar.table import scalar_op

# Of an unrolled row, so that its values stay in registers and its text is short.
_MOST_STATEMENTS = 200

# Reductions that fill vectors along a row as well.
_SUMS = {"add", "mul"}

_PLAIN = Let | LetIndex | Load | Store | Declare | Reduce | Update | Locate | Local
_ANY_ORDER = ("independent", "reduce")


def unroll_rows(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Unroll short loops in a long one; bodies must be naive, and invariants not yet hoisted."""

    def change(loop: For) -> Sequence[Statement] | None:
        rows = [s for s in loop.body if isinstance(s, For)]
        if not rows or loop.kind not in _ANY_ORDER or loop.step != 1:
            return None
        short = all(_is_short(row, target) for row in rows)
        if not short or (loop.stop.constant or target.rows.lanes) < target.rows.lanes:
            return None
        reason = _why_not(loop, target)
        if reason is not None:
            context.note(loop, "not, {}", reason)
            return None
        unrolled = _Rows(loop, context.names).write()
        if unrolled is None:
            context.note(loop, "not, rows keep numbers in memory that is read at other places")
            return None
        context.note(loop, "rows are unrolled, since {} is at most {}",
                     ", ".join(str(row.stop) for row in rows), target.rows.longest)  # fmt: skip
        return [unrolled]

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop along rows is known to be short")
    return changed


def _is_short(loop: For, target: Target) -> bool:
    length = loop.stop.constant
    return (
        length is not None
        and length <= target.rows.longest
        and loop.kind in _ANY_ORDER
        and loop.start == 0
        and loop.step == 1
    )


def _why_not(loop: For, target: Target) -> str | None:
    """Return what is in the way of unrolling all loops inside a loop."""
    inside = list(walk(loop.body))
    if not all(isinstance(s, For | _PLAIN) for s in inside):
        return "its body is more than loops and scalars"
    if not all(_is_short(s, target) for s in inside if isinstance(s, For)):
        return "a loop inside is long"
    count = _unrolled_count(loop.body)
    if count > _MOST_STATEMENTS:
        return f"a row would be {count} statements, more than {_MOST_STATEMENTS}"
    reason = _misfit([s for s in inside if isinstance(s, For)], target)
    if reason is not None:
        return reason
    counters = {s.index.name for s in inside if isinstance(s, For)}
    own = {value.name for s in inside for value in definitions(s)} - counters
    updated = {s.buffer.name for s in inside if isinstance(s, Update)}
    local = {s.buffer.name for s in inside if isinstance(s, Local)}
    updated -= local
    for s in inside:
        if isinstance(s, Load | Store | Update):
            if not own.isdisjoint(s.index.names()):
                return f"the place in {s.buffer.name} is computed"
            fixed = s.index.coefficient(loop.index.name) == 0
            if isinstance(s, Store) and fixed and s.buffer.name not in local:
                return f"rows share {s.buffer.name}"
            if isinstance(s, Load | Store) and s.buffer.name in updated:
                return f"{s.buffer.name} is updated and read"
        elif isinstance(s, Locate) and s.best.name not in own:
            return "a position is searched in all rows"
    return None


def _misfit(rows: Sequence[For], target: Target) -> str | None:
    """Return why rows of such lengths should not be unrolled."""
    ops = {s.op for row in rows for s in row.body if isinstance(s, Reduce | Update | Locate)}
    if not ops:
        return None
    lengths = {row.stop.constant or 0 for row in rows}
    shuffled = all(map(target.rows.interleaves, lengths))
    if len(rows) > 1 or ops <= _SUMS:
        if not shuffled:
            return "vectors can't be filled from rows of such a length"
        if len(rows) == 1 and max(lengths) > target.rows.unrolled:
            return "a sum fills vectors along such a row as well"
    return None


def _unrolled_count(statements: Sequence[Statement]) -> int:
    """Return how many statements there are when all loops are unrolled."""
    return sum(
        (s.stop.constant or 0) * _unrolled_count(s.body) if isinstance(s, For) else 1
        for s in statements
    )


class _Rows:
    """Writes the body of a loop over rows without the loops along a row."""

    def __init__(self, loop: For, names: Names) -> None:
        self.loop, self.names = loop, names
        self.b = Builder(names)
        self.copier = Copier(names)
        inside = list(walk(loop.body))
        self.own = {s.target.name for s in inside if isinstance(s, Declare)}
        self.written = {buffer.name for s in inside for buffer in writes(s)}
        self.local = {s.buffer.name for s in inside if isinstance(s, Local)}
        self.stored: dict[tuple[str, Index], tuple[Operand, Statement]] = {}
        self.replaced: set[int] = set()
        self.positions: dict[str, Operand] = {}
        self.located: dict[str, Value] = {}
        self.unknown = False

    def write(self) -> For | None:
        """Return the loop, or None if numbers in memory can't be kept in registers."""
        with self.b.block() as body:
            self._block(self.loop.body)
        kept = [
            s for s in body
            if id(s) not in self.replaced
            and not (isinstance(s, Store) and s.buffer.name in self.local)
        ]  # fmt: skip
        if self.unknown or any(b.name in self.local for s in kept for b in reads(s)):
            return None
        return replace(self.loop, body=tuple(kept))

    def _block(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, For):
                counter = statement.index.name
                for number in range(statement.stop.constant or 0):
                    self.copier.indices[counter] = Index.of(number)
                    self.copier.values[counter] = Literal(number, "int64")
                    self._block(statement.body)
                for name, where in self.located.items():
                    self._become(where, self.b.cast(self.positions[name], where.dtype))
                self.located.clear()
            else:
                self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        copier = self.copier
        self.b.origin = getattr(statement, "origin", None)
        if isinstance(statement, Declare):
            self._become(statement.target, copier.operand(statement.initial))
        elif isinstance(statement, Reduce) and statement.target.name in self.own:
            terms = [copier.operand(statement.target), copier.operand(statement.value)]
            row = scalar_op(statement.op)
            self._become(statement.target, apply_row(self.b, row, terms, statement.target.dtype))
        elif isinstance(statement, Locate):
            self._locate(statement)
        elif isinstance(statement, Load) and statement.buffer.name in self.written:
            self._load(statement)
        elif isinstance(statement, Store):
            self._store(statement)
        elif isinstance(statement, Update) and statement.buffer.name in self.local:
            self._update(statement)
        elif not isinstance(statement, Local):
            for new in copier.statement(statement):
                self.b.emit(new)

    def _become(self, target: Value, value: Operand) -> None:
        """Let a value stand for a declared scalar from here on."""
        self.copier.values[target.name] = value
        if target.dtype == "int64":
            self.copier.indices[target.name] = Builder.as_index(value)

    def _locate(self, statement: Locate) -> None:
        """Choose between the extremum so far and a candidate, and between their positions."""
        b, copier = self.b, self.copier
        best, value = copier.operand(statement.best), copier.operand(statement.value)
        # As wide as the elements, so that positions fill the lanes of their vectors.
        dtype = "int64" if np.dtype(best.dtype).itemsize == 8 else "int32"
        name = statement.where.name
        where = self.positions.get(name) or b.cast(copier.operand(statement.where), dtype)
        position = b.cast(copier.operand(statement.position), dtype)
        wins = better(b, statement.op, value, best)
        self.copier.values[statement.best.name] = b.let("switch", best.dtype, [wins, value, best])
        self.positions[name] = b.let("switch", dtype, [wins, position, where])
        self.located[name] = statement.where

    def _update(self, statement: Update) -> None:
        """Reduce a number that a row keeps for itself."""
        index, value = self.copier.index(statement.index), self.copier.operand(statement.value)
        before = self.stored.get((statement.buffer.name, index))
        if before is None:
            self.unknown = True
            return
        row = scalar_op(statement.op)
        total = apply_row(self.b, row, [before[0], value], statement.buffer.dtype)
        self._store(Store(statement.buffer, index, total))

    def _load(self, statement: Load) -> None:
        """Take what was stored at this place, if anything was."""
        key = statement.buffer.name, self.copier.index(statement.index)
        if key in self.stored:
            self._become(statement.target, self.stored[key][0])
            return
        for name, index in [*self.stored]:  # no store before it may be dropped any more
            if name == key[0]:
                del self.stored[name, index]
        for new in self.copier.statement(statement):
            self.b.emit(new)

    def _store(self, statement: Store) -> None:
        """Keep what is stored, and drop what was stored at this place before."""
        (*before, new) = self.copier.statement(statement)
        assert isinstance(new, Store)
        for other in (*before, new):
            self.b.emit(other)
        key = new.buffer.name, new.index
        if key in self.stored:
            self.replaced.add(id(self.stored[key][1]))
        for name, index in [*self.stored]:  # places that may be the same are no longer known
            if name == key[0] and (index - new.index).constant in (None, 0):
                del self.stored[name, index]
        self.stored[key] = new.value, new

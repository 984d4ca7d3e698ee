"""Lanes: rows too short for vectors run side by side, one per lane (interchange).

A loop over ten classes fills little more than one vector, and its sum is a dozen dependent
additions. The loop over rows is distributed over the parts of its body, and the loops along a row
move outside: for each position in a row, the inner loop runs over the rows of a block. Numbers of a
row that one part defines and another one uses are kept in small arrays, and so is memory that each
row uses for itself. The terms of a row are added in order. The position of an extremum is chosen in
each lane, without a branch. So rows of any length run side by side where extrema are located in
columns of an array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from symtheano.codegen.passes.finish import better
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Locate,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import LOCAL
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Copier, base_name, names_used, with_loops

if TYPE_CHECKING:
    from symtheano.codegen.passes.lane_tiles import Piece

# Along rows of unknown length, for which the loops are written twice. In longer kernels, the second
# version costs more compile time than it is worth, since few of their rows are short.
_MOST_STATEMENTS = 24
# With fewer columns, vectors along each of them are better, though they gather its elements.
_FEWEST_COLUMNS = 8
_LEAST_ITEM = 4

_SCALAR = Let | LetIndex | Load | Declare | Store | Reduce
_ALONG = Let | LetIndex | Load | Store | Reduce | Update | Locate


def lanes(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Interchange loops over rows that are visited more than once; their length may decide."""

    def change(loop: For) -> Sequence[Statement] | None:
        row = _row_loop(loop, target, context)
        if row is None:
            return None
        along = sum(len(s.body) for s in loop.body if isinstance(s, For))
        columns = _are_columns(loop)
        decides = loop.stop - loop.start if columns else row.stop
        if decides.constant is None and along > _MOST_STATEMENTS:
            context.note(loop, "not, {} is unknown, and a second version of {} statements along a "
                         "row is too long, at most {}", decides, along,
                         _MOST_STATEMENTS)  # fmt: skip
            return None
        if columns:
            context.note(loop, "{} columns run {} at a time if there are at least {}",
                         decides, target.rows.lanes, _FEWEST_COLUMNS)  # fmt: skip
        else:
            context.note(loop, "rows of length {} run {} at a time if they have at most {} "
                         "elements", decides, target.rows.lanes, target.rows.short)  # fmt: skip
        one_by_one = replace(loop, work=work_of(loop))
        side_by_side = _Lanes(one_by_one, target, context.names, tiled=not columns).write()
        if decides.constant is not None:
            return side_by_side
        b = Builder(context.names)
        length, least = b.operand(decides), Literal(_FEWEST_COLUMNS, "int64")
        if columns:
            fits = b.let("ge", "bool", [length, least], "many_columns")
        else:
            short = Literal(target.rows.short, "int64")
            fits = b.let("le", "bool", [length, short], "short_rows")
        b.emit(If(fits, tuple(side_by_side), (one_by_one,)))
        return b.statements()

    interchanged = with_loops(kernel, change)
    context.otherwise("not, no loop visits rows more than once")
    return interchanged


def _row_loop(loop: For, target: Target, context: Context) -> For | None:
    """Return the first loop along the rows of a loop over rows that may be interchanged."""
    if loop.kind not in ("independent", "reduce") or loop.step != 1:
        return None
    rows = [s for s in loop.body if isinstance(s, For)]
    columns = _are_columns(loop)
    if len(rows) < 2 and not columns:
        return None
    if not all(isinstance(s, For | _SCALAR) for s in loop.body):
        context.note(loop, "not, its body is more than loops and scalars")
        return None
    first = rows[0]
    inside = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    length = first.stop.constant
    is_long = length is not None and length > target.rows.short and not columns
    if is_long or not inside.isdisjoint(first.stop.names()):
        context.note(loop, "not, rows have {} elements, at most {}", first.stop, target.rows.short)
        return None
    alike = all(
        row.kind in ("independent", "reduce")
        and row.start == 0
        and row.step == 1
        and row.stop == first.stop
        and all(isinstance(s, _ALONG) for s in row.body)
        for row in rows
    )
    if columns and (loop.stop - loop.start).constant in range(_FEWEST_COLUMNS):
        context.note(loop, "not, there are fewer than {} columns", _FEWEST_COLUMNS)
        return None
    if not alike or _row_memory(loop) is None:
        context.note(loop, "not, {}", "rows share memory" if alike else "loops along a row differ")
        return None
    return first


def _are_columns(loop: For) -> bool:
    """Return whether extrema are located in columns, whose neighbours are side by side."""
    rows = [s for s in loop.body if isinstance(s, For)]
    accesses = [
        (s.index.coefficient(loop.index.name), s.index.coefficient(row.index.name), s)
        for row in rows
        for s in walk(row.body)
        if isinstance(s, Load | Store | Update)
    ]
    located = [s.best.dtype for row in rows for s in row.body if isinstance(s, Locate)]
    return (
        bool(located)
        # A vector of narrower numbers has too many positions.
        and all(np.dtype(dtype).itemsize >= _LEAST_ITEM for dtype in located)
        and all(across in (0, 1) and isinstance(s, Load) for across, _, s in accesses)
        and any(across == 1 and along not in (0, 1) for across, along, _ in accesses)
    )


def _row_memory(loop: For) -> dict[str, Buffer] | None:
    """Return memory that each row overwrites, by name; None if it can't be had once per lane."""
    i = loop.index.name
    buffers = {
        s.buffer.name: s.buffer
        for s in walk(loop.body)
        if isinstance(s, Store) and s.index.coefficient(i) == 0
    }
    bases: dict[str, Index] = {}
    for statement in loop.body if buffers else ():
        counter = statement.index if isinstance(statement, For) else None
        for s in walk([statement]):
            if isinstance(s, Load | Store | Update) and s.buffer.name in buffers:
                if counter is None or isinstance(s, Update) or s.buffer.memory is not LOCAL:
                    return None
                base = s.index - counter.index
                if {i, counter.name} & {*base.names()} or bases.setdefault(
                    s.buffer.name, base
                ) != base:
                    return None
    return buffers


def _used(piece: Sequence[Statement]) -> Iterator[str]:
    for statement in walk(piece):
        yield from names_used(statement)


class _Lanes:
    """Distributes the loop over rows over the pieces of its body."""

    def __init__(self, loop: For, target: Target, names: Names, tiled: bool) -> None:
        self.loop, self.target, self.names = loop, target, names
        self.b = Builder(names)
        self.pieces: list[list[Statement]] = [[]]
        for statement in loop.body:
            if isinstance(statement, For):
                self.pieces += [[statement], []]
            else:
                self.pieces[-1].append(statement)
        self.cells = self._find_cells()
        size = Index.of(target.rows.lanes * target.rows.short)
        self.memory = {
            name: Buffer(names.fresh(base_name(name)), buffer.dtype, "stack", size)
            for name, buffer in (_row_memory(loop) or {}).items()
        }
        from symtheano.codegen.passes.lane_tiles import LaneTiles, Piece  # few programs need it

        self.parts = [
            Piece(piece) for piece in self.pieces
            if any(not isinstance(s, Let | LetIndex) or self._is_kept(s) for s in piece)
        ]  # fmt: skip
        kept = {*self.cells, *self.memory}
        self.tiles = LaneTiles(self.b, loop, self.parts, kept, target, tiled)

    def _find_cells(self) -> dict[str, Buffer]:
        """Return memory for the numbers of a row that several pieces need."""
        defined: dict[str, Value] = {}
        wanted: dict[str, None] = {}
        for piece in self.pieces:
            wanted.update((name, None) for name in _used(piece) if name in defined)
            defined.update((value.name, value) for s in piece for value in definitions(s))
        size = Index.of(self.target.rows.lanes)
        return {
            name: Buffer(self.names.fresh(base_name(name)), defined[name].dtype, "stack", size)
            for name in wanted
        }

    def write(self) -> Sequence[Statement]:
        """Return the loops over blocks of rows."""
        b, loop, width = self.b, self.loop, self.target.rows.lanes
        with b.loop("block", loop.stop, loop.start, step=width, kind=loop.kind,
                    work=loop.work) as block:  # fmt: skip
            self.tiles.begin(block, b.minimum(loop.stop - block, width, "lanes"))
            for piece in self.parts:
                if piece.along is not None:
                    with b.loop(base_name(piece.along.index.name), piece.along.stop) as j:
                        self._lane_loop(piece, j)
                else:
                    self._lane_loop(piece, Index.of(0))
            self.tiles.finish()
        return b.statements()

    def _is_kept(self, statement: Statement) -> bool:
        return any(value.name in self.cells for value in definitions(statement))

    def _lane_loop(self, piece: Piece, j: Index) -> None:
        """Write a piece for all rows of a block; j is the position in a row."""
        b, tiles = self.b, self.tiles
        across = any(
            (isinstance(s, Reduce) and s.target.name not in self.cells)
            or (isinstance(s, Update) and s.index.coefficient(self.loop.index.name) == 0)
            for s in piece.body
        )
        count = tiles.lanes(piece, across)
        with b.loop("lane", count, kind="reduce" if across else "independent") as lane:
            copier = Copier(self.names, {self.loop.index.name: tiles.position(piece, count, lane)})
            if piece.along is not None:
                copier.indices[piece.along.index.name] = j
            own = {value.name for s in piece.body for value in definitions(s)}
            reduced = {s.target.name for s in piece.body if isinstance(s, Reduce)}
            for name in dict.fromkeys(_used(piece.body)):
                if name in self.cells and name not in own and name not in reduced:
                    value = b.load(View(self.cells[name], (), (), lane), [])
                    assert isinstance(value, Value)
                    copier.values[name] = value
                    if value.dtype == "int64":
                        copier.indices[name] = value.index
            for statement in piece.body:
                moved = tiles.moved(self._own(statement, j, lane), piece, j, lane)
                self._emit(moved, copier, lane)

    def _own(self, statement: Statement, j: Index, lane: Index) -> Statement:
        """Return an access of a row's memory as one of the memory of its lane."""
        if not isinstance(statement, Load | Store) or statement.buffer.name not in self.memory:
            return statement
        own = self.memory[statement.buffer.name]
        return replace(statement, buffer=own, index=j * self.target.rows.lanes + lane)

    def _emit(self, statement: Statement, copier: Copier, lane: Index) -> None:
        """Write one statement; numbers that are kept go to their cells."""
        b = self.b
        if isinstance(statement, Reduce) and statement.target.name in self.cells:
            cell, value = self.cells[statement.target.name], copier.operand(statement.value)
            b.emit(Update(cell, lane, statement.op, value, statement.origin))
            return
        if isinstance(statement, Locate):
            self._locate(statement, copier, lane)
            return
        if isinstance(statement, Declare) and statement.target.name in self.cells:
            cell = self.cells[statement.target.name]
            b.emit(Store(cell, lane, copier.operand(statement.initial)))
            return
        for new in copier.statement(statement):
            b.emit(new)
        for value in definitions(statement):
            if value.name in self.cells:
                b.emit(Store(self.cells[value.name], lane, copier.operand(value)))

    def _locate(self, statement: Locate, copier: Copier, lane: Index) -> None:
        """Choose between the extremum so far and a candidate, and between their positions."""
        b, best, where = self.b, statement.best, statement.where
        b.origin = statement.origin
        cells = [View(self.cells[kept.name], (), (), lane) for kept in (best, where)]
        old, place = (b.load(cell, []) for cell in cells)
        value = copier.operand(statement.value)
        position = b.operand(copier.index(b.as_index(statement.position)))
        wins = better(b, statement.op, value, old)
        b.store(cells[0], [], b.let("switch", best.dtype, [wins, value, old]))
        b.store(cells[1], [], b.let("switch", where.dtype, [wins, position, place]))

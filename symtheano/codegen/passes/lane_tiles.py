"""Tiles of rows that run side by side: what the lanes of a block read and write.

An element of a row is as far from that of the next row as rows are long, so vectors would be filled
and written lane by lane, in each loop, and again in the shorter vectors with which compilers end a
loop. Instead, elements are copied to tiles in which those of neighbouring rows are neighbours.

A block may have fewer rows than lanes. Further lanes repeat its last row, so that loops run over
whole vectors, and compilers need no shorter ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    Literal,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
)
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import base_name, names_used

# The position in a row, in addresses of different loops along it.
_ALONG = ":along"
# Bytes of elements from which vectors are filled lane by lane in reasonable time.
_WIDE = 4
_Access = Load | Store | Update
_Place = tuple[Buffer, Index]


class Piece:
    """A part of the body of a loop over rows: a loop along a row, or scalar statements."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        first = statements[0] if len(statements) == 1 else None
        self.along = first if isinstance(first, For) else None
        self.body = statements if self.along is None else self.along.body

    def place(self, access: _Access) -> _Place:
        """Return the array of an access, and its address, the same in all loops along a row."""
        index = access.index
        if self.along is not None:
            index = index.replace({self.along.index.name: Index.symbol(_ALONG)})
        return access.buffer, index


class LaneTiles:
    """The tiles of a loop over rows.

    Parameters
    ----------
    b
        Writes the loops.
    loop, pieces
        The loop over rows, and the parts of its body.
    kept
        Names of the numbers and of the memory that each lane has for itself.
    tiled
        Whether rows have tiles; elements of neighbouring rows that are neighbours need none.
    """

    def __init__(
        self,
        b: Builder,
        loop: For,
        pieces: Sequence[Piece],
        kept: Collection[str],
        target: Target,
        tiled: bool = True,
    ) -> None:
        self.b, self.row, self.kept, self.target = b, loop.index.name, kept, target
        values = [value for s in walk(loop.body) for value in definitions(s)]
        self.defined = {value.name for value in values}
        sizes = [np.dtype(value.dtype).itemsize for value in values]
        unit = 2 * target.vectors.width // min((size for size in sizes if size > 2), default=4)
        self.unit = unit if target.rows.lanes % unit == 0 else target.rows.lanes
        # For a few rows, lanes that repeat one would cost more than they save.
        rows = (loop.stop - loop.start).constant
        self.few = not tiled or (rows is not None and rows < self.unit)
        # Arrays that are written, and not through a tile.
        self.direct: set[Buffer] = set()
        self.tiles = self._tiles(pieces)
        accesses = [(piece.place(s), s) for piece in pieces for s in piece.body
                    if isinstance(s, Load | Store) and piece.place(s) in self.tiles]  # fmt: skip
        first = dict(reversed(accesses))
        self.inputs = [place for place in self.tiles if isinstance(first[place], Load)]
        self.outputs = list(dict.fromkeys(p for p, s in accesses if isinstance(s, Store)))
        self.length = next(piece.along.stop for piece in pieces if piece.along is not None)
        # What only lanes with a row of their own have.
        self.partial: set[_Place | str] = set()

    def _tiles(self, pieces: Sequence[Piece]) -> Mapping[_Place, Buffer]:
        """Return a tile for each place that can have one, if the nearest cache has room for all."""
        places: dict[Buffer, dict[_Place, None]] = {}
        written: set[Buffer] = set()
        for piece in pieces:
            for s in piece.body:
                if isinstance(s, _Access) and s.buffer.name not in self.kept:
                    places.setdefault(s.buffer, {})[piece.place(s)] = None
                    if not isinstance(s, Load):
                        written.add(s.buffer)
                    if isinstance(s, Update):
                        self.direct.add(s.buffer)
        for buffer in written:  # of several places, two could be the same element
            if len(places[buffer]) > 1 or not all(map(self._is_fixed, places[buffer])):
                self.direct.add(buffer)
        tiled = [
            place
            for buffer, each in places.items()
            for place in each
            if buffer not in self.direct and self._is_fixed(place)
        ]
        sizes = [self._rows(place) * self.target.rows.lanes for place in tiled]
        items = [np.dtype(buffer.dtype).itemsize for buffer, _ in tiled]
        memory = sum(size * item for size, item in zip(sizes, items, strict=True))
        if self.few or memory > self.target.caches.near:
            self.direct = set(places)
            return {}
        fresh = self.b.names.fresh
        return {
            place: Buffer(fresh(f"{base_name(place[0].name)}_tile"), place[0].dtype, "stack",
                          Index.of(size))
            for place, size in zip(tiled, sizes, strict=True)
        }  # fmt: skip

    def _rows(self, place: _Place) -> int:
        return self.target.rows.short if _ALONG in place[1].names() else 1

    def _is_fixed(self, place: _Place) -> bool:
        """Return whether an address depends on the row, and on nothing that is computed in it."""
        names = {*place[1].names()}
        return self.row in names and self.defined.isdisjoint(names)

    def begin(self, block: Index, count: Index) -> None:
        """Begin a block of rows: what they read goes to tiles."""
        b = self.b
        self.block, self.count = block, count
        rounded = b.operand(count + (self.unit - 1))
        groups = b.let("trunc_div", "int64", [rounded, Literal(self.unit, "int64")], "groups")
        self.wide = groups.index * self.unit
        self.end = b.index_value(count - 1, "last").index
        lanes = Literal(self.target.rows.lanes, "int64")
        self.whole = b.let("eq", "bool", [b.operand(count), lanes], "whole")
        self._copy(self.inputs, self.wide, into=True)

    def finish(self) -> None:
        """End a block of rows: results go from their tiles to their places."""
        self._copy(self.outputs, self.count, into=False)

    def lanes(self, piece: Piece, across: bool) -> Index:
        """Return the number of lanes that run a piece.

        Where sums go across lanes, or arrays are written without a tile, only lanes with a row of
        their own take part; later pieces that read their results do the same.
        """
        if not across and not any(self._is_partial(s, piece) for s in piece.body):
            return self.wide
        for s in piece.body:
            self.partial.update(value.name for value in definitions(s))
            if isinstance(s, Reduce):
                self.partial.add(s.target.name)
            if isinstance(s, Store):
                self.partial |= {s.buffer.name, piece.place(s)}
        return self.count

    def _is_partial(self, s: Statement, piece: Piece) -> bool:
        if not self.partial.isdisjoint(names_used(s)):
            return True
        if not isinstance(s, _Access):
            return False
        if s.buffer.name in self.kept or piece.place(s) in self.tiles:
            return bool(self.partial & {s.buffer.name, piece.place(s)})
        return not isinstance(s, Load) or s.buffer in self.direct

    def position(self, piece: Piece, count: Index, lane: Index) -> Index:
        """Return the row of a lane, for what is read without a tile."""
        plain = [s for s in piece.body
                 if not isinstance(s, _Access) or piece.place(s) not in self.tiles]  # fmt: skip
        if count == self.count or not any(self.row in names_used(s) for s in plain):
            return self.block + lane
        return self.block + self.b.minimum(lane, self.end, "row")

    def moved(self, s: Statement, piece: Piece, j: Index, lane: Index) -> Statement:
        """Return an access as one of its tile, if it has one."""
        if not isinstance(s, Load | Store) or piece.place(s) not in self.tiles:
            return s
        place = piece.place(s)
        return replace(s, buffer=self.tiles[place], index=self._in_tile(place, j, lane))

    def _in_tile(self, place: _Place, j: Index, lane: Index) -> Index:
        return j * self.target.rows.lanes + lane if self._rows(place) > 1 else lane

    def _copy(self, places: Sequence[_Place], lanes: Index, into: bool) -> None:
        """Copy the elements of rows to their tiles, or from these."""
        b = self.b
        single = [place for place in places if self._rows(place) == 1]
        if single:
            with b.loop("lane", lanes, kind="scalar") as lane:
                self._move(single, self._row_of(lane, into), Index.of(0), lane, into)
        groups: dict[int, list[_Place]] = {}
        for place in places:
            if place not in single:
                groups.setdefault(np.dtype(place[0].dtype).itemsize, []).append(place)
        for size, group in groups.items():
            with b.block() as row_by_row:
                self._copy_rows(group, lanes, into)
            if size < _WIDE:
                for statement in row_by_row:
                    b.emit(statement)
            else:
                with b.block() as in_vectors:
                    self._copy_lanes(group, into)
                b.emit(If(self.whole, tuple(in_vectors), tuple(row_by_row)))

    def _copy_rows(self, places: Sequence[_Place], lanes: Index, into: bool) -> None:
        b = self.b
        with b.loop("lane", lanes, kind="scalar") as lane:
            row = self._row_of(lane, into)
            with b.loop("j", self.length, kind="scalar") as j:
                self._move(places, row, j, lane, into)

    def _copy_lanes(self, places: Sequence[_Place], into: bool) -> None:
        """Copy the rows of a whole block, for which vectors are worth their text."""
        b = self.b
        with (
            b.loop("j", self.length) as j,
            b.loop("lane", self.target.rows.lanes, kind="independent") as lane,
        ):
            self._move(places, self.block + lane, j, lane, into)

    def _row_of(self, lane: Index, into: bool) -> Index:
        return self.block + (self.b.minimum(lane, self.end, "row") if into else lane)

    def _move(
        self, places: Sequence[_Place], row: Index, j: Index, lane: Index, into: bool
    ) -> None:
        for place in places:
            buffer, index = place
            ends = [(buffer, index.replace({self.row: row, _ALONG: j})),
                    (self.tiles[place], self._in_tile(place, j, lane))]  # fmt: skip
            source, target = ends if into else ends[::-1]
            value = self.b.value("element", buffer.dtype)
            self.b.emit(Load(value, *source))
            self.b.emit(Store(*target, value))

"""Column tiles: what is reduced for each of neighbouring columns is shared by warps.

A thread for each column keeps few threads busy if there are few columns, and each waits for one
element after the other. In a tile, lanes have a column each, so they load neighbours, and warps
have every so manieth element of the columns. Their results meet in the memory of the block, where
they are combined in the order of warps.
"""

from __future__ import annotations

from symtheano.codegen.passes.cuda.nests import is_open, strided
from symtheano.codegen.passes.cuda.row_parts import (
    RowParts,
    begins_neutral,
    keeps_order,
    loops_along,
)
from symtheano.codegen.targets import Device
from symtheano.loopir import (
    Buffer,
    Builder,
    Comment,
    Declare,
    For,
    If,
    Index,
    Let,
    LetIndex,
    Load,
    Local,
    Reduce,
    Store,
    Update,
)
from symtheano.loopir.names import definitions, walk

_LIGHT = Comment | Declare | Let | LetIndex | Load | Store | Update
_INSIDE = Comment | Declare | For | If | Let | LetIndex | Load | Reduce | Store

_MOST_ACCUMULATORS = 4
"""Scalars that each column reduces, for which a block has memory."""

_ROUNDS = 4
"""Iterations of each warp for which it is worth to wait for others."""


def can_be_tiled(columns: For, device: Device) -> bool:
    """Return whether warps may share the loops for each iteration of a loop over columns."""
    along = loops_along(columns)
    if columns.step != 1 or not all(isinstance(s, _LIGHT | For) for s in columns.body):
        return False
    own = {columns.index.name, *(v.name for s in columns.body for v in definitions(s))}
    for loop in along:
        plain = all(isinstance(s, _INSIDE) for s in walk(loop.body))
        length = (loop.stop - loop.start).constant
        if not plain or not is_open(loop) or loop.step != 1:
            return False
        if length is not None and length < _ROUNDS * device.warps:
            return False
        if not own.isdisjoint((*loop.start.names(), *loop.stop.names())):
            return False
    tiles = _Tiles(columns, Builder(), device)
    count = [len(tiles.reduced(loop)) for loop in along]
    reduces = any(count) and sum(count) <= _MOST_ACCUMULATORS
    return reduces and keeps_order(columns) and begins_neutral(columns)


def write_tile(b: Builder, columns: For, device: Device) -> None:
    """Write what a block does with a tile of columns, as many as a warp has lanes."""
    _Tiles(columns, b, device).write()


class _Tiles(RowParts):
    """Writes a tile."""

    def __init__(self, columns: For, b: Builder, device: Device) -> None:
        super().__init__(columns, b)
        self.device = device

    @property
    def count(self) -> Index:
        """The number of warps."""
        return Index.of(self.device.warps)

    def place(self, i: Index, part: Index) -> Index:
        """Return where a warp's result for a column is."""
        return part * self.device.warp + (i - self.row.start)

    def write(self) -> None:
        """Write a loop of warps for each loop of a column, and then what a column stores."""
        b, device, columns = self.b, self.device, self.row
        size = Index.of(device.threads)
        for along in loops_along(columns):
            for value, op in self.reduced(along).items():
                self.parts[value.name] = Buffer(self.name(value), value.dtype, "shared", size), op
                b.emit(Local(self.parts[value.name][0]))
        for along in loops_along(columns):
            before = columns.body[: columns.body.index(along)]
            with (
                b.loop("warp", device.warps, kind="warp") as warp,
                b.loop("lane", device.warp, kind="lane") as lane,
                b.loop("column", columns.stop, columns.start + lane, step=device.warp) as i,
            ):
                copier = self.again(before, i)
                share = strided(along, warp, device.warps)
                for copy in copier.statement(share):
                    b.emit(copy)
                self.leave(along, copier, i, warp)
        with (
            b.loop("thread", device.warp, kind="thread") as thread,
            b.loop("column", columns.stop, columns.start + thread, step=device.warp) as i,
        ):
            self.again(columns.body, i, last=True)

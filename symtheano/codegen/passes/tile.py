"""Tile: two loops run over blocks, for operands that are contiguous along the outer one.

Each iteration of the inner loop would read another cache line of such an operand, for one element.
A tile of both loops first copies its part of the operand, row by row, to memory on the stack that
is contiguous along the inner loop. Stacks may be small: tiles are smaller if there are more
operands, and operands that do not fit even into the smallest tiles are read directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import accumulate, compress

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Load,
    Locate,
    Statement,
    Update,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Copier, base_name, with_loops

_SIDES = (32, 16, 8)
_ANY_ORDER = ("independent", "reduce")


def tile(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Tile chains of loops, also those that sum; what they contain must not be hoisted yet."""

    def change(loop: For) -> Sequence[Statement] | None:
        chain = _chain(loop)
        return _tiled(chain, target, context) if len(chain) > 1 else None

    tiled = with_loops(kernel, change)
    context.otherwise("not, no loop is all of another one's body")
    return tiled


def _chain(statement: Statement) -> list[For]:
    """Return loops in any order of which each is all of the body of the one before."""
    chain: list[For] = []
    while isinstance(statement, For) and statement.kind in _ANY_ORDER and statement.step == 1:
        chain.append(statement)
        if len(statement.body) != 1:
            break
        statement = statement.body[0]
    if chain and any(isinstance(s, For | Update | Locate) for s in walk(chain[-1].body)):
        return []
    return chain


def _tiled(chain: Sequence[For], target: Target, context: Context) -> Sequence[Statement] | None:
    inner = chain[-1]
    for along in chain[-2::-1]:
        transposed = _transposed(along, inner, chain)
        if transposed:
            tiles = _Tiles(chain, along, transposed, target, context.names)
            for load in transposed:
                if load in tiles.loads:
                    why = f"tiles of {tiles.side} x {tiles.side}"
                else:
                    why = f"but tiles of others fill {target.caches.near} bytes"
                context.note(along, "{} is contiguous along it, not along {}: {}",
                             load.buffer.name, inner.index.name, why)  # fmt: skip
            return tiles.write()
    context.note(inner, "not, no load is contiguous along an outer loop")
    return None


def _transposed(along: For, inner: For, chain: Sequence[For]) -> list[Load]:
    """Return the loads that are contiguous along the outer of two loops."""
    counters = {loop.index.name for loop in chain}
    inside = {value.name for s in inner.body for value in definitions(s)} - counters
    loads: dict[tuple[str, Index], Load] = {}
    for statement in inner.body:
        if isinstance(statement, Load) and inside.isdisjoint(statement.index.names()):
            near = statement.index.coefficient(along.index.name)
            far = statement.index.coefficient(inner.index.name)
            if near == 1 and far not in (0, 1, -1):
                loads[statement.buffer.name, statement.index] = statement
    return list(loads.values())


def _fitting(loads: Sequence[Load], target: Target) -> tuple[list[Load], int]:
    """Return the loads that get tiles, and the length of a tile's sides."""
    each = [np.dtype(load.buffer.dtype).itemsize for load in loads]
    side = next((side for side in _SIDES if sum(each) * side**2 <= target.caches.near), _SIDES[-1])
    room = [total * side**2 <= target.caches.near for total in accumulate(each)]
    return list(compress(loads, room)), side


class _Tiles:
    def __init__(
        self, chain: Sequence[For], along: For, loads: list[Load], target: Target, names: Names
    ) -> None:
        self.chain, self.along, self.inner = chain, along, chain[-1]
        self.loads, self.side = _fitting(loads, target)
        self.row = self.side + target.device.pad
        self.b = Builder(names)
        self.names = names

    def write(self) -> Sequence[Statement]:
        """Return the loops over tiles."""
        b, side = self.b, self.side
        work: Index | None = work_of(self.chain[0])
        along, inner = self.along, self.inner
        others = [loop for loop in self.chain if loop not in (self.along, self.inner)]
        counters: dict[str, Index] = {}
        with ExitStack() as stack:
            for loop in others:
                wish = loop.index.name
                counters[wish] = stack.enter_context(
                    b.loop(wish, loop.stop, loop.start, kind=loop.kind, work=work)
                )
                work = None
            rows = stack.enter_context(
                b.loop("tile", along.stop, along.start, step=side, kind=along.kind, work=work)
            )
            columns = stack.enter_context(
                b.loop("tile", inner.stop, inner.start, step=side, kind=inner.kind)
            )
            stops = [self._stop(rows, along), self._stop(columns, inner)]
            tiles = [self._copy(load, counters, rows, columns, stops) for load in self.loads]
            with (
                b.loop(base_name(along.index.name), stops[0], rows, kind=along.kind) as i,
                b.loop(base_name(inner.index.name), stops[1], columns, kind=inner.kind) as j,
            ):
                counters[along.index.name], counters[inner.index.name] = i, j
                place = (i - rows) * self.row + j - columns
                for statement in self._from_tiles(tiles, counters, place):
                    b.emit(statement)
        return b.statements()

    def _stop(self, start: Index, loop: For) -> Index:
        return self.b.minimum(start + self.side, loop.stop, "stop")

    def _copy(self, load: Load, counters: dict[str, Index], rows: Index, columns: Index,
              stops: Sequence[Index]) -> Buffer:  # fmt: skip
        """Copy one operand's part to a tile."""
        b = self.b
        size = Index.of(self.side * self.row)
        buffer = Buffer(self.names.fresh("tile"), load.buffer.dtype, "stack", size)
        with (
            b.loop("j", stops[1], columns, kind="independent") as j,
            b.loop("i", stops[0], rows, kind="independent") as i,
        ):
            here = {**counters, self.along.index.name: i, self.inner.index.name: j}
            element = b.value(base_name(load.target.name), load.target.dtype)
            b.emit(Load(element, load.buffer, load.index.replace(here)))
            b.store(View(buffer, (), (), (i - rows) * self.row + j - columns), [], element)
        return buffer

    def _from_tiles(
        self, tiles: Sequence[Buffer], counters: dict[str, Index], place: Index
    ) -> list[Statement]:
        """Return the innermost body, which loads from tiles."""
        tile_of = {
            (load.buffer.name, load.index): buffer
            for load, buffer in zip(self.loads, tiles, strict=True)
        }
        copier = Copier(self.names, counters)
        body: list[Statement] = []
        for statement in self.inner.body:
            key = (statement.buffer.name, statement.index) if isinstance(statement, Load) else None
            if isinstance(statement, Load) and key in tile_of:
                body.append(Load(copier.fresh(statement.target), tile_of[key], place))
            else:
                body += copier.statement(statement)
        return body

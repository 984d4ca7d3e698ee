"""Stage: interleaved elements that vectors can't read or write well go through tiles.

Compilers read and write interleaved elements with shuffles if there are 3 or a power of two of
them, and otherwise one by one, without vectors. If the elements of a row are stored that have
parts in common, such as a sum, they rather fill vectors along the row, and compute the common parts
for each element. A loop over a block of rows first copies such elements to memory on the stack in
which those of neighbouring rows are neighbours; results are copied back after it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano import dtypes
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, reads
from symtheano.loopir.rewrite import Copier, names_used, with_loops
from symtheano.scalar.table import TABLE

_Place = tuple[str, Index]


def stage(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Stage operands of innermost loops of scalars; invariants must be hoisted."""

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind not in ("independent", "reduce") or loop.step != 1:
            return None
        if not all(isinstance(s, Let | LetIndex | Load | Store | Reduce | Update)
                   for s in loop.body):  # fmt: skip
            return None
        if not any(_is_interleaved(s, loop) for s in loop.body):
            return None
        loads, stores = _apart(loop, target), _joined(loop)
        if not loads and not stores:
            return None
        for what, places in (("read", loads), ("written", stores)):
            for name in dict.fromkeys(name for name, _ in places):
                context.note(loop, "{} is {} through a tile", name, what)
        return _Tiles(loop, loads, stores, target, context.names).write()

    staged = with_loops(kernel, change)
    context.otherwise("not, no innermost loop has interleaved elements that need it")
    return staged


def _is_interleaved(statement: Statement, loop: For) -> bool:
    if not isinstance(statement, Load | Store):
        return False
    stride = statement.index.coefficient(loop.index.name).constant
    return stride is not None and abs(stride) > 1


def _place(statement: Load | Store) -> _Place:
    return statement.buffer.name, statement.index


def _apart(loop: For, target: Target) -> list[_Place]:
    """Return the places of several elements of a row that can't be read with shuffles."""
    own = {value.name for s in loop.body for value in definitions(s)}
    written: set[str] = set()
    groups: dict[tuple[str, int | None], dict[_Place, None]] = {}
    for s in loop.body:
        if isinstance(s, Store | Update):
            written.add(s.buffer.name)
        elif isinstance(s, Load) and s.buffer.name not in written:
            stride = s.index.coefficient(loop.index.name).constant
            shuffled = stride is None or target.rows.interleaves(abs(stride))
            if not shuffled and own.isdisjoint(s.index.names()):
                groups.setdefault((s.buffer.name, stride), {})[s.buffer.name, s.index] = None
    return [place for group in groups.values() if len(group) > 1 for place in group]


def _joined(loop: For) -> list[_Place]:
    """Return the places of elements of a row that are computed from common values."""
    names = {value.name for s in loop.body for value in definitions(s)}
    parts = {v.name: s for s in loop.body if isinstance(s, Let) for v in definitions(s)}
    groups: dict[str, list[Store]] = {}
    for s in loop.body:
        if isinstance(s, Store):
            groups.setdefault(s.buffer.name, []).append(s)
    places: list[_Place] = []
    for name, stores in groups.items():
        strides = {s.index.coefficient(loop.index.name).constant for s in stores}
        if (
            len(stores) < 2
            or strides <= {0, 1}
            or not all(names.isdisjoint(s.index.names()) for s in stores)
        ):
            continue
        if _reads_after(loop, name) or not _share(stores, parts):
            continue
        places += dict.fromkeys((name, s.index) for s in stores)
    return places


def _reads_after(loop: For, name: str) -> bool:
    """Return whether a buffer is read after it was written."""
    first = next(
        n for n, s in enumerate(loop.body) if isinstance(s, Store) and s.buffer.name == name
    )
    return any(buffer.name == name for s in loop.body[first:] for buffer in reads(s))


def _share(stores: Sequence[Store], parts: dict[str, Let]) -> bool:
    """Return whether two stored values depend on one computed value.

    If functions are called, compilers do not compute elements of a row alike.
    """
    seen: dict[str, int] = {}
    shared = False
    for number, store in enumerate(stores):
        waiting = [store.value.name] if isinstance(store.value, Value) else []
        while waiting:
            name = waiting.pop()
            if name not in parts:
                continue
            if _is_call(parts[name]):
                return False
            before = seen.get(name)
            shared |= before not in (None, number)
            if before is None:
                seen[name] = number
                waiting += names_used(parts[name])
    return shared


def _is_call(statement: Let) -> bool:
    """Return whether a scalar statement calls a function of the C library."""
    row = TABLE.get(statement.op)
    if row is None or not row.libm or not dtypes.is_continuous(statement.target.dtype):
        return False
    return any(f"{name}{{f}}(" in row.c_expression("f") for name in row.libm)


class _Tiles:
    def __init__(
        self, loop: For, loads: list[_Place], stores: list[_Place], target: Target, names: Names
    ) -> None:
        self.loop, self.names, self.b = loop, names, Builder(names)
        self.loads, self.stores = loads, stores
        buffers = {s.buffer.name: s.buffer for s in loop.body if isinstance(s, Load | Store)}
        each = sum(np.dtype(buffers[name].dtype).itemsize for name, _ in (*loads, *stores))
        self.width = target.rows.lanes
        while self.width < target.rows.block and self.width * 4 * each <= target.caches.near:
            self.width *= 2
        self.buffers = buffers
        self.inputs = self._tiles(loads)
        self.outputs = self._tiles(stores)

    def _tiles(self, places: Sequence[_Place]) -> dict[_Place, tuple[Buffer, int]]:
        """Return for each place its tile, and where its lanes begin."""
        counts: dict[str, int] = {}
        starts: list[int] = []
        for name, _ in places:
            starts.append(counts.get(name, 0) * self.width)
            counts[name] = counts.get(name, 0) + 1
        tiles = {
            name: Buffer(self.names.fresh("tile"), self.buffers[name].dtype, "stack",
                         Index.of(count * self.width))
            for name, count in counts.items()
        }  # fmt: skip
        return {
            place: (tiles[place[0]], start) for place, start in zip(places, starts, strict=True)
        }

    def write(self) -> Sequence[Statement]:
        """Return the loops over blocks of rows."""
        b, loop, i = self.b, self.loop, self.loop.index.name
        with b.loop("block", loop.stop, loop.start, step=self.width, kind=loop.kind,
                    work=loop.work or work_of(loop)) as block:  # fmt: skip
            count = b.minimum(loop.stop - block, self.width, "lanes")
            if self.inputs:
                with b.loop("lane", count, kind="independent") as lane:
                    for (name, index), (tile, start) in self.inputs.items():
                        place = index.replace({i: block + lane})
                        self._move(self.buffers[name], place, tile, lane + start)
            with b.loop("lane", count, kind=loop.kind) as lane:
                copier = Copier(self.names, {i: block + lane})
                for statement in loop.body:
                    self._emit(statement, copier, lane)
            if self.outputs:
                with b.loop("lane", count, kind="independent") as lane:
                    for (name, index), (tile, start) in self.outputs.items():
                        place = index.replace({i: block + lane})
                        self._move(tile, lane + start, self.buffers[name], place)
        return b.statements()

    def _move(self, source: Buffer, at: Index, target: Buffer, to: Index) -> None:
        value = self.b.value("element", source.dtype)
        self.b.emit(Load(value, source, at))
        self.b.emit(Store(target, to, value))

    def _emit(self, statement: Statement, copier: Copier, lane: Index) -> None:
        key = (
            (statement.buffer.name, statement.index)
            if isinstance(statement, Load | Store)
            else None
        )
        if isinstance(statement, Load) and key in self.inputs:
            tile, start = self.inputs[key]
            self.b.emit(Load(copier.fresh(statement.target), tile, lane + start))
        elif isinstance(statement, Store) and key in self.outputs:
            tile, start = self.outputs[key]
            self.b.emit(Store(tile, lane + start, copier.operand(statement.value)))
        else:
            for new in copier.statement(statement):
                self.b.emit(new)

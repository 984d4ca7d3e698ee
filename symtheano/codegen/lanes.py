"""Loops over short rows: many rows at once, one per vector lane.

A loop over ten classes fills little more than one vector, and its sum is a dozen dependent
additions. If the rows of a nest are that short, its loops are interchanged: for each position in a
row, the inner loop runs over the rows of a block. Values per row, including accumulators, are kept
in small arrays. The terms of a row are added in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from symtheano.codegen.elements import accumulated
from symtheano.codegen.neutral import neutral_element
from symtheano.codegen.steps import Member
from symtheano.codegen.tiles import KernelTiles
from symtheano.loopir import Buffer, If, Index, Literal, Value, View
from symtheano.loopir.nodes import Operand
from symtheano.tensor.reduce import ArgReduce

# Rows of a block; maximum length of rows.
_LANES = 32
_SHORT = 16


class KernelLanes(KernelTiles):
    """Writes the loops of nests with short rows."""

    def _rows_by_length(self, lanes: Callable[[], None], one_by_one: Callable[[], None]) -> None:
        """Write the loops over rows in one of two ways, or both, where the length decides."""
        inner = self._groups(self.nest.inner)
        length = self._length(inner[0]) if len(inner) == 1 else Index.of(0)
        known = length.constant
        if not self._fits_lanes(inner) or (known is not None and known > _SHORT):
            one_by_one()
            return
        if known is not None:
            lanes()
            return
        b = self.b
        short = b.let("le", "bool", [b.operand(length), Literal(_SHORT, "int64")], "short_rows")
        with b.block() as then, self._scope():
            lanes()
        with b.block() as otherwise, self._scope():
            one_by_one()
        b.emit(If(short, tuple(then), tuple(otherwise)))

    def _fits_lanes(self, inner: Sequence[int]) -> bool:
        """Return whether a nest visits its rows more than once, and keeps no more than numbers."""
        inside = [m for m in self.nest.members if self.plan.is_inner(m)]
        return (
            len(inner) == 1
            and len(self._groups(self.nest.outer)) == 1
            and self.plan.stages > 1
            and not self.plan.scratch
            and all(m.role in ("point", "row") for m in inside)
            and all(m.role != "column" for m in self.nest.members)
            and not any(isinstance(m.node.op, ArgReduce) for m in self.nest.members)
        )

    def _lanes(self, outer: int, start: Index, stop: Index, **options: Any) -> None:
        """Write the loops over blocks of rows."""
        b = self.b
        (inner,) = self._groups(self.nest.inner)
        self.cells = self._cells()
        with b.loop("block", stop, start, step=_LANES, **options) as block, self._scope():
            count = self._minimum(stop - block, Index.of(_LANES), "lanes")
            finished: list[Member] = []
            for stage in range(self.plan.stages):
                with self._lane_loop(outer, block, count, self._totals(stage)) as lane:
                    self._between(stage, finished, lane)
                members = self.plan.inner_members_of(stage)
                finished = [m for m in members if m.role == "row"]
                if members:
                    with self._loop(inner), self._lane_loop(outer, block, count) as lane:
                        self._fetch(self._read_inside_loops(stage), lane)
                        self._add_up(stage, finished, lane)
            if finished or self._stored_per_row():
                with self._lane_loop(outer, block, count) as lane:
                    self._between(self.plan.stages, finished, lane)

    @contextmanager
    def _lane_loop(self, outer: int, block: Index, count: Index,
                   reductions: Any = ()) -> Iterator[Index]:  # fmt: skip
        with self.b.loop("lane", count, kind="simd", reductions=reductions) as lane, self._scope():
            self.counters[outer] = block + lane
            yield lane
            del self.counters[outer]

    def _between(self, stage: int, finished: Sequence[Member], lane: Index) -> None:
        """Generate the work per row between its loops: results, then values that need them."""
        for member in finished:
            (output,) = member.node.outputs
            self.accumulators[output] = tuple(
                (self._load_cell(cell, lane), row) for cell, row in self.sums[output]
            )
            self._finish_row(member)
            self._keep(output, lane)
        last = stage == self.plan.stages
        read = self._stored_per_row() if last else self._read_between(stage)
        made = () if last else self._made_between(stage)
        self._fetch([item for item in read if item not in self.values and item not in made], lane)
        if last:
            self._store_outer()
            return
        self._outer_members(stage)
        for value in made:
            self._keep(value, lane)
        for member in self.plan.inner_members_of(stage):
            if member.role == "row":
                self._begin(member, lane)

    # -- numbers of a row ------------------------------------------------------------------------

    def _cells(self) -> dict[Any, Buffer]:
        """Return where numbers are kept that another loop along the rows reads again."""
        self.sums: dict[Any, tuple[tuple[Buffer, str], ...]] = {}
        stages = self.plan.stages
        wanted: dict[Any, None] = {}
        for stage in range(stages):
            wanted.update(dict.fromkeys(self._read_inside_loops(stage)))
            made = {*self._made_between(stage), *self._row_results(stage - 1)}
            wanted.update((item, None) for item in self._read_between(stage) if item not in made)
        made = set(self._row_results(stages - 1))
        wanted.update((item, None) for item in self._stored_per_row() if item not in made)
        return {item: self._cell(item.dtype, item.name or "kept") for item in wanted}

    def _cell(self, dtype: str, wish: str) -> Buffer:
        return Buffer(self.b.names.fresh(wish), dtype, "stack", Index.of(_LANES))

    def _row_results(self, stage: int) -> list[Any]:
        """Return what the loops of a stage leave of each row."""
        members = self.plan.inner_members_of(stage) if stage >= 0 else []
        return [m.node.outputs[0] for m in members if m.role == "row"]

    def _made_between(self, stage: int) -> list[Any]:
        """Return the numbers of a row that are made before a stage's loops."""
        outer = [m for m in self.plan.members_of(stage) if not self.plan.is_inner(m)]
        return [m.node.outputs[0] for m in outer if m.role in ("point", "row")]

    def _of_rows(self, members: Sequence[Member]) -> list[Any]:
        """Return the numbers of a row that members read."""
        found: dict[Any, None] = {}
        for member in members:
            if not self._reads_inside(member):
                continue
            for source in self.plan.sources(member):
                maker = self.plan.inside(source)
                if maker is not None and (maker.role == "row" or not self.plan.is_inner(maker)):
                    found[source] = None
        return list(found)

    def _read_inside_loops(self, stage: int) -> list[Any]:
        again = [self.plan.by_result[v] for v, how in self.plan.again(stage) if how == "compute"]
        return self._of_rows([*again, *self.plan.inner_members_of(stage)])

    def _read_between(self, stage: int) -> list[Any]:
        return self._of_rows([m for m in self.plan.members_of(stage) if not self.plan.is_inner(m)])

    def _stored_per_row(self) -> list[Any]:
        makers = self.plan.by_result
        return [
            stored
            for stored in self.nest.stores
            if makers[stored].role == "row"
            or (makers[stored].role == "point" and not self.plan.is_inner(makers[stored]))
        ]

    def _keep(self, value: Any, lane: Index) -> None:
        cell = self.cells.get(value)
        if cell is not None:
            self.b.store(View(cell, (), (), lane), [], self.values[value])

    def _fetch(self, wanted: Sequence[Any], lane: Index) -> None:
        for item in wanted:
            if item in self.cells:
                self.values[item] = self._load_cell(self.cells[item], lane)

    def _load_cell(self, cell: Buffer, lane: Index) -> Any:
        return self.b.load(View(cell, (), (), lane), [])

    # -- accumulators ----------------------------------------------------------------------------

    def _totals(self, stage: int) -> tuple[tuple[Value, str], ...]:
        """Return what the loop between two stages adds up over all rows."""
        members = self.plan.members_of(stage)
        full = [m for m in members if m.role == "full" and not self.plan.is_inner(m)]
        return tuple(pair for m in full for pair in self.accumulators[m.node.outputs[0]])

    def _begin(self, member: Member, lane: Index) -> None:
        (output,) = member.node.outputs
        dtype, names = accumulated(member.node)
        self.sums[output] = tuple((self._cell(dtype, wish), row) for row, wish in names)
        for cell, row in self.sums[output]:
            start = neutral_element(row, dtype)
            self.b.store(View(cell, (), (), lane), [], start)

    def _add_up(self, stage: int, members: Sequence[Member], lane: Index) -> None:
        sums: list[tuple[Buffer, Value]] = []
        for member in members:
            (output,) = member.node.outputs
            current: list[tuple[Value, str]] = []
            for cell, row in self.sums[output]:
                before: Operand = self._load_cell(cell, lane)
                current.append((self.b.declare(cell.name, before), row))
                sums.append((cell, current[-1][0]))
            self.accumulators[output] = tuple(current)
        self._inner_body(stage)
        for cell, value in sums:
            self.b.store(View(cell, (), (), lane), [], value)

"""Prefetching in kernels: the next row, and rows selected by indices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symtheano.codegen.access import Strides
from symtheano.codegen.positions import KernelPositions
from symtheano.codegen.steps import is_unit
from symtheano.graph.variable import Apply
from symtheano.loopir import Index, Literal, Prefetch, View
from symtheano.loopir.builder import Reader
from symtheano.loopir.index import product
from symtheano.loopir.nodes import Operand
from symtheano.tensor.advanced import AdvancedSubtensor
from symtheano.tensor.elemwise import Elemwise

# Bytes of a cache line; elements of a row between prefetches of the next; elements of a nest that
# may fit into a cache.
_LINE = 64
_BLOCK = 512
_IN_CACHE = 1 << 18
# Rows selected by indices: the distance in rows, the minimum number of elements of the array, and
# the number of cache lines per row.
_ROWS_AHEAD = 8
_IN_CORE = 1 << 16
_LINES = 4

Row = tuple[View, list[Index], bool]
"""A row of an array: the array, the index of the row, and whether it will be written."""


class KernelAhead(KernelPositions):
    """Generates prefetches."""

    def _is_second_pass(self, stage: int) -> bool:
        """Return whether a stage's loop is the second one over each (then cached) row.

        While it runs, memory is idle and can deliver the next row.
        """
        before = [s for s in range(stage) if self.plan.inner_members_of(s)]
        rows, inner = self._groups(self.nest.outer), self._groups(self.nest.inner)
        return len(before) == 1 and bool(rows) and len(inner) == 1

    def _read_ahead(self, stage: int) -> list[Prefetch]:
        """Return what to prefetch at an inner index: the next row's operands, and later results.

        Results of later stages belong to this row.
        """
        row, inner = self._groups(self.nest.outer)[-1], self._groups(self.nest.inner)[0]
        places: dict[tuple[str, Index], Prefetch] = {}

        def add(place: tuple[View, Strides], step: int, write: bool) -> None:
            view, strides = place
            along, across = (strides[self.axes[group][-1]] for group in (inner, row))
            if along == 1 and across != 0:
                index = self.address(view, strides) + across * step
                places.setdefault((view.buffer.name, index), Prefetch(view.buffer, index, write))

        for member in self.nest.members:
            if member.role == "point" and not isinstance(member.node.op, Elemwise):
                continue
            for item in member.node.inputs:
                source = self.schedule.source(item).variable
                outside = self.plan.inside(source) is None and not is_unit(source)
                if outside and source not in self.nest.inline:
                    add(self.strides(member, item), 1, False)
        hosts = self.plan.spills.values()
        for stored in self.nest.stores:
            member = self.plan.by_result[stored]
            later = self.plan.stage[stored] > stage
            if member.role == "point" and self.plan.is_inner(member):
                add(self.stored(stored), 0 if later and stored not in hosts else 1, True)
        return list(places.values())

    def _loops_with_prefetch(self, stage: int, group: int, ahead: list[Prefetch]) -> None:
        b = self.b
        size = b.operand(product(tuple(self.nest.space)))
        many = b.let("gt", "bool", [size, Literal(_IN_CACHE, "int64")], "many")
        line = _LINE // max(np.dtype(item.buffer.dtype).itemsize for item in ahead)
        with b.loop("block", self._length(group), step=_BLOCK) as block, self._scope():
            stop = self._minimum(block + _BLOCK, self._length(group), "stop")
            with b.branch(many), b.loop("k", stop, block, step=line) as k:
                for item in ahead:
                    b.emit(replace(item, index=item.index + k))
            reductions = self._reductions(stage)
            with self._loop(group, block, stop, kind="simd", reductions=reductions):
                self._inner_body(stage)

    # -- rows that indices name ------------------------------------------------------------------

    def _ask_for_rows(self, more: Any = None) -> None:
        """Prefetch the rows of later iterations of an outer loop, selected by index arrays.

        Parameters
        ----------
        more
            Function of the index of the outer loop that returns additional rows.
        """
        row, b = self.counters[0], self.b
        views = [whole for _, whole in self._gathers()]
        if more is not None:
            views += [view for view, _, _ in more(row)]
        if not views:
            return
        size = b.operand(sum((view.size for view in views), Index.of(0)))
        last = b.operand(self._length(0) - 1)
        inner = product(tuple(self._length(group) for group in range(1, len(self.axes))))
        with b.branch(b.let("gt", "bool", [size, Literal(_IN_CORE, "int64")], "many")):
            before = self._state()
            ahead = self._minimum(row + _ROWS_AHEAD, b.as_index(last), "ahead")
            rows = [*(more(ahead) if more is not None else ()), *self._gathered(ahead)]
            line = _LINE // max(np.dtype(view.dtype).itemsize for view, _, _ in rows)
            stop = self._minimum(inner, Index.of(_LINES * line), "stop")
            with b.loop("k", stop, step=line) as k:
                for view, index, write in rows:
                    padded = [*index, *[Index.of(0)] * (view.ndim - len(index))]
                    b.emit(Prefetch(view.buffer, view.at(padded) + k, write))
            self._restore(before)

    def _gathers(self) -> Iterator[tuple[Apply, View]]:
        """Yield the gathers of rows along the outer loop, and their source arrays."""
        made: Any
        for made in self.nest.inline:
            node = made.owner
            gather = isinstance(node.op, AdvancedSubtensor) and node.op.axis == 0
            if not gather or node.nin != 2 or node.inputs[1].ndim != 1 or made.ndim == 1:
                continue
            whole = self.schedule.source(node.inputs[0]).variable
            along = self.schedule.dims(made)[0] == self.nest.space[0]
            if along and whole not in self.nest.inline and not is_unit(whole):
                yield node, self.around.view(node.inputs[0])

    def _gathered(self, row: Index) -> Iterator[Row]:
        """Yield the rows that gathers read at an index of the outer loop."""
        for node, whole in self._gathers():
            index = [row, *[Index.of(0)] * (whole.ndim - 1)]
            scalars = self.schedule.shapes.scalars(node)
            yield whole, node.op.positions(self.b, node, index, self._reader(node), scalars), False  # type: ignore[attr-defined]

    def _reader(self, node: Apply) -> Reader:
        def read(number: int, index: Sequence[Index]) -> Operand:
            return self.read_at(node.inputs[number], list(index))

        return read

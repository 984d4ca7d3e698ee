"""Tiled loops over transposed operands, which are then also read along their rows.

If an operand is contiguous along an outer loop, each iteration of the inner loop reads another
cache line, for one element. A tile of both loops therefore first copies its part of the operand,
row by row, to memory that is contiguous along the inner loop. Tiles are on the stack of the thread,
which may be small: tiles are smaller if there are more operands, and operands that do not fit even
into the smallest tiles are read directly.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import accumulate, compress
from typing import Any

import numpy as np

from symtheano.codegen.access import Strides, Tile
from symtheano.codegen.steps import is_unit
from symtheano.codegen.streams import KernelStreams
from symtheano.loopir import Buffer, Index, View
from symtheano.tensor.elemwise import Elemwise

# Lengths of a tile's rows and columns, and the maximum size of all tiles of a kernel, which is that
# of the L1 cache.
_SIDES = (32, 16, 8)
_STACK_BYTES = 1 << 15

Operands = dict[tuple[str, Index, Strides], View]


def _fitting(found: Operands) -> tuple[Operands, int]:
    """Return the operands with tiles, and the side length of the tiles."""
    each = [np.dtype(view.dtype).itemsize for view in found.values()]
    side = next((side for side in _SIDES if sum(each) * side**2 <= _STACK_BYTES), _SIDES[-1])
    room = [total * side**2 <= _STACK_BYTES for total in accumulate(each)]
    return dict(compress(found.items(), room)), side


class KernelTiles(KernelStreams):
    """Writes tiled loops."""

    def _transposed(self, along: int, inner: int) -> Operands:
        """Return what is read along the outer of two loops: by (array, offset, strides)."""
        found = {}
        for member in self.nest.members:
            if not isinstance(member.node.op, Elemwise):
                continue
            for item in member.node.inputs:
                source = self.schedule.source(item).variable
                if self.plan.inside(source) or is_unit(source) or source in self.nest.inline:
                    continue
                view, strides = self.strides(member, item)
                near, far = (strides[self.axes[group][-1]] for group in (along, inner))
                if near == 1 and far not in (0, 1, -1):
                    found[view.buffer.name, view.offset, strides] = view
        return found

    def _tiled_pair(self, groups: list[int]) -> tuple[int, Operands] | None:
        """Return the loop to tile together with the innermost one, and what is read along it."""
        for along in groups[-2::-1]:
            found = self._transposed(along, groups[-1])
            if found:
                return along, found
        return None

    def _tiled_loops(
        self, groups: list[int], along: int, transposed: Operands, work: Index
    ) -> None:
        """Write the loops of a nest of points in tiles."""
        inner, b = groups[-1], self.b
        copied, side = _fitting(transposed)
        options: dict[str, Any] = {"kind": "parallel", "work": work}
        others = [group for group in groups if group not in (along, inner)]
        starts: dict[int, Index] = {}
        with ExitStack() as stack:
            for group in others:
                stack.enter_context(self._loop(group, **options))
                options = {}
            with (
                b.loop("tile", self._length(along), step=side, **options) as starts[along],
                b.loop("tile", self._length(inner), step=side) as starts[inner],
            ):
                stops = {
                    group: self._minimum(start + side, self._length(group), "stop")
                    for group, start in starts.items()
                }
                for key, view in copied.items():
                    self._copy_tile(key, view, side, (along, inner), starts, stops)
                with self._loop(along, starts[along], stops[along]):
                    self._load_invariant(set(self.axes[inner]))
                    with self._loop(inner, starts[inner], stops[inner], kind="simd"):
                        self._inner_body(0)
        self.tiles.clear()

    def _copy_tile(
        self,
        key: tuple[str, Index, Strides],
        view: View,
        side: int,
        pair: tuple[int, int],
        starts: dict[int, Index],
        stops: dict[int, Index],
    ) -> None:
        along, inner = pair
        b = self.b
        tile = Buffer(b.names.fresh("tile"), view.dtype, "stack", Index.of(side * side))
        with (
            self._loop(inner, starts[inner], stops[inner]),
            self._loop(along, starts[along], stops[along], kind="simd"),
        ):
            row, column = (self.counters[group] - starts[group] for group in pair)
            element = b.load(View(view.buffer, (), (), self.address(view, key[2])), [])
            b.store(View(tile, (), (), row * side + column), [], element)
        self.tiles[key] = Tile(tile, side, starts[along] * side + starts[inner], along, inner)

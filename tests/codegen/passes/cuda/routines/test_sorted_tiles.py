"""Sorted tiles: the places of elements, on the interpreter, which finds races."""

from __future__ import annotations

import numpy as np

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.cuda.routines.sorted_tiles import Place, TileSort
from symtheano.codegen.processors import CPU
from symtheano.loopir import Buffer, Builder, Call, Index, Program, View
from symtheano.loopir.operands import Address
from symtheano.loopir.verify import verify_statements
from tests.codegen.passes.change import TINY
from tests.support.races import Device


def test_tiles_of_rows() -> None:
    """Two tiles of two rows: each is sorted by itself, and equal elements keep their order."""
    x = np.random.default_rng(0).integers(0, 9, (2, 45))
    b, none = Builder(routines=CPU.routines), Index.of(0)
    names = ("x", "order", "sorted")
    arrays = {name: Buffer(b.names.fresh(name), "int64", "arena", Index.of(90)) for name in names}
    b.call("sort", Index.of(2), Index.of(45), Address(arrays["x"], none))
    (call,) = (s for s in b.statements() if isinstance(s, Call))
    tiles = TileSort(call, TINY, b.names, KernelMemory(Program("f", (), (), (), ())))
    views = {name: View(buffer, (), (), none) for name, buffer in arrays.items()}

    def put(at: Place) -> None:
        to = at.first + at.place
        tiles.b.store(tiles.at(views["order"], at.row, to), [], tiles.b.operand(at.position))
        tiles.b.store(tiles.at(views["sorted"], at.row, to), [], at.element)

    tiles.tiles(tiles.n, lambda row, place: tiles.load(views["x"], row, place), put)
    kernel = tiles.kernel()
    verify_statements(kernel.body, buffers=[*arrays.values()])
    memory = {"x": x.ravel(), "order": np.zeros(90, "int64"), "sorted": np.zeros(90, "int64")}
    machine = Device({}, memory, TINY.device.warp)
    machine.run(kernel.body)
    for row in range(2):
        for first, end in ((0, tiles.tile), (tiles.tile, 45)):
            order = np.argsort(x[row, first:end], kind="stable") + first
            found = machine.arrays["order"].reshape(2, 45)[row, first:end]
            np.testing.assert_array_equal(found, order)
            ones = machine.arrays["sorted"].reshape(2, 45)[row, first:end]
            np.testing.assert_array_equal(ones, x[row, order])

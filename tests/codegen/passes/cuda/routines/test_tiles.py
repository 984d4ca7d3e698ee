"""Tiles: a product of two matrices, and one of a tile with a matrix, without races."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.cuda.routines.attention_calls import Matrices
from symtheano.codegen.passes.cuda.routines.tiles import Part, Tiles
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, Builder, Index, Kernel
from symtheano.loopir.verify import verify_statements
from tests.codegen.passes.change import TINY
from tests.support.races import Device

SMALL = replace(TINY, device=replace(TINY.device, threads=16))


@pytest.mark.parametrize("turned", [False, True])
def test_products(turned: bool) -> None:
    """``(x y') z``, or its transpose, of a tile that is not full."""
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=shape)
              for name, shape in (("x", (7, 9)), ("y", (6, 9)), ("z", (6, 10)))}  # fmt: skip
    wanted = arrays["x"] @ arrays["y"].T @ arrays["z"]
    if turned:
        arrays["x"], arrays["y"] = arrays["y"], arrays["x"]
    arrays["to"] = np.zeros((7, 10))
    b, none = Builder(), Index.of(0)
    parts = {}
    for name, array in arrays.items():
        rows, columns = map(Index.of, array.shape)
        buffer = Buffer(b.names.fresh(name), "float64", "arena", rows * columns)
        matrices = Matrices(buffer, none, (none,) * 3, columns)
        parts[name] = Part(matrices, (none,) * 3, none, rows, columns)
    tiles = Tiles(b, "float64", SMALL.device)
    assert (tiles.side, tiles.size, tiles.strip) == (4, 8, 8)
    one, total = tiles.registers("one", tiles.size), tiles.registers("total", 2 * tiles.strip)
    with b.loop("block", 1, kind="grid"):
        square, strips = tiles.square("square"), (tiles.factor("left"), tiles.factor("right"))
        tiles.clear(total)
        tiles.multiply(one, parts["x"], parts["y"], strips)
        tiles.spread(one, square)
        tiles.add(total, square, parts["z"], strips[1], turned)
        tiles.put(total, parts["to"], lambda value, row: value)
    kernel = run_passes(Kernel("f", "f", b.statements()), b.names, [synchronize], SMALL)
    verify_statements(kernel.body, buffers=[part.matrices.buffer for part in parts.values()])
    machine = Device({}, {name: x.ravel() for name, x in arrays.items()}, SMALL.device.warp)
    machine.run(kernel.body)
    np.testing.assert_allclose(machine.arrays["to"].reshape(7, 10), wanted)

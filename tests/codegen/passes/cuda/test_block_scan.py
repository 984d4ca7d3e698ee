"""Block scans: totals before each item, and the last one."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.cuda.block_scan import BlockScan
from symtheano.codegen.passes.cuda.prefix import prefix
from symtheano.loopir import Buffer, Index, Kernel, Literal, Load, Store, Value
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from tests.codegen.passes.change import TINY
from tests.support.races import Device

SIZE = Index.symbol("n")
REST = CUDA.passes[CUDA.passes.index(prefix) + 1 :]


class Sums(BlockScan):
    """The sums of the elements before each one."""

    def __init__(self, op: str) -> None:
        names = Names()
        for name in ("x", "out", "n"):
            names.fresh(name)
        super().__init__(op, "int64", SIZE, TINY.device.threads, names, None)
        self.x = Buffer("x", "int64", "input", SIZE, 0)
        self.out = Buffer("out", "int64", "output", SIZE + 1, 0)

    def item(self, k: Index) -> Operand:
        value = Value(self.names.fresh("x_i"), "int64")
        self.b.emit(Load(value, self.x, k))
        return value

    def use(self, k: Index, before: Operand, part: Buffer, thread: Index) -> None:
        total = self.b.let(self.op, "int64", [before, self.part(part, thread)])
        self.b.emit(Store(self.out, k, total))


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 40])
@pytest.mark.parametrize("op", ["add", "mul"])
def test_sums_and_products(op: str, length: int) -> None:
    scan = Sums(op)
    last = scan.chunks(Literal(3, "int64"))
    scan.b.emit(last)
    scan.b.emit(Store(scan.out, SIZE, last.target))
    numbers = np.random.default_rng(length).integers(1, 4, length)
    arrays = {"x": numbers, "out": np.zeros(length + 1, "int64")}
    kernel = Kernel("kernel", "sums", scan.b.statements())
    Device({"n": length}, arrays, warp=4).run(run_passes(kernel, scan.names, REST, TINY).body)
    run = np.cumsum if op == "add" else np.cumprod
    wanted = run(np.concatenate([[3], numbers]))
    np.testing.assert_array_equal(arrays["out"][:length], wanted[1:])
    assert arrays["out"][length] == wanted[-1]

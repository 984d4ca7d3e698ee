"""Which threads share which loops: by the lengths of rows, and by what is contiguous."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.trace import Trace
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, Reduce, Store, View
from symtheano.loopir.builder import Names
from symtheano.loopir.names import uses
from symtheano.loopir.verify import verify_statements
from tests.codegen.passes.kernels import values_of
from tests.support.races import Device

ROWS = Index.symbol("x_d0")
ZERO = Literal(0.0, "float64")


def buffer(name: str, space: str, size: Index, position: int | None = None) -> Buffer:
    kind: object = space
    return Buffer(name, "float64", kind, size, position)  # type: ignore[arg-type]


def products(length: Index) -> tuple[Kernel, Names]:
    """Write each row of a matrix times a vector."""
    b = Builder()
    for name in ("x", "v", "out"):
        b.names.fresh(name)
    x, v = buffer("x", "input", ROWS * length, 0), buffer("v", "input", length, 1)
    out = buffer("out", "output", ROWS * length, 0)
    with b.loop("i", ROWS, kind="independent") as i, b.loop("j", length, kind="independent") as j:
        left, right = (b.load(View(*place), []) for place in (
            (x, (), (), i * length + j), (v, (), (), j)
        ))  # fmt: skip
        b.emit(Store(out, i * length + j, b.let("mul", "float64", [left, right])))
    return Kernel("kernel", "products", b.statements()), b.names


def sums(length: Index, columns: bool = False) -> tuple[Kernel, Names]:
    """Write the sum of each row of a matrix, or of a transposed one."""
    b = Builder()
    for name in ("x", "v", "out"):
        b.names.fresh(name)
    x, out = buffer("x", "input", ROWS * length, 0), buffer("out", "output", ROWS, 0)
    with b.loop("i", ROWS, kind="independent") as i:
        total = b.declare("total", ZERO)
        with b.loop("j", length, kind="reduce") as j:
            place = j * ROWS + i if columns else i * length + j
            b.emit(Reduce(total, "add", b.load(View(x, (), (), place), [])))
        b.emit(Store(out, i, total))
    return Kernel("kernel", "sums", b.statements()), b.names


def steps(length: Index) -> tuple[Kernel, Names]:
    """Write each row of a matrix from the row before, backwards."""
    b = Builder()
    b.names.fresh("out")
    out = buffer("out", "output", (ROWS + 1) * length, 0)
    with b.loop("i", ROWS) as i, b.loop("j", length, kind="independent") as j:
        before = b.load(View(out, (), (), i * length + length - 1 - j), [])
        b.emit(Store(out, (i + 1) * length + j, b.let("neg", "float64", [before])))
    return Kernel("kernel", "steps", b.statements()), b.names


def differences(length: Index) -> tuple[Kernel, Names]:
    """Subtract the first element of each row of a matrix from all of the row."""
    b = Builder()
    b.names.fresh("out")
    out = buffer("out", "output", ROWS * length, 0)
    with b.loop("i", ROWS, kind="independent") as i:
        first = b.load(View(out, (), (), i * length), [])
        with b.loop("j", length, kind="independent") as j:
            place = View(out, (), (), i * length + j)
            b.store(place, [], b.let("sub", "float64", [b.load(place, []), first]))
    return Kernel("kernel", "differences", b.statements()), b.names


N = Index.symbol("x_d1")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (products(N), "j: each of 256 threads computes up to 4 elements"),
        (products(Index.of(5)), "i: a thread for each, with 5 elements"),
        (products(Index.of(32)), "j: each of 256 threads computes up to 4 elements"),
        (sums(N), "i: a warp for each if x_d1 is at most 1024, else a block"),
        (sums(Index.of(8)), "i: a thread for each, since rows have 8 elements"),
        (sums(Index.of(9)), "i: a warp for each, since rows have 9 elements"),
        (sums(Index.of(1025)), "i: a block for each, since rows have 1025 elements"),
        (steps(N), "one: a block for each, of 256 threads"),
        (differences(N), "i: a warp for each if x_d1 is at most 1024, else a block"),
        (sums(N, True), "i: a thread for each, since 2 of its accesses are contiguous along it, "),
    ],
)  # fmt: skip
def test_who_computes_what(written: tuple[Kernel, Names], reason: str) -> None:
    trace, (kernel, names) = Trace(), written
    launched = run_passes(kernel, names, CUDA.passes, CUDA, trace)
    ((*_, last),) = [step.reasons for step in trace.kernels[0] if step.name == "launch"]
    assert last.startswith(reason)
    used = uses(launched.body)
    verify_statements(launched.body, used.values, used.buffers)
    want, got = values_of(kernel, (5, 700)), values_of(launched, (5, 700), partial(Device, warp=32))
    np.testing.assert_allclose(got["out"], want["out"], 1e-12)

"""Lane accumulators: what lanes reduce is neutral before."""

from __future__ import annotations

import numpy as np

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.cuda.lane_accumulators import lane_accumulators
from symtheano.loopir import Buffer, Builder, Declare, For, Index, Kernel, Literal, Reduce, View
from symtheano.loopir.names import walk
from tests.codegen.passes.change import TINY, before, change
from tests.codegen.passes.kernels import x
from tests.support.races import Device

FIRST = before(lane_accumulators, CUDA.passes)
THEN = CUDA.passes[len(FIRST) + 1 :]
N = Index.symbol("n")


def sums(first: float, again: bool = False) -> tuple[Kernel, Builder]:
    """Return a kernel in which lanes add elements to a number, once or twice."""
    b = Builder()
    for name in ("v", "out"):
        b.names.fresh(name)
    v = Buffer("v", "float64", "input", N, 0)
    out = Buffer("out", "float64", "output", Index.of(1), 0)
    with b.loop("block", 1, kind="grid"), b.loop("warp", 1, kind="warp"):
        total = b.declare("total", Literal(first, "float64"))
        for _ in range(1 + again):
            with (
                b.loop("lane", 4, kind="lane", reductions=((total, "add"),)) as lane,
                b.loop("i", N, lane, step=4) as i,
            ):
                b.emit(Reduce(total, "add", b.load(View(v, (), (), i), [])))
        with b.loop("one", 1, kind="lane"):
            b.store(View(out, (), (), Index.of(0)), [], total)
    return Kernel("k", "sums", b.statements()), b


def result(kernel: Kernel) -> float:
    arrays = {"v": np.arange(6.0), "out": np.zeros(1)}
    Device({"n": 6}, arrays, warp=4).run(kernel.body)
    return float(arrays["out"][0])


def test_neutral_numbers_stay() -> None:
    kernel, b = sums(0.0)
    assert run_passes(kernel, b.names, [lane_accumulators], TINY) == kernel
    assert result(kernel) == 15


def test_lanes_have_accumulators_of_their_own() -> None:
    kernel, b = sums(100.0)
    changed = run_passes(kernel, b.names, [lane_accumulators], TINY)
    declared = [s.initial for s in walk(changed.body) if isinstance(s, Declare)]
    assert declared == [Literal(100.0, "float64"), Literal(0.0, "float64")]
    (loop,) = (s for s in walk(changed.body) if isinstance(s, For) and s.reductions)
    assert [value.name for value, _ in loop.reductions] == ["total_2"]
    assert result(changed) == 115


def test_a_number_that_lanes_have_reduced_is_not_neutral() -> None:
    kernel, b = sums(0.0, again=True)
    changed = run_passes(kernel, b.names, [lane_accumulators], TINY)
    loops = [s for s in walk(changed.body) if isinstance(s, For) and s.reductions]
    assert [loop.reductions[0][0].name for loop in loops] == ["total", "total_2"]
    assert result(changed) == 30


def test_rows() -> None:
    change(lane_accumulators, [x], x.sum(1), first=FIRST, then=THEN, target=TINY).assert_refused(
        "not, what lanes reduce is neutral before"
    )

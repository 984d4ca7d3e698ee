"""Teams: what one thread does becomes what the threads of a warp, or a block, do together."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.codegen.passes.cuda.teams import Block, Team
from symtheano.codegen.passes.trace import Context
from symtheano.loopir import Builder, For, Index, Kernel, Literal, Store, View
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.printing.loops import trace_of_passes
from tests.codegen.passes.change import TINY, Golden, text_of
from tests.codegen.passes.cuda.programs import assert_emulated, steps_between_threads
from tests.codegen.passes.cuda.test_launch import buffer
from tests.codegen.passes.kernels import values_of
from tests.support.races import Device

N = Index.symbol("x_d1")


def normalized() -> tuple[Builder, Names]:
    """Write a vector divided by its sum, for one thread."""
    b = Builder()
    for name in ("x", "out"):
        b.names.fresh(name)
    x, out = buffer("x", "input", N, 0), buffer("out", "output", N, 0)
    total = b.declare("total", Literal(0.0, "float64"))
    with b.loop("i", N, kind="reduce") as i:
        b.reduce(total, "add", b.load(View(x, (), (), i), []))
    with b.loop("j", N, kind="independent") as j:
        element = b.load(View(x, (), (), j), [])
        b.emit(Store(out, j, b.let("true_div", "float64", [element, total])))
    return b, b.names


def launched(team: type[Team]) -> tuple[Kernel, Kernel]:
    """Return the kernel for one thread, and that of a team in one block."""
    b, names = normalized()
    plain = Kernel("kernel", "normalize", b.statements())
    body = team(TINY.device, names).body(plain.body)
    if team is Team:  # a warp is one of a block's
        with Builder(names).block() as inner:
            inner += body
        warp = Builder(names)
        with warp.loop("warp", 1, kind="warp"):
            for s in inner:
                warp.emit(s)
        body = warp.statements()
    grid = Builder(names)
    with grid.loop("first", 1, kind="grid"):
        for s in body:
            grid.emit(s)
    kernel = Kernel("kernel", "normalize", grid.statements())
    return plain, synchronize(kernel, TINY, Context(names))


@pytest.mark.parametrize("team", [Team, Block])
def test_values(team: type[Team]) -> None:
    plain, shared = launched(team)
    for length in (1, 3, 8, 29):
        want = values_of(plain, (1, length))
        got = values_of(shared, (1, length), partial(Device, warp=TINY.device.warp))
        np.testing.assert_allclose(got["out"], want["out"], 1e-12)


def test_a_block(golden: Golden) -> None:
    golden(text_of(launched(Block)[1]), "passes/cuda/teams.txt")


def test_a_warp_shares_loops_by_lanes() -> None:
    kinds = [s.kind for s in walk(launched(Team)[1].body) if isinstance(s, For)]
    assert kinds == ["grid", "warp", "lane", "serial", "lane", "serial"]


def test_one_thread_stores() -> None:
    names = Names()
    store = Store(buffer("out", "output", N, 0), Index.of(0), Literal(1.0, "float64"))
    for team, kind in ((Team, "lane"), (Block, "thread")):
        (one,) = team(TINY.device, names).body([store])
        assert isinstance(one, For)
        assert (one.kind, one.stop, one.body) == (kind, 1, (store,))


def steps_in(output: T.TensorVariable) -> set[str]:
    """Return the distances of elements that neighbours among threads access in all launches."""
    last = [steps[-1].kernel for steps in trace_of_passes(output, CUDA).kernels]
    return steps_between_threads([s for kernel in last for s in kernel.body])


m, v, k = T.fmatrix("m"), T.fvector("v"), T.lvector("k")


@pytest.mark.parametrize(
    "output",
    [
        T.sqr(m + v - m[0, 0]).sum(),
        T.tanh(m[k]).sum(),
        m[::2].sum(),
        T.log(T.exp(m).sum(1)).sum(),
        T.nnet.categorical_crossentropy(T.nnet.softmax(m), k).mean(),
        T.ftensor4("x").sum((0, 2, 3)),
    ],
)
def test_neighbours_load_neighbours(output: T.TensorVariable) -> None:
    """Also where scalars are computed for each row, or rows have sums of their own."""
    assert steps_in(output) <= {"0", "1", "4"}  # four neighbours are loaded at once


def test_short_rows_keep_all_threads_busy() -> None:
    last = trace_of_passes((m + v).sum(), CUDA).kernels[-1][-1].kernel
    loops = [s for s in walk(last.body) if isinstance(s, For)]
    lanes = [s for s in loops if s.kind == "lane" and s.reductions]
    assert len(lanes) == 2  # of chunks, and of their results
    for lane in lanes:
        (own,) = (s for s in lane.body if isinstance(s, For))
        assert own.step == CUDA.device.threads
        assert not any(isinstance(s, For) for s in walk(own.body))


def test_long_rows_are_loops_of_their_own() -> None:
    """A division for each element saves nothing if few threads are idle."""
    x = T.TensorType("float32", (None, 4096))("x")
    text = text_of(trace_of_passes((x + v).sum(), CUDA).kernels[-1][-1].kernel)
    assert "place_div" not in text
    assert "place_div" in text_of(trace_of_passes((m + v).sum(), CUDA).kernels[-1][-1].kernel)


@pytest.mark.needs_cxx
def test_values_of_nested_loops() -> None:
    generator = np.random.default_rng(0)
    loss = T.nnet.categorical_crossentropy(T.nnet.softmax(m), k).mean()
    outputs = [T.sqr(m + v).sum(), T.tanh(m[k]).sum(), loss, m[::2, ::3].max()]
    for rows, columns in ((50, 7), (3, 1100), (1, 1), (900, 3)):
        values = generator.normal(size=(rows, columns)).astype("float32")
        labels = generator.integers(0, min(rows, columns), rows)
        others = generator.normal(size=columns).astype("float32")
        assert_emulated([m, v, k], outputs, [values, others, labels], 1e-5)

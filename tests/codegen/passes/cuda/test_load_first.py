"""Load first: a thread loads the elements of its few iterations before it stores any."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.cuda.load_first import load_first
from symtheano.codegen.passes.trace import Trace
from symtheano.loopir import Buffer, Builder, For, Index, Kernel, Literal, Load, Store
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.view import View
from tests.codegen.passes.change import TINY, Change, Golden, before, change
from tests.codegen.passes.cuda.programs import assert_emulated
from tests.codegen.passes.kernels import x

FIRST = before(load_first, CUDA.passes)
THEN = CUDA.passes[len(FIRST) + 1 :]


def unrolled(inputs: list[T.TensorVariable], outputs: object) -> Change:
    """Return what the pass makes of a kernel; values are compared."""
    return change(load_first, inputs, outputs, first=FIRST, then=THEN, target=TINY)


def order(found: Change) -> list[str]:
    """Return how memory is accessed, in order."""
    return [
        type(s).__name__ for s in walk(found.after.body)
        if isinstance(s, Load | Store) and s.buffer.space != "stack"
    ]  # fmt: skip


def test_tiles(golden: Golden) -> None:
    """A thread loads all of its part of a tile, and then stores it."""
    y = T.dmatrix("y")
    found = unrolled([x, y], x.T + y)
    golden(found.text, "passes/cuda/load_first.txt")
    assert found.kinds.count("unrolled") > 1


def loop(most: int, step: int = 4, cyclic: bool = False) -> Change:
    """Return a loop over up to so many elements of a block, of which a thread has some."""
    n = Index.symbol("n")
    source, target = (Buffer(name, "float64", "input", n, k) for k, name in enumerate("xy"))
    names = Names()
    b = Builder(names)
    with b.loop("first", n, step=most, kind="grid") as first:
        stop = b.minimum(first + most, n, "stop")
        with (
            b.loop("thread", step, kind="thread") as thread,
            b.loop("i", stop, first + thread, step=step) as i,
        ):
            value = b.load(View.contiguous(target if cyclic else source, (n,)), [i])
            b.emit(Store(target, i, b.let("add", "float64", [value, Literal(1.0, "float64")])))
    kernel = Kernel("k", "k", b.statements(), ())
    return changed_alone(kernel, names)


def changed_alone(kernel: Kernel, names: Names) -> Change:
    """Return what the pass makes of a kernel."""
    trace = Trace()
    after = run_passes(kernel, names, [load_first], TINY, trace)
    return Change(kernel, after, trace.kernels[0][1].reasons)


@pytest.mark.parametrize(("most", "count"), [(8, 2), (16, 4), (30, 8), (32, 8)])
def test_iterations_follow_from_bounds(most: int, count: int) -> None:
    found = loop(most)
    assert found.reasons == (f"i: loads of {count} iterations come first",)
    assert order(found) == ["Load", "Store"]
    (first, *_) = (s for s in walk(found.after.body) if isinstance(s, For) and s.kind == "unrolled")
    assert first.stop == count


@pytest.mark.parametrize("found", [loop(4), loop(36), loop(16, cyclic=True)])
def test_refused(found: Change) -> None:
    """One iteration, too many, and an array that is loaded and stored."""
    found.assert_refused("not, no thread has few iterations of a loop that loads and stores")


@pytest.mark.needs_cxx
@pytest.mark.parametrize("shape", [(1, 1), (31, 33), (32, 64), (65, 70), (0, 3)])
def test_values(shape: tuple[int, int]) -> None:
    y, i = T.dmatrix("y"), T.lvector("i")
    random = np.random.default_rng(0)
    first, second = random.normal(size=shape), random.normal(size=shape[::-1])
    chosen = random.integers(0, max(shape[1], 1), 2000) if shape[0] else np.zeros(0, "int64")
    outputs = [T.tanh(x.T) + y, x[:, ::-2] * 2, y[i]]
    assert_emulated([x, y, i], outputs, [first, second, chosen])

"""Column tiles: warps share what is reduced for few columns, with the same values."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.loopir import For, If, Launch
from symtheano.loopir.names import walk
from symtheano.printing.loops import trace_of_passes
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

m = T.fmatrix("m")
centred = m - m.mean(0)


def known(*shape: int | None) -> T.TensorVariable:
    return T.TensorType("float32", shape)("known")


def tiles(output: T.TensorVariable) -> int:
    """Return how many launches have warps for parts of columns."""
    last = [steps[-1].kernel for steps in trace_of_passes(output, CUDA).kernels]
    grids = [s for kernel in last for s in walk(kernel.body) if isinstance(s, For)]
    return sum(
        s.kind == "warp" and any(isinstance(t, For) and t.kind == "lane" and not t.reductions
                                 and t.stop == CUDA.device.warp for t in s.body)
        for s in grids
    )  # fmt: skip


@pytest.mark.parametrize(
    ("output", "count"),
    [
        (m.sum(0), 2),  # chunks, and their results
        (known(None, 100).sum(0), 2),
        (known(None, 3000).sum(0), 1),  # columns for many threads, if there are chunks
        (known(None, 50_000).sum(0), 0),  # columns for many threads
        (m.sum(1), 0),
        (m * 2, 0),
    ],
)
def test_what_warps_share(output: T.TensorVariable, count: int) -> None:
    assert tiles(output) == count


def test_the_host_finds_out_whether_columns_are_few() -> None:
    program = cuda_program([m], m.max(0))
    tests = [s for s in program.statements() if isinstance(s, If)]
    assert tests
    for either in tests:
        assert "few_columns" in str(either.condition)
        assert [type(s) for s in (*either.then, *either.otherwise)].count(Launch) >= 2


@pytest.mark.needs_cxx
def test_values() -> None:
    generator = np.random.default_rng(0)
    outputs = [T.nnet.softmax(m, axis=0), T.grad(T.sqr(centred).sum(), m)]
    for shape in ((300, 33), (7, 1), (1, 2049), (40, 3), (0, 4)):
        values = generator.normal(size=shape).astype("float32")
        if shape[0] == 300:
            values[299, 32], values[50, 0] = np.nan, np.inf
        if shape[0]:
            with np.errstate(all="ignore"):
                assert_emulated([m], outputs, [values], 1e-5)
    assert_emulated([m], [m.sum(0), m.prod(0)], [np.zeros((0, 4), "float32")])

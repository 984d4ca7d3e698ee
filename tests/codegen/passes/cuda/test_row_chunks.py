"""Few long rows are reduced by many blocks, in chunks, with the same values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.loopir import If, Index, Launch, Program
from symtheano.printing.loops import trace_of_passes
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

x, m = T.ftensor4("x"), T.fmatrix("m")
CHANNELS = (0, 2, 3)
mean = x.mean(CHANNELS, keepdims=True)
variance = T.sqr(x - mean).mean(CHANNELS, keepdims=True)
NORMED = (x - mean) / T.sqrt(variance + np.float32(1e-5))


def known(*shape: int | None) -> T.TensorVariable:
    return T.TensorType("float32", shape)("known")


def lines(rows: int | None, length: int | None) -> T.TensorVariable:
    return T.TensorType("float32", (rows, length))("lines")


def launches(program: Program) -> list[Launch]:
    return [s for s in program.statements() if isinstance(s, Launch)]


def changed(output: T.TensorVariable) -> bool:
    """Return whether the pass has changed a kernel."""
    kernels = trace_of_passes(output, CUDA).kernels
    return any(step.name == "row_chunks" and step.changed for steps in kernels for step in steps)


def test_few_channels_are_summed_by_many_blocks() -> None:
    y = known(None, 16, None, None)
    first, *combining = launches(cuda_program([y], y.sum(CHANNELS)))
    assert first.lengths[0] == 16
    assert first.lengths[1].constant is None  # chunks
    assert {launch.lengths for launch in combining} == {(Index.of(16),)}


def test_the_host_finds_out_whether_channels_are_few() -> None:
    program = cuda_program([x], x.sum(CHANNELS))
    (either,) = (s for s in program.statements() if isinstance(s, If) and "few" in str(s.condition))
    assert either.then
    assert either.otherwise


@pytest.mark.parametrize(
    ("output", "cut"),
    [
        (x.sum(CHANNELS), True),
        (NORMED, True),
        (known(None, 2000, None, None).sum(CHANNELS), False),  # many channels
        (known(2, 4, 3, 3).sum(CHANNELS), False),  # short rows
        (x.sum((1, 2, 3)), True),  # rows that are contiguous: along one axis
        (T.nnet.softmax(m), True),
        (lines(8, 1 << 14).sum(1), True),
        (lines(8, 1 << 13).sum(1), False),  # registers hold these
        (lines(129, None).sum(1), False),  # many rows
        (m.max(0), False),  # columns
        (T.argmax(x.dimshuffle(1, 0, 2, 3).flatten(2), axis=1), False),
    ],
)
def test_which_rows_are_cut(output: T.TensorVariable, cut: bool) -> None:
    assert changed(output) is cut


@pytest.mark.needs_cxx
@pytest.mark.parametrize(
    "shapes",
    [
        [(3, 4, 5, 6), (150, 2, 16, 9), (1, 1, 1, 1), (2, 1500, 3, 2)],
        [(0, 3, 4, 4), (3, 0, 2, 2), (5, 2, 0, 3)],
    ],
)
def test_values(shapes: Sequence[tuple[int, ...]]) -> None:
    random = np.random.default_rng(0)
    outputs = [x.sum(CHANNELS), T.grad(T.sqr(NORMED).sum(), x), (x * x).sum(CHANNELS) / x.size]
    for shape in shapes:
        with np.errstate(all="ignore"):
            assert_emulated([x], outputs, [random.normal(size=shape).astype("float32")], 1e-4)


def test_the_host_finds_out_whether_rows_are_few_and_long() -> None:
    program = cuda_program([m], m.sum(1))
    (either,) = (s for s in program.statements() if isinstance(s, If) and "few" in str(s.condition))
    first, combining = (s for s in either.then if isinstance(s, Launch))
    assert len(first.lengths) == 2  # rows and chunks
    assert len(combining.lengths) == 1
    long = lines(8, 1 << 14)
    assert not any(isinstance(s, If) for s in cuda_program([long], long.sum(1)).statements())


@pytest.mark.needs_cxx
def test_values_of_long_rows() -> None:
    generator = np.random.default_rng(0)
    outputs = [T.nnet.softmax(m), m.var(1), T.log(T.exp(m).sum(1)), m.max(1)]
    for shape in ((3, 40_001), (1, 1 << 14), (129, 1 << 14), (0, 1 << 15), (5, (1 << 14) - 1)):
        values = generator.normal(size=shape).astype("float32")
        if shape[0] == 3:
            values[0, 39_000], values[1, 20_000], values[2, 7] = np.nan, np.inf, -np.inf
        with np.errstate(all="ignore"):
            assert_emulated([m], outputs, [values], 1e-6)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("dtype", ["int8", "uint64", "bool", "float16", "complex64"])
def test_dtypes_of_long_rows(dtype: str) -> None:
    y = T.TensorType(dtype, (None, None))("y")
    values = (np.random.default_rng(0).normal(size=(2, 50_000)) > 0.001).astype(dtype)
    assert_emulated([y], [y.sum(1), y.prod(1)], [values], 1e-3)


@pytest.mark.needs_cxx
def test_extrema_and_products_of_nan() -> None:
    y = known(None, 4, None, None)
    values = np.random.default_rng(0).uniform(0.9, 1.1, (40, 4, 20, 20)).astype("float32")
    values[3, 1, 2, 5], values[39, 2, 19, 19], values[0, 0, 0, 0] = np.nan, 7, 0
    assert_emulated([y], [y.max(CHANNELS), y.min(CHANNELS), y.prod(CHANNELS)], [values], 1e-5)

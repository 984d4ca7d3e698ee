"""Fours: rows whose elements threads load and store four at a time."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.fours import constant_part
from symtheano.codegen.passes.cuda.hold_rows import hold_rows
from symtheano.gradient import grad
from symtheano.loopir import Aligned, For, Index, Let, Load, Store
from symtheano.loopir.names import walk
from symtheano.loopir.operands import lanes_of
from tests.codegen.passes.change import TINY, Change, Golden, Shapes, before, change
from tests.codegen.passes.cuda.programs import assert_emulated

FIRST = before(hold_rows, CUDA.passes)
THEN = CUDA.passes[len(FIRST) + 1 :]
ROWS: Shapes = ((3, 4), (2, 7), (1, 1), (0, 5))


def rows(length: int, name: str = "y", dtype: str = "float64") -> T.TensorVariable:
    return T.TensorType(dtype, (None, length))(name)


def held(inputs: list[T.TensorVariable], outputs: object) -> Change:
    """Return what the pass makes of a kernel, for blocks of 8 threads; values are compared."""
    return change(hold_rows, inputs, outputs, first=FIRST, then=THEN, target=TINY, shapes=ROWS)


def in_fours(found: Change) -> tuple[list[str], list[str]]:
    """Return the arrays in memory of which four elements are loaded, and stored, at once."""
    every = list(walk(found.after.body))
    loads = [s.buffer for s in every if isinstance(s, Load) and lanes_of(s.target.dtype) > 1]
    stores = [s.buffer for s in every if isinstance(s, Store) and lanes_of(s.value.dtype) > 1]
    return tuple(  # type: ignore[return-value]
        sorted(b.name for b in buffers if b.space != "stack") for buffers in (loads, stores)
    )


def test_rows_of_unknown_length() -> None:
    """The host tests whether it is a multiple of four, and launches one of two kernels."""
    x = T.dmatrix("x")
    outputs = [T.nnet.softmax(x), (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)]
    shapes = tuple((3, length) for length in (1, 4, 7, 31, 32, 36, 64, 65, 160))
    found = change(hold_rows, [x], outputs, first=FIRST, then=THEN, target=TINY, shapes=shapes)
    tests = [
        s for s in walk(found.after.body) if isinstance(s, Let) and s.target.name == "in_fours"
    ]
    loads, stores = in_fours(found)
    assert (len(tests), "x" in loads, len(stores) >= 2) == (1, True, True)
    for length in (124, 127, 128, 1000, 1001, 1024, 1028, 1030, 4096, 4100, 5002):
        value = np.random.default_rng(length).normal(size=(2, length))
        assert_emulated([x], outputs, [value])


def test_constant_part() -> None:
    assert constant_part(Index.symbol("i") * 4) == 0


@pytest.mark.parametrize("length", [32, 36, 64, 160])
def test_softmax(length: int, golden: Golden) -> None:
    """Rows that are whole fours for all threads, or for some, or longer than registers."""
    y = rows(length)
    found = held([y], T.nnet.softmax(y))
    assert in_fours(found) == (["y"], ["out"])
    if length == 36:
        golden(found.text, "passes/cuda/fours.txt")


@pytest.mark.parametrize("length", [35, 28])
def test_other_lengths(length: int) -> None:
    """Rows of no whole fours, and those of fewer than one for each thread."""
    y = rows(length)
    assert in_fours(held([y], T.nnet.softmax(y))) == ([], [])


def test_accesses_that_are_no_neighbours() -> None:
    y, z, steps = rows(32), rows(33, "z"), rows(64, "steps")
    assert in_fours(held([steps], T.nnet.softmax(steps[:, ::2]))) == ([], ["out"])
    both = held([y, z], T.nnet.softmax(y + z[:, 1:]))
    assert in_fours(both) == (["y"], ["out"])
    assert sum(isinstance(s, Aligned) for s in walk(both.after.body)) > 0


def test_all_loops_over_a_row_have_the_same_elements() -> None:
    """Also one that uses nothing that is kept: its result may be in the memory of what was."""
    y, z = rows(32), rows(32, "z")
    centred = y - y.max(1, keepdims=True)
    found = held([y, z], [z * T.exp(centred).sum(1, keepdims=True)])
    loops = [s for s in walk(found.after.body) if isinstance(s, For) and s.kind == "serial"]
    assert not any(loop.step == TINY.device.threads for loop in loops)


def test_sums_of_columns() -> None:
    y, d, g = rows(32), rows(32, "d"), T.dvector("g")
    held([y, d, g], grad(((y - y.mean(1, keepdims=True)) * g * d).sum(), [y, g]))


@pytest.mark.needs_cxx
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("offset", [4, 1])
def test_values(offset: int, dtype: str) -> None:
    """Rows that begin at multiples of 16 bytes, and others, which the kernel finds out."""
    flat, k = T.vector("flat", dtype=dtype), T.lscalar("k")
    for length in (132, 1032, 4100):
        y = T.specify_shape(flat[k:].reshape((-1, length)), (None, length))
        values = np.random.default_rng(1).normal(size=offset + 3 * length).astype(dtype)
        values[offset + 2] = np.inf
        centred = y - y.max(1, keepdims=True)
        outputs = [T.nnet.softmax(y), centred / (1 + abs(centred).max(1, keepdims=True))]
        with np.errstate(all="ignore"):
            tolerance = 1e-3 if dtype == "float16" else 1e-6
            assert_emulated([flat, k], outputs, [values, offset], atol=tolerance)

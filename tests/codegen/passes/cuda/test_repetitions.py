"""Repetitions: what counts say is stored by many blocks, with the same values."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.repetitions import repetitions
from symtheano.loopir import Builder, Index, Kernel, Literal, Store
from symtheano.loopir.builder import Names
from tests.codegen.passes.change import TINY, change, changed
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.codegen.passes.cuda.test_launch import buffer
from tests.codegen.passes.kernels import k, x
from tests.cuda_programs import counts

REST = CUDA.passes[CUDA.passes.index(repetitions) + 1 :]
N = Index.symbol("x_d0")


def repeated(times: int = 3, step: int = 1) -> tuple[Kernel, Names]:
    """Write each number as often as the next one is below some, by a step from one to the next."""
    b = Builder()
    b.names.fresh("out")
    out = buffer("out", "output", N * times, 0)
    place = b.declare("place", Literal(0, "int64"))
    with b.loop("i", N) as i:
        count = b.let("minimum", "int64", [b.operand(i), Literal(times, "int64")])
        value = b.let("cast", "float64", [b.operand(i)])
        with b.loop("j", count.index):
            b.emit(Store(out, place.index, value))
            b.assign(place, b.let("add", "int64", [place, Literal(step, "int64")]))
    return Kernel("kernel", "repeat", b.statements()), b.names


def test_segments_are_stored() -> None:
    found = changed(repetitions, *repeated(), then=REST, target=TINY, shapes=((7,), (1,), (30,)))
    assert found.kinds == ["serial", "parallel", "independent"]


def test_what_is_no_repetition() -> None:
    reason = "not, no loop stores an element as often as a number says"
    found = changed(repetitions, *repeated(1, 2), target=TINY, shapes=((1,), (2,)))
    found.assert_refused(reason)
    change(repetitions, [x], x * 2, target=TINY).assert_refused(reason)


def test_no_kernel_is_one_block() -> None:
    assert counts(cuda_program([x, k], T.repeat(x, k, axis=0))).long == ()


@pytest.mark.needs_cxx
def test_values() -> None:
    vector = T.fvector("vector")
    f = emulated([vector, k], T.repeat(vector, k))
    rng = np.random.default_rng(0)
    for length in (0, 1, 2, 257, 5000):
        array = rng.normal(size=length).astype("float32")
        for times in (rng.integers(0, 4, length), np.zeros(length, "int64"), np.arange(length) % 2):
            np.testing.assert_array_equal(f(array, times), np.repeat(array, times))
    with pytest.raises(ValueError, match="a count is negative"):
        f(array, -times - 1)

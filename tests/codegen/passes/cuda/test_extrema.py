"""Extrema: their positions in whole arrays, and in few long rows, on a device."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.extrema import extrema
from symtheano.loopir import Launch
from symtheano.printing.loops import trace_of_passes
from tests.codegen.passes.change import TINY, change
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.codegen.passes.kernels import v, x
from tests.cuda_programs import counts

REST = CUDA.passes[CUDA.passes.index(extrema) + 1 :]
floats, integers = T.fvector("floats"), T.ivector("integers")


@pytest.mark.needs_cxx
def test_positions() -> None:
    outputs = [T.argmax(floats), T.argmin(floats), T.argmax(integers), T.argmin(integers)]
    f = emulated([floats, integers], outputs)
    for length in (1, 255, 256, 257, 4096, 4097, 20_000):
        rng = np.random.default_rng(length)
        plain = rng.normal(size=length).astype("float32")
        with_nan = np.where(np.arange(length) < length // 2, plain, np.float32(np.nan))
        least = np.full(length, np.iinfo("int32").min)
        for array in (plain, with_nan, 0 * plain, 0 * plain + np.inf, 0 * plain - np.inf):
            for other in (rng.integers(-5, 5, length).astype("int32"), least.astype("int32")):
                wanted = [array.argmax(), array.argmin(), other.argmax(), other.argmin()]
                assert f(array, other) == wanted


def test_no_thread_is_in_the_way_of_another() -> None:
    found = change(extrema, [v], v.argmax(), then=REST, target=TINY, shapes=((7,), (1,), (20,)))
    assert found.kinds == ["independent", "reduce", "serial"]


def test_what_is_launched() -> None:
    assert counts(cuda_program([x], x.argmax())).long == ()
    reason = "not, no loop locates an extremum of an array, or of few long rows"
    for shape in ((129, None), (None, 50)):  # many rows, and short ones
        rows = T.TensorType("float64", shape)("rows")
        found = change(extrema, [rows], rows.argmax(1), target=TINY, shapes=((2, 5), (1, 4)))
        found.assert_refused(reason)


@pytest.mark.needs_cxx
def test_positions_in_long_rows() -> None:
    matrix = T.fmatrix("matrix")
    f = emulated([matrix], [T.argmax(matrix, 1), T.argmin(matrix, 1)])
    rng = np.random.default_rng(0)
    for shape in ((1, 1 << 14), (5, 20_001), (129, 1 << 14), (3, 100)):
        plain = rng.normal(size=shape).astype("float32")
        with_nan = plain.copy()
        with_nan[0, shape[1] - 1], with_nan[-1, shape[1] // 2 :] = np.nan, np.nan
        for array in (plain, with_nan, 0 * plain, 0 * plain + np.inf, 0 * plain - np.inf):
            largest, smallest = f(array)
            np.testing.assert_array_equal(largest, array.argmax(1))
            np.testing.assert_array_equal(smallest, array.argmin(1))


def test_known_rows_are_searched_by_many_blocks() -> None:
    rows = T.TensorType("float32", (4, 100_000))("rows")
    first, *_ = (
        s for s in cuda_program([rows], rows.argmax(1)).statements() if isinstance(s, Launch)
    )
    assert len(first.lengths) == 2  # rows and chunks


@pytest.mark.parametrize(("length", "team"), [(10, "warp"), (1024, "warp"), (1025, "block")])
def test_who_searches_a_row(length: int, team: str) -> None:
    rows = T.TensorType("float32", (None, length))("rows")
    (steps,) = trace_of_passes(rows.argmax(1), CUDA).kernels
    (reasons,) = (step.reasons for step in steps if step.name == "launch")
    assert [reason.split(" for each")[0] for reason in reasons] == [f"i: a {team}"]

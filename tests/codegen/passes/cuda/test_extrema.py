"""Extrema: their positions in whole arrays, on a device."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.extrema import extrema
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
    reason = "not, no outermost loop locates an extremum"
    change(extrema, [x], x.argmax(1), target=TINY).assert_refused(reason)

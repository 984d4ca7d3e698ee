"""Row orders: rows that are sorted on a device."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.loopir import Call
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.cuda_programs import counts

x, k = T.fmatrix("x"), T.lmatrix("k")


@pytest.mark.needs_cxx
@pytest.mark.parametrize("width", [0, 1, 2, 4])
def test_unique_rows(width: int) -> None:
    f = emulated([x, k], [*T.unique(x, return_inverse=True, axis=0), T.unique(k, axis=0)])
    rng = np.random.default_rng(width)
    for rows in (1, 2, 64, 65, 1025):
        floats = rng.integers(-1, 2, (rows, width)).astype("float32") * np.float32(0.5)
        integers = rng.integers(0, 3, (rows, width))
        found, where, others = f(floats, integers)
        wanted, inverse = np.unique(floats, return_inverse=True, axis=0)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(where.ravel(), inverse.ravel())
        np.testing.assert_array_equal(others, np.unique(integers, axis=0))


@pytest.mark.needs_cxx
def test_nan_is_last_and_zeros_are_equal() -> None:
    array = np.array([[np.nan, 1], [0, 2], [-0.0, 1], [np.inf, 0], [0, np.nan]], "float32")
    (mine,), (its,) = ([T.unique(x, axis=0)], [np.unique(array, axis=0)])
    np.testing.assert_array_equal(emulated([x], mine)(array), its)


def test_what_is_launched() -> None:
    program = cuda_program([x], T.unique(x, axis=0))
    assert not any(isinstance(s, Call) for s in program.statements())
    assert counts(program).long == ()

"""Groups: positions that are appended to groups, on a device."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.loopir import Kernel
from symtheano.sparse.segments import Grouped
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.cuda_programs import counts

groups, starts = T.ivector("groups"), T.lvector("starts")
outputs = list(Grouped().make_node(groups, starts).outputs)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("most", [1, 7, 900])
def test_positions_and_ends(most: int) -> None:
    f = emulated([groups, starts], outputs)
    for length in (0, 1, 2, 255, 256, 257, 1025, 3000):
        numbers = np.random.default_rng(length).integers(0, most, length).astype("int32")
        begins = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=most))])
        order, ends = f(numbers, begins)
        np.testing.assert_array_equal(order, np.argsort(numbers, kind="stable"))
        np.testing.assert_array_equal(ends, begins[1:])


def test_what_is_launched() -> None:
    program = cuda_program([groups, starts], outputs)
    assert counts(program).long == ()
    titles = {kernel.title for kernel in program.kernels}
    assert {"Grouped: groups", "Grouped: beginnings", "Grouped: ends"} <= titles
    assert not any(isinstance(s, Kernel) for s in program.body)

"""States of streams."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.sandbox.rng_mrg import (
    mrg_uniform,
)
from tests.tensor.random.recurrences import MODES


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_states_that_no_stream_has_are_taken_modulo_the_moduli(dtype: str) -> None:
    edges = [0, 1, 2**31 - 21070, 2**31 - 21069, 2**31 - 1, -(2**31), -42139, -42138, -2, -1]
    wrong = np.random.default_rng(0).choice(edges, (13, 6)).astype("int32")
    right = wrong.view("uint32") % np.array([2**31 - 1] * 3 + [2**31 - 21069] * 3)
    states = T.imatrix("states")
    for mode in MODES:
        f = function([states], mrg_uniform.new(states, 1, dtype, (30,)), mode=mode)
        for found, expected in zip(f(wrong), f(right.astype("int32")), strict=True):
            np.testing.assert_array_equal(found, expected)
        drawn = f(wrong)[1]
        assert drawn.min() > 0
        assert drawn.max() < 1

"""The table of our own convolutions, and functions that use it."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.convolution import convolution_table, wait_for_kernels
from symtheano.tensor.nnet.convolution.ops import Convolution

pytestmark = pytest.mark.needs_cc


def test_a_table_is_filled_once(toolchain: Toolchain, cache: Cache) -> None:
    table = convolution_table(toolchain, cache.place)
    wait_for_kernels()
    assert all(table.run)
    assert all(table.memory)
    assert convolution_table(toolchain, cache.place) is table


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_use_it(dtype: str) -> None:
    rng = np.random.default_rng(0)
    x, w = (T.TensorType(dtype, (None,) * 4)() for _ in range(2))
    values = [rng.normal(size=s).astype(dtype) for s in ((3, 5, 9, 8), (7, 5, 3, 3))]
    made = T.tanh(Convolution("result", "half")(x, w) + 1)
    f = function([x, w], made)
    f(*values)
    wait_for_kernels()
    plain = function([x, w], made, mode="INTERPRET")(*values)
    tolerance = 1e-4 if dtype == "float32" else 1e-11
    np.testing.assert_allclose(f(*values), plain, rtol=tolerance, atol=tolerance / 10)

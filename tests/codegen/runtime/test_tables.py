"""The tables of our own kernels, and functions that use them."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.tables import kernel_table, wait_for_kernels
from symtheano.tensor.nnet.convolution import reference
from symtheano.tensor.nnet.convolution.ops import Convolution

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("name", ["convolution_f64", "pooling_f32", "pooling_u8"])
def test_a_table_is_filled_once(name: str, toolchain: Toolchain, cache: Cache) -> None:
    table = kernel_table(name, toolchain, cache.place, "default")
    wait_for_kernels()
    assert table.run
    assert table.memory
    assert kernel_table(name, toolchain, cache.place, "default") is table


def test_a_dtype_without_kernels(toolchain: Toolchain, cache: Cache) -> None:
    table = kernel_table("convolution_i32", toolchain, cache.place, "default")
    wait_for_kernels()
    assert not table.run
    assert not table.memory


def test_each_choice_of_algorithms_has_its_table(toolchain: Toolchain, cache: Cache) -> None:
    choices = ("direct", "default", "fast")
    name = "convolution_f32"
    tables = [kernel_table(name, toolchain, cache.place, choice) for choice in choices]
    wait_for_kernels()
    assert len({table.run for table in tables}) == 3
    assert tables[1] is kernel_table(name, toolchain, cache.place, "default")


def test_the_option_selects_the_algorithms() -> None:
    rng = np.random.default_rng(0)
    x, w = T.ftensor4(), T.ftensor4()
    windows = reference.Windows((40, 40), (3, 3), (38, 38), (0, 0), (1, 1), (1, 1), 1)
    values = [rng.normal(size=s).astype("float32") for s in ((1, 32, 40, 40), (32, 32, 3, 3))]
    image, filters = (a.astype("float64") for a in values)
    exact = reference.convolve(image, filters[:, :, ::-1, ::-1], windows)
    errors = {}
    for choice in ("direct", "default", "fast"):
        with config.change_flags(convolution=choice):
            f = function([x, w], T.nnet.conv2d(x, w))
        f(*values)
        wait_for_kernels()
        errors[choice] = np.abs(f(*values) - exact).max() / np.abs(exact).max()
    assert len(set(errors.values())) == 3
    assert max(errors.values()) < 1e-5


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

"""Means, variances and norms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, assert_same, check, compiled
from tests.tensor.reductions.operands import small

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int16", "bool", "complex128"])
def test_mean_var_std_norm(dtype: str) -> None:
    random = np.random.default_rng(7)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    outputs = [op(x, a, keepdims=k) for a in (None, 1, (0, 2), -1) for k in (False, True)
               for op in (T.mean, T.var, T.std)]  # fmt: skip
    outputs += [x.norm(order, axis=a) for order in (1, 2, 3, np.inf) for a in (None, 1)]
    if not dtypes.is_complex(dtype):
        outputs += [T.ptp(x, 1), T.var(x, 0, ddof=1)] if dtype != "bool" else []
    calls = [[small(random, dtype, shape)] for shape in sizes(3) if 0 not in shape]
    check([x], outputs, calls, kind="reductions", tolerance=1e-2 if dtype == "float16" else None)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "complex64"])
def test_norms_against_numpy(dtype: str) -> None:
    orders = (1, 2, 3, 2.5, np.inf, -np.inf)
    x = T.matrix("x", dtype)
    outputs = [T.norm(x, order, axis=1) for order in orders]
    value = random_array(np.random.default_rng(8), dtype, (4, 7))
    value.flat[:3] = 100

    def reference(value: Array) -> list[Any]:
        whole = value.astype("float32") if dtype == "int8" else value
        return [np.linalg.norm(whole, order, axis=1) for order in orders]

    f = compiled([x], outputs[1:4])
    for got, want in zip(f(value), reference(value)[1:4], strict=True):
        assert_same(got, want, 1e-6 if want.dtype == "float32" else None)
    check([x], outputs, [[value]], kind="reductions")


def test_mean_against_numpy() -> None:
    random = np.random.default_rng(8)
    x = T.tensor3("x")
    outputs = [op(x, a) for a in (None, 1, (0, 2)) for op in (T.mean, T.var, T.std)]
    calls = [[random_array(random, "float64", (4, 5, 6))]]

    def reference(value: Array) -> list[Any]:
        return [op(value, axis=a) for a in (None, 1, (0, 2)) for op in (np.mean, np.var, np.std)]

    check([x], outputs, calls, reference, kind="reductions")
    assert T.mean(T.vector("v", "int8")).dtype == "float64"
    with pytest.raises(TypeError, match="can't hold a mean"):
        T.mean(x, dtype="int32")

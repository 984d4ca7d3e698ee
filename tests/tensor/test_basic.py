"""Casts within expressions."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from tests.support.arrays import random_array
from tests.support.compare import (
    check,
)

pytestmark = pytest.mark.needs_cc


def test_fused_chains_keep_the_rounding_of_each_dtype() -> None:
    random = np.random.default_rng(6)
    h, s, b = T.vector("h", "float16"), T.vector("s", "float32"), T.vector("b", "int8")
    outputs = [
        (h * h + h) * h - h,
        T.exp(h) + T.log(T.abs(h) + 1) * h,
        (b + b) * b - b,
        (b * b) // 3 + b % 5,
        T.cast(s * 1000, "int32") + b,
        T.cast(h + 0.1, "float32") * s,
        T.switch(b > 0, s, h),
        T.cast(b, "float16") / 3 + h,
        (s > 0) & (b > 0),
        T.sqrt(T.cast(b, "uint8")) * s,
    ]
    calls = []
    for size in (0, 1, 7, 64, 1001):
        calls.append([random_array(random, item.dtype, (size,)) * 3 for item in (h, s)])
        calls[-1].append(random.integers(-128, 128, size).astype("int8"))
    check([h, s, b], outputs, calls, kind="fused", tolerance=None)


def test_static_lengths_that_differ_are_refused_when_the_graph_is_built() -> None:
    x, y = T.tensor("x", "float64", shape=(2, 3)), T.tensor("y", "float64", shape=(2, 4))
    with pytest.raises(ShapeError, match="different length along axis 1"):
        x + y

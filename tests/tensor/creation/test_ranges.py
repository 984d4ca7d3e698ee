"""Ranges of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from tests.support.compare import Array, check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


RANGES: list[tuple[Any, ...]] = [
    (5,), (0,), (-3,), (2, 7), (7, 2), (0, 10, 3), (10, 0, -3), (0, -10, -4), (5, 5), (0, 1, 2),
    (0.0, 1.0, 0.25), (1.0, 0.0, -0.3), (0.5, 3), (0, 1, 0.1), (2.0, 2.0), (-1.5, 1.5, 0.5),
]  # fmt: skip


@pytest.mark.parametrize("floating", [False, True])
def test_arange(floating: bool) -> None:
    fixed = [T.arange(*numbers) for numbers in RANGES]
    dtype = "float64" if floating else "int64"
    a, b, c = (T.scalar(name, dtype) for name in "abc")
    calls = []
    for numbers in RANGES:
        if floating or all(isinstance(n, int) for n in numbers):
            start, stop, step = {1: (0, *numbers, 1), 2: (*numbers, 1)}.get(len(numbers), numbers)
            calls.append([np.array(item, dtype) for item in (start, stop, step)])
    outputs = [*fixed, T.arange(a, b, c), T.arange(a, b, c) * 2, T.arange(a, b, c).sum()]

    def reference(a: Array, b: Array, c: Array) -> list[Any]:
        found = np.arange(a.item(), b.item(), c.item()).astype(dtype)
        return [*(np.arange(*numbers) for numbers in RANGES), found, found * 2, found.sum()]

    f = check([a, b, c], outputs, calls, kind="creation")
    for args in calls:
        for got, want in zip(f(*args), reference(*args), strict=True):
            assert got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


def test_dtypes_of_arange() -> None:
    assert T.arange(3).dtype == "int64"
    assert T.arange(T.bscalar("n")).dtype == "int64"
    assert T.arange(0, 1, T.fscalar("s")).dtype == "float32"
    assert T.arange(3, dtype="int8").dtype == "int8"
    with config.change_flags(floatX="float32"):
        assert T.arange(0.0, 1.0, 0.1).dtype == "float32"
    with pytest.raises(ValueError, match="step is zero"):
        T.arange(0, 3, 0)
    for dtype in ("int8", "uint8", "float16", "float32", "complex64"):
        n = T.lscalar("n")
        y = T.arange(n, dtype=dtype)
        check([n], [y, y + y], [[np.array(k)] for k in (0, 1, 5)], kind="creation")


def test_an_arange_whose_step_turns_out_to_be_zero() -> None:
    a, b, c = (T.lscalar(name) for name in "abc")
    f, g = compiled([a, b, c], T.arange(a, b, c)), oracle([a, b, c], T.arange(a, b, c))
    args = [np.array(0), np.array(3), np.array(0)]
    assert outcome(g, args)[0] is ValueError
    assert outcome(f, args) == outcome(g, args)

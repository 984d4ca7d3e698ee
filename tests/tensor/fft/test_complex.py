"""Transforms of complex numbers against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.function.verify import verify_grad
from symtheano.tensor import fft
from tests.support.compare import assert_same, oracle
from tests.tensor.fft.transforms import (
    COMPLEX,
    TO_REAL,
    array,
    compare_with_numpy,
)


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float32", "int32", "bool"])
@pytest.mark.parametrize("name", [*COMPLEX, *TO_REAL])
def test_transforms_are_numpys(name: str, dtype: str) -> None:
    compare_with_numpy(name, dtype)


def test_odd_lengths_and_middle_axes() -> None:
    x = T.tensor3("x")
    a = array("float64", (2, 5, 3))

    def transformed(x: Any, room: Any, one: str, back: str) -> list[Any]:
        z = getattr(room, one)(x, axis=1)
        return [z, getattr(room, back)(z, n=5, axis=1), room.fftn(x, axes=(1,)),
                room.rfftn(x, axes=(2, 0, 1)), room.irfftn(z, s=(2, 5), axes=(0, 1))]  # fmt: skip

    for mine, wanted in zip(
        oracle([x], transformed(x, fft, "rfft1", "irfft1"))(a),
        transformed(a, np.fft, "rfft", "irfft"),
        strict=True,
    ):
        assert_same(mine, wanted, 1e-12)
    verify_grad(lambda x: fft.rfft1(x, axis=1), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.irfft1(x, 5, axis=1), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.rfft1(x, 7, axis=0), [a], n_tests=1, mode="INTERPRET")

"""Theano's transforms, whose last axis has real and imaginary parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor import fft
from symtheano.tensor.type import TensorType
from tests.support.compare import assert_same, count, oracle
from tests.tensor.fft.transforms import (
    KIND,
    LOOSE,
    array,
    transformed,
)

LENGTHS = [(2, 5), (2, 6), (3, 1), (2, 2), (2, 3, 4), (2, 3, 5), (2, 2, 3, 4), (0, 4), (2, 16)]


NORMS: list[Any] = [None, "ortho", "no_norm"]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("shape", LENGTHS)
def test_real_transforms(shape: tuple[int, ...], norm: Any) -> None:
    for dtype in ("float64", "float32"):
        a = array(dtype, shape)
        x = TensorType(dtype, (None,) * a.ndim)("x")
        there = fft.theano_rfft(x, norm)
        back = fft.theano_irfft(there, norm, is_odd=bool(shape[-1] % 2))
        got = oracle([x], [there, back, there.shape, back.shape])(a)
        wanted = transformed(a, norm).astype(dtype)
        assert_same(got[0], wanted, LOOSE.get(dtype, 1e-12))
        scale = np.prod(shape[1:]) if norm == "no_norm" else 1
        assert_same(got[1], (a * scale).astype(dtype), LOOSE.get(dtype, 1e-12))
        assert tuple(got[2]) == wanted.shape
        assert tuple(got[3]) == a.shape
        count(KIND, wanted.size + a.size)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("shape", [(2, 5), (2, 6), (1, 1), (1, 2), (2, 3, 4), (1, 2, 3)])
def test_derivatives_of_real_transforms(shape: tuple[int, ...], norm: Any) -> None:
    odd = bool(shape[-1] % 2)
    a = array("float64", shape)
    pairs = array("float64", transformed(a, None).shape)
    verify_grad(lambda x: fft.theano_rfft(x, norm), [a], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x: fft.theano_irfft(x, norm, odd), [pairs], n_tests=1, mode="INTERPRET")
    if len(shape) == 2:
        verify_rop(lambda x: fft.theano_rfft(x, norm), [a], mode="INTERPRET")
        verify_rop(lambda x: fft.theano_irfft(x, norm, odd), [pairs], mode="INTERPRET")

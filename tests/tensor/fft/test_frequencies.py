"""Frequencies, and shifts of spectra, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor import fft
from tests.support.compare import assert_same, oracle


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_frequencies_are_numpys(n: int) -> None:
    length, distance = T.lscalar("n"), T.dscalar("d")
    outputs = [fft.fftfreq(length, distance), fft.rfftfreq(length, distance), fft.fftfreq(n),
               fft.rfftfreq(n, 2)]  # fmt: skip
    got = oracle([length, distance], outputs)(n, 0.25)
    wanted = [np.fft.fftfreq(n, 0.25), np.fft.rfftfreq(n, 0.25), np.fft.fftfreq(n),
              np.fft.rfftfreq(n, 2)]  # fmt: skip
    for mine, its in zip(got, wanted, strict=True):
        assert_same(mine, its, 1e-15)


@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (0, 2)])
def test_shifts_are_numpys(shape: tuple[int, ...]) -> None:
    x = T.imatrix("x")
    a = np.arange(np.prod(shape), dtype="int32").reshape(shape)
    given: list[Any] = [None, 0, -1, (0, 1), (1,)]
    outputs = [shift(x, axes) for axes in given for shift in (fft.fftshift, fft.ifftshift)]
    wanted = [shift(a, axes) for axes in given for shift in (np.fft.fftshift, np.fft.ifftshift)]
    for mine, its in zip(oracle([x], outputs)(a), wanted, strict=True):
        np.testing.assert_array_equal(mine, its)

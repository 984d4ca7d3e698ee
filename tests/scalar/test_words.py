"""Rows make numbers of words."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.scalar.philox import BY_KIND
from tests.tensor.random.counters import KINDS, MODES, half, normal, word


@pytest.mark.parametrize("mode", MODES)
def test_rows_make_numbers_of_words(mode: Any) -> None:
    generator = np.random.default_rng(8)
    key, stream, number = generator.integers(0, 2**64, (3, 400), "uint64")
    number[:100] %= 64
    operands = [T.TensorType("uint64", (None,))(name) for name in "abc"]
    f = function(operands, [BY_KIND[kind](*operands) for kind in KINDS], mode=mode)
    found = dict(zip(KINDS, f(key, stream, number), strict=True))
    given = [tuple(map(int, item)) for item in zip(key, stream, number, strict=True)]
    words, halves = [word(*item) for item in given], [half(*item) for item in given]
    assert found["bits", "uint64"].tolist() == words
    assert found["random", "float64"].tolist() == [(w >> 11) * 2.0**-53 for w in words]
    assert found["random", "float32"].tolist() == [(w >> 8) * 2.0**-24 for w in halves]
    expected = [-log(((w >> 11) + 1) * 2.0**-53) for w in words]
    assert found["exponential", "float64"] == pytest.approx(np.array(expected), rel=1e-15)
    units = [float(np.float32(w >> 1) + np.float32(0.5)) * 2.0**-31 for w in halves]
    expected = [-log(u) for u in units]
    assert found["exponential", "float32"] == pytest.approx(np.array(expected), rel=3e-7)
    for dtype, relative in (("float64", 2e-15), ("float32", 6e-7)):
        expected = [normal(*item, dtype) for item in given]
        assert found["normal", dtype] == pytest.approx(
            np.array(expected), rel=relative, abs=relative
        )
        assert found["normal", dtype].dtype == dtype

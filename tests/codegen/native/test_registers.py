"""Compiled code leaves the registers of the processor as other code expects them."""

from __future__ import annotations

import platform

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function

pytestmark = pytest.mark.needs_cc


@pytest.mark.skipif(platform.machine() != "x86_64", reason="registers of x86-64")
def test_x87_registers_are_free_after_a_call() -> None:
    x = T.dmatrix("x")
    a = np.random.default_rng(0).normal(size=(4, 2))
    expected = np.linalg.svd(a, compute_uv=False)
    with config.change_flags(cc="gcc -march=x86-64-v2"):
        f = function([x], T.argmax(x, axis=None))
    assert f(a) == a.argmax()
    np.testing.assert_array_equal(np.linalg.svd(a, compute_uv=False), expected)

"""Compiled code leaves the registers of the processor as other code expects them."""

from __future__ import annotations

import platform
import shlex

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.errors import NoCompilerError

pytestmark = pytest.mark.needs_cc


def without_avx() -> str:
    """Return the command of the compiler that the tests use, for processors without AVX."""
    command = shlex.join((*find_toolchain(config.cc or None).command, "-march=x86-64-v2"))
    try:
        find_toolchain(command)
    except NoCompilerError:
        pytest.skip("the compiler does not know x86-64-v2")
    return command


@pytest.mark.skipif(platform.machine() != "x86_64", reason="registers of x86-64")
def test_x87_registers_are_free_after_a_call() -> None:
    x = T.dmatrix("x")
    a = np.random.default_rng(0).normal(size=(4, 2))
    expected = np.linalg.svd(a, compute_uv=False)
    with config.change_flags(cc=without_avx()):
        f = function([x], T.argmax(x, axis=None))
    assert f(a) == a.argmax()
    np.testing.assert_array_equal(np.linalg.svd(a, compute_uv=False), expected)

"""Pooling on a device, against the routines of the processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, function, grad
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from symtheano.tensor.signal.pool import pool_2d, pool_3d
from tests.codegen.passes.cuda.programs import cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, along = T.ftensor4("x"), T.ftensor4("along")


def values(*shape: int) -> np.ndarray[Any, Any]:
    # with equal elements, so that a window has several largest ones
    return np.random.default_rng(2).integers(-3, 3, shape).astype("float32")


def assert_same(inputs: Any, outputs: Any, arrays: Any) -> None:
    program = cuda_program(inputs, outputs)
    assert not any(isinstance(s, Call) for s in walk(program.body))
    mine, its = (f(*arrays) for f in (emulated(inputs, outputs), function(inputs, outputs)))
    for result, expected in zip(mine, its, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("mode", ["max", "sum", "average_inc_pad", "average_exc_pad"])
@pytest.mark.parametrize(
    "options",
    [
        {"ws": (2, 2), "ignore_border": True},
        {"ws": (3, 2), "ignore_border": False},
        {"ws": (3, 3), "stride": (2, 1), "ignore_border": True},
        {"ws": (3, 3), "stride": (2, 2), "pad": (1, 1), "ignore_border": True},
        {"ws": (90, 1), "ignore_border": False},
    ],
    ids=str,
)
def test_windows(mode: str, options: dict[str, Any]) -> None:
    y = pool_2d(x, mode=mode, **options)
    outputs = [y, grad(T.sqr(y).sum(), x)]
    for shape in ((2, 3, 7, 8), (1, 1, 3, 3), (0, 2, 5, 5)):
        assert_same([x], outputs, [values(*shape)])


def test_derivatives_along_a_direction() -> None:
    y = pool_2d(x, ws=(2, 3), ignore_border=True)
    assert_same([x, along], [Rop(y, x, along)], [values(2, 2, 6, 7), values(2, 2, 6, 7) + 0.5])


def test_three_axes_and_nan() -> None:
    volume = T.ftensor5("volume")
    outputs = [pool_3d(volume, ws=(2, 1, 2), ignore_border=True),
               pool_3d(volume, ws=(2, 2, 2), mode="sum", ignore_border=True)]  # fmt: skip
    array = values(1, 2, 4, 5, 6)
    array[0, 0, 1, 2, 3], array[0, 1, 0, 0, 0] = np.nan, np.inf
    assert_same([volume], outputs, [array])

"""Pooling on a device, against the routines of the processor."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, function, grad
from symtheano.errors import DeviceError
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from symtheano.tensor.signal.pool import pool_2d, pool_3d
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.support.devices import on_cuda

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


def test_poolings_by_cudnn(
    device_library: Callable[[str], ctypes.CDLL], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Largest elements and means, with their gradients; windows beyond the border are kernels."""
    cudnn = device_library("cudnn")
    volume = T.dtensor5("volume")
    outputs = [pool_3d(volume, ws=(2, 1, 2), ignore_border=True, mode="average_exc_pad")]
    modes = ("max", "average_inc_pad", "average_exc_pad", "sum")
    for mode in modes:
        y = pool_2d(x, ws=(3, 2), stride=(2, 2), pad=(1, 1), ignore_border=True, mode=mode)
        outputs += [
            y,
            grad(T.sqr(y).sum(), x),
            pool_2d(x, ws=(3, 2), ignore_border=False, mode=mode),
        ]
    f = on_cuda([x, volume], outputs, monkeypatch)
    its = function([x, volume], outputs, mode="INTERPRET")
    for shape, count in (((2, 3, 7, 9), 4), ((1, 1, 6, 4), 7), ((0, 2, 5, 5), 1)):
        arrays = [values(*shape), values(2, 1, 4, 5, 6).astype("float64")]
        if arrays[0].size:
            arrays[0][0, 0, 1, 1], arrays[0][0, 0, 3, 2] = np.nan, -np.inf
        before = cudnn.stub_pools()
        for number, (mine, theirs) in enumerate(zip(f(*arrays), its(*arrays), strict=True)):
            np.testing.assert_allclose(mine, theirs, 1e-5, 1e-6, err_msg=f"{number}")
        assert cudnn.stub_pools() - before == count
    monkeypatch.setenv("STUB_CUDNN_FAIL", "Pool 5000")
    with pytest.raises(DeviceError, match=r"cuDNN: Pool \(cuDNN error 5000\)"):
        f(*arrays)
    monkeypatch.setenv("STUB_CUDNN_FAIL", "Pool 3000")
    before = cudnn.stub_pools()
    arrays = [values(1, 2, 5, 5), values(1, 1, 4, 5, 6).astype("float64")]
    for _ in range(2):
        for mine, theirs in zip(f(*arrays), its(*arrays), strict=True):
            np.testing.assert_allclose(mine, theirs, 1e-5, 1e-6)
        assert cudnn.stub_pools() == before, "our kernels have run"
        monkeypatch.delenv("STUB_CUDNN_FAIL", raising=False)  # cuDNN is not asked again

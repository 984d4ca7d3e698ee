"""Convolutions on a device, against the routines of the processor."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, config, function, grad, shared
from symtheano.errors import DeviceError
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx

x, w = T.dtensor4("x"), T.dtensor4("w")


def values(*shape: int, dtype: str = "float64") -> np.ndarray[Any, Any]:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(dtype)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"border_mode": "half"},
        {"border_mode": "full", "filter_flip": False},
        {"border_mode": (2, 1), "subsample": (2, 3)},
        {"filter_dilation": (2, 1), "subsample": (1, 2), "border_mode": 1},
        {"num_groups": 2, "border_mode": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("shape", [(2, 4, 7, 9), (1, 4, 20, 20), (0, 4, 7, 7)], ids=str)
def test_images(options: dict[str, Any], shape: tuple[int, ...]) -> None:
    y = T.nnet.conv2d(x, w, **options)
    outputs = [y, *grad(T.sqr(y).sum(), [x, w])]
    image = values(*shape)
    filters = values(6, 4 // options.get("num_groups", 1), 3, 2)
    mine, its = (f(image, filters) for f in (emulated([x, w], outputs), function([x, w], outputs)))
    for result, expected in zip(mine, its, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
def test_dtypes(dtype: str) -> None:
    image, filters = (T.tensor(name, dtype, (None,) * 4) for name in ("image", "filters"))
    y = T.nnet.conv2d(image, filters, border_mode=1)
    arrays = [(values(*shape) * 3).astype(dtype) for shape in ((2, 3, 6, 6), (4, 3, 3, 3))]
    mine, its = (f(*arrays) for f in (emulated([image, filters], y), function([image, filters], y)))
    np.testing.assert_allclose(mine, its, rtol=1e-4, atol=1e-3)
    assert mine.dtype == its.dtype


def test_one_and_three_axes() -> None:
    rows, volume = T.dtensor3("rows"), T.dtensor5("volume")
    a, b = T.dtensor3("a"), T.dtensor5("b")
    outputs = [T.nnet.conv1d(rows, a, border_mode=1), T.nnet.conv3d(volume, b, border_mode=1)]
    arrays = [values(2, 3, 9), values(4, 3, 3), values(2, 2, 4, 5, 6), values(3, 2, 2, 3, 3)]
    inputs = [rows, a, volume, b]
    mine, its = (f(*arrays) for f in (emulated(inputs, outputs), function(inputs, outputs)))
    for result, expected in zip(mine, its, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-10)


def test_a_training_step_calls_no_routine_of_the_host() -> None:
    filters = shared(values(3, 2, 3, 3, dtype="float32"), "filters")
    image = T.ftensor4("image")
    cost = T.tanh(T.nnet.conv2d(image, filters, border_mode=1)).mean()
    updates = [(filters, filters - np.float32(0.1) * grad(cost, filters))]
    program = cuda_program([image], cost, updates=updates)
    assert not any(isinstance(s, Call) for s in walk(program.body))
    f = emulated([image], Out(cost, borrow=True), updates=updates)
    start, data = filters.get_value(), values(2, 2, 5, 5, dtype="float32")
    f(data)
    after = filters.get_value()
    filters.set_value(start)
    function([image], cost, updates=updates)(data)
    np.testing.assert_allclose(after, filters.get_value(), rtol=1e-5, atol=1e-6)


def test_filters_that_differ_with_the_place_are_the_hosts() -> None:
    unshared = T.tensor("unshared", "float64", (None,) * 6)
    y = T.nnet.conv2d(x, unshared, unshared=True)
    assert any(isinstance(s, Call) for s in walk(cuda_program([x, unshared], y).body))
    arrays = values(1, 2, 4, 4), values(3, 3, 3, 2, 2, 2)
    mine, its = (f(*arrays) for f in (emulated([x, unshared], y), function([x, unshared], y)))
    np.testing.assert_allclose(mine, its, rtol=1e-10)


def test_convolutions_by_cudnn(
    device_library: Callable[[str], ctypes.CDLL], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results and gradients; what the library does not take is computed by kernels as before."""
    cudnn = device_library("cudnn")
    image, filters = T.ftensor4("image"), T.ftensor4("filters")
    volume, b = T.dtensor5("volume"), T.dtensor5("b")
    outputs = [T.nnet.conv3d(volume, b, border_mode=(1, 0, 2), subsample=(2, 1, 2))]
    for options in (
        {"border_mode": "half"},
        {"border_mode": (2, 1), "subsample": (2, 3), "filter_flip": False},
        {"filter_dilation": (2, 1)},
        {"border_mode": ((1, 2), (0, 1))},
    ):
        y = T.nnet.conv2d(image, filters, **options)
        outputs += [y, *grad(T.sqr(y).sum(), [image, filters])]
    groups = T.nnet.conv2d(image, filters[:, :1], num_groups=2)
    inputs = [image, filters, volume, b]
    f = on_cuda(inputs, [*outputs, groups], monkeypatch)
    its = function(inputs, [*outputs, groups], mode="INTERPRET")
    for n, c, size in ((2, 2, 9), (1, 2, 12), (0, 2, 7)):
        given = (values(n, c, size, size), values(4, c, 3, 3))
        arrays = [array.astype("float32") for array in given]
        arrays += [values(2, c, 4, 5, 6), values(3, c, 2, 3, 3)]
        before = cudnn.stub_convolutions()
        for number, (mine, theirs) in enumerate(zip(f(*arrays), its(*arrays), strict=True)):
            np.testing.assert_allclose(mine, theirs, 1e-4, 1e-3, err_msg=f"{number}")
        # The gradients of a dilated one, and those with different borders, are kernels.
        assert cudnn.stub_convolutions() - before == (9 if n else 1)
    assert cudnn.stub_flat_convolutions() > 0
    five = T.nnet.conv2d(image, filters)
    g = on_cuda([image, filters], five, monkeypatch)
    arrays = [values(2, 5, 4, 4).astype("float32"), values(3, 5, 2, 2).astype("float32")]
    wanted = function([image, filters], five, mode="INTERPRET")(*arrays)
    assert cudnn.stub_tf32s() == 0
    with config.change_flags(device_tf32=True):
        rounding = on_cuda([image, filters], five, monkeypatch)
    np.testing.assert_allclose(rounding(*arrays), wanted, rtol=1e-4, atol=1e-4)
    assert cudnn.stub_tf32s() == 1
    for size, refusal in enumerate(("SetStream", "ResultSize", "Result"), 5):
        monkeypatch.setenv("STUB_CUDNN_FAIL", f"{refusal} 5000")
        other = [values(2, 5, size, 4).astype("float32"), arrays[1]]
        with pytest.raises(DeviceError, match=rf"{refusal} \(cuDNN error 5000\)"):
            g(*other)
        monkeypatch.setenv("STUB_CUDNN_FAIL", f"{refusal} 3000")
        before = cudnn.stub_convolutions()
        np.testing.assert_allclose(g(*arrays), wanted, rtol=1e-4, atol=1e-4)
        assert cudnn.stub_convolutions() == before, "our kernels have run"
        monkeypatch.delenv("STUB_CUDNN_FAIL")
        np.testing.assert_allclose(g(*arrays), wanted, rtol=1e-4, atol=1e-4)

"""CUDA devices: the driver in front of a libcuda that runs kernels on the processor."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, config, function, shared
from symtheano.codegen.runtime import cuda
from symtheano.codegen.runtime.cuda import LIBCUDA, device_number
from symtheano.errors import DeviceError

STUB = Path(__file__).parents[1] / "cuda" / "stub_libcuda.c"
pytestmark = pytest.mark.needs_cxx


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stub") / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-w", "-o", str(path), str(STUB), "-ldl"]
    subprocess.run(command, check=True)
    return str(path)


@pytest.fixture
def libcuda(stub: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ctypes.CDLL]:
    monkeypatch.setenv(LIBCUDA, stub)
    library = ctypes.CDLL(stub)
    before = library.stub_allocated()
    yield library
    gc.collect()
    assert library.stub_allocated() == before, "memory of the device was not freed"


def on_cuda(
    inputs: list[Any], outputs: Any, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> Function:
    """Return a function for the stub: the same kernels are emulated."""
    with config.change_flags(device="emulated"):
        emulated = function(inputs, outputs, **options)
    module = emulated.stages.link().module
    assert module is not None
    path = module.library._name
    monkeypatch.setenv("STUB_KERNELS", os.path.realpath(path) if "/fd/" in path else path)
    with config.change_flags(device="cuda"):
        return function(inputs, outputs, **options)


def test_results(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    x = T.fmatrix("x")
    f = on_cuda([x], [T.nnet.softmax(x), x.sum(), T.sort(x.sum(axis=0))], monkeypatch)
    value = np.random.default_rng(0).normal(size=(33, 70)).astype("float32")
    rows, total, columns = f(value)
    exponentials = np.exp(value - value.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        rows, exponentials / exponentials.sum(axis=1, keepdims=True), rtol=1e-5
    )
    np.testing.assert_allclose(total, value.sum(), rtol=1e-4)
    np.testing.assert_allclose(columns, np.sort(value.sum(axis=0)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "step", ["StreamCreate", "MemAlloc", "CopyToDevice", "LaunchKernel", "CopyToHost",
             "StreamSynchronize"]
)  # fmt: skip
def test_what_the_driver_refuses(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is updated, the message says what has failed, and the next call works."""
    state, x = shared(np.zeros(5, "float32"), "state"), T.fvector("x")
    f = on_cuda([x], (x * state).sum(), monkeypatch, updates=[(state, state + x)])
    value = np.ones(5, "float32")
    monkeypatch.setenv("STUB_FAIL", f"{step} 1")
    with pytest.raises((DeviceError, MemoryError)) as failure:
        f(value)
    if step != "MemAlloc":
        assert "refused by the stub (CUDA error 700)" in str(failure.value)
    monkeypatch.delenv("STUB_FAIL")
    np.testing.assert_array_equal(state.get_value(), np.zeros(5))
    assert f(value) == 0
    np.testing.assert_array_equal(state.get_value(), value)


def test_kernels_that_the_driver_rejects(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    monkeypatch.setenv("STUB_FAIL", "ModuleLoad 1")
    with pytest.raises(DeviceError, match="the kernels can't be loaded: refused by the stub"):
        on_cuda([x], x * 3, monkeypatch)


def test_a_device_that_is_not_there(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    x = T.fvector("x")
    with (
        config.change_flags(device="cuda:7"),
        pytest.raises(DeviceError, match="there is no CUDA device 7: there are 2"),
    ):
        function([x], x * 2)


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIBCUDA, "/nowhere/libcuda.so.1")
    x = T.fvector("x")
    with (
        config.change_flags(device="cuda"),
        pytest.raises(DeviceError, match=r"there is no CUDA driver: .*nowhere"),
    ):
        function([x], x * 2)


def test_numbers_of_devices() -> None:
    assert [device_number(name) for name in ("cuda", "cuda0", "cuda:3", "cuda11")] == [0, 0, 3, 11]
    assert cuda.DeviceProperties("any", 89).architecture == "sm_89"

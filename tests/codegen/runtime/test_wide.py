"""Kernels with integers of 64 bits: they are loaded when a launch needs them, and not before."""

from __future__ import annotations

import ctypes
import gc
import os
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, config, function
from symtheano.codegen.cuda import host
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.runtime.cuda import CudaDevice
from symtheano.codegen.runtime.emulated import EmulatedDevice
from symtheano.errors import DeviceError
from tests.support.caches import new_cache
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx
x, p = T.fmatrix("x"), T.lvector("p")
SMALL, LARGE = np.ones((3, 4), "float32"), np.arange(6000, dtype="float32").reshape(60, 100)


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Count the modules that are loaded; arrays of 4,000 elements are long."""
    loaded: list[str] = []
    load = EmulatedDevice.load

    def counted(self: EmulatedDevice, source: Any) -> Any:
        loaded.append(source.kernels)
        return load(self, source)

    monkeypatch.setattr(host, "MOST_NARROW", 4000)
    monkeypatch.setattr(EmulatedDevice, "load", counted)
    with config.change_flags(cache_dir=str(new_cache(tmp_path / "cache")), device="emulated"):
        yield loaded


def test_the_other_form_is_compiled_where_arrays_are_long(loads: list[str]) -> None:
    f = function([x], x.T * 2)
    np.testing.assert_array_equal(f(SMALL), SMALL.T * 2)
    assert len(loads) == 1
    assert "int64_t" not in loads[0]
    for _ in range(2):
        np.testing.assert_array_equal(f(LARGE), LARGE.T * 2)
    assert len(loads) == 2
    assert "int32_t" not in loads[1]
    np.testing.assert_array_equal(f(SMALL), SMALL.T * 2)


@pytest.mark.parametrize(
    "output",
    [
        T.nnet.softmax(x),
        x.sum(0),
        x[::-1, ::3] + 1,
        x[p],
        T.cumsum(x, 0),
        T.sort(x, 1),
        T.argmax(x),
    ],
)
def test_both_forms_compute_the_same(output: T.TensorVariable, loads: list[str]) -> None:
    places = np.array([2, -1, 0])
    f = function([x, p], output, on_unused_input="ignore")
    results = f(LARGE, places)
    assert len(loads) == 2
    with config.change_flags(device="cpu", mode="INTERPRET"):
        want = function([x, p], output, on_unused_input="ignore")(LARGE, places)
    np.testing.assert_allclose(results, want, 1e-6)


def test_code_of_the_cache_finds_its_other_form(loads: list[str]) -> None:
    first = function([x], x.T + 3)
    first(SMALL)
    del first
    gc.collect()
    f = function([x], x.T + 3)  # whose kernels are found by their key
    np.testing.assert_array_equal(f(LARGE), LARGE.T + 3)


def test_threads_load_it_once_each_at_most(loads: list[str]) -> None:
    f = function([x], x.T * 5)
    f(SMALL)
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(f, [LARGE] * 16):
            np.testing.assert_array_equal(result, LARGE.T * 5)
    assert len(loads) <= 5


def test_what_fails_is_told_and_changes_nothing(
    loads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    f: Function = function([x], x.T * 7)
    f(SMALL)

    def fail(*args: Any, **options: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Cache, "load", fail)
    with pytest.raises(DeviceError, match=r"kernels for long arrays.*no space left"):
        f(LARGE)
    monkeypatch.undo()
    np.testing.assert_array_equal(f(SMALL), SMALL.T * 7)


def test_the_driver_of_cuda_devices_launches_both_forms(
    libcuda: ctypes.CDLL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in graphs of launches, whose arguments have other sizes."""
    monkeypatch.setattr(host, "MOST_NARROW", 4000)
    with config.change_flags(cache_dir=str(new_cache(tmp_path / "cache"))):
        f = on_cuda([x], [x.T * 2, x + 1, x[::-1] * 3, x.sum()], monkeypatch)
        stages = f.stages
        there = EmulatedDevice(stages.toolchain, Cache(tmp_path / "cache"))
        load = CudaDevice.load

        def loaded(self: CudaDevice, source: Any) -> Any:
            path = there.load(source).library._name
            monkeypatch.setenv("STUB_KERNELS", os.path.realpath(path))
            return load(self, source)

        monkeypatch.setattr(CudaDevice, "load", loaded)
        for value in (SMALL, SMALL, LARGE, SMALL, LARGE, LARGE, LARGE, SMALL):
            turned, more, last, total = f(value)
            np.testing.assert_array_equal(turned, value.T * 2)
            np.testing.assert_array_equal(more, value + 1)
            np.testing.assert_array_equal(last, value[::-1] * 3)
            np.testing.assert_allclose(total, value.sum(dtype="float64"), 1e-6)


def test_a_function_is_not_kept(loads: list[str]) -> None:
    f = function([x], x.T * 9)
    f(LARGE)
    reference = weakref.ref(f.stages)
    del f
    gc.collect()
    assert reference() is None

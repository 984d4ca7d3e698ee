"""Arrays of other libraries: what is taken, what is copied, whose work is waited for."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import to_device
from symtheano.codegen.runtime import dlpack
from symtheano.codegen.runtime.device_array import DeviceArray
from symtheano.codegen.runtime.foreign_array import ForeignArray, array_on
from symtheano.errors import DeviceError
from tests.support.devices import Exporter, Foreign, HostMemory, on_cuda

HOST = (dlpack.CPU, 0)

LAYOUTS = [
    np.arange(6.0).reshape(2, 3).T,
    np.arange(24.0).reshape(2, 3, 4)[:, ::2, 1:3],
    np.arange(7, dtype="int16")[::-2],
    np.broadcast_to(np.float32(3), (2, 3)),
    np.arange(6.0)[3:3].reshape(0, 3),
    np.arange(3.0)[1:2, None],
]


def foreign(value: Any, memory: HostMemory) -> ForeignArray:
    """Return what an object has there, which is an array of another library."""
    found = array_on(value, memory)
    assert isinstance(found, ForeignArray)
    return found


def test_what_other_libraries_describe() -> None:
    memory = HostMemory()
    array = np.arange(6.0).reshape(2, 3)
    found = foreign(Foreign(array), memory)
    assert found.is_readable
    assert found.address == array.ctypes.data
    np.testing.assert_array_equal(found.to_host(), array)
    assert foreign(Foreign(array, strides=(24, 8), stream=7), memory).is_readable
    assert memory.waited == [7]
    read_only = Foreign(array, data=(array.ctypes.data, True))
    assert foreign(read_only, memory).address == array.ctypes.data
    for value in (array, np.float64(1), 1.0, [1.0], None, "text"):
        assert array_on(value, memory) is None
    other = DeviceArray.of(HostMemory(), array)
    assert array_on(other, memory) is None
    mine = DeviceArray.of(memory, array)
    assert array_on(mine, memory) is mine


def test_pycuda_does_not_tell_its_stream() -> None:
    class GPUArray(Foreign):
        pass

    GPUArray.__module__ = "pycuda.gpuarray"
    memory = HostMemory()
    foreign(GPUArray(np.arange(3.0), stream=None), memory)
    foreign(Foreign(np.arange(3.0), stream=None), memory)
    assert memory.waited == [1]


def test_arrays_of_other_contexts(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are copied, after all work there; arrays of other devices are refused."""
    x = T.fmatrix("x")
    f = on_cuda([x], x.sum(axis=1) * 2, monkeypatch, on_device=(0,))
    value = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")
    wanted = 2 * value.sum(axis=1)
    own, waited = libcuda.stub_own, libcuda.stub_contexts_synchronized
    own.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int]
    before = waited()
    try:
        own(value.ctypes.data, value.nbytes, 1, 0)  # the context of device 0
        np.testing.assert_allclose(f(Foreign(value)), wanted, rtol=1e-5)
        assert waited() == before
        own(value.ctypes.data, value.nbytes, 99, 0)
        np.testing.assert_allclose(f(Foreign(value)), wanted, rtol=1e-5)
        turned = Foreign(value[::-1].T, strides=value[::-1].T.strides)
        there = to_device(turned, "cuda")
        np.testing.assert_array_equal(there.to_host(), value[::-1].T)
        assert waited() == before + 2
        for step, why in (("CopyPeer", "CopyPeer"), ("CtxSynchronize", "work of another library")):
            monkeypatch.setenv("STUB_FAIL", f"{step} 1")
            with pytest.raises(DeviceError, match=f"{why}: refused by the stub"):
                f(turned)
        monkeypatch.delenv("STUB_FAIL")
        own(value.ctypes.data, value.nbytes, 99, 1)
        with pytest.raises(TypeError, match="Foreign: it is on device 1, and not on cuda:0"):
            f(Foreign(value))
    finally:
        own(0, 0, None, 0)


@pytest.mark.parametrize("imported", [True, False])
def test_the_context_of_pycuda_is_used(imported: bool, libcuda: ctypes.CDLL) -> None:
    """In another process, whose device is not open yet: if pycuda is imported, and has made one."""
    program = (
        "import ctypes, os, sys, types, numpy as np, symtheano as st\n"
        "stub = ctypes.CDLL(os.environ['SYMTHEANO_LIBCUDA'], ctypes.RTLD_GLOBAL)\n"
        "stub.cuCtxPushCurrent_v2(ctypes.c_void_p(77))\n"
        f"if {imported}: sys.modules['pycuda.driver'] = types.ModuleType('pycuda.driver')\n"
        "there = st.to_device(np.arange(3.0), 'cuda')\n"
        "np.testing.assert_array_equal(there.to_host(), np.arange(3.0))\n"
        f"assert stub.stub_contexts() == {int(not imported)}\n"
        "current = ctypes.c_void_p()\n"
        "stub.cuCtxGetCurrent(ctypes.byref(current))\n"
        "assert current.value == 77\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("array", LAYOUTS, ids=lambda array: str(array.strides))
@pytest.mark.parametrize("exporter", [False, True])
def test_layouts_are_copied(array: np.ndarray[Any, Any], exporter: bool) -> None:
    memory = HostMemory()
    value: Any = Foreign(array, strides=array.strides)
    if exporter:
        value = Exporter(array, HOST, True)
    found = foreign(value, memory)
    assert found.is_readable == (array.flags.c_contiguous or array.size == 0)
    np.testing.assert_array_equal(found.to_host(), array)
    copy = found.copy()
    assert copy.dtype == array.dtype
    np.testing.assert_array_equal(copy.to_host(), array)


def test_bytes_that_kernels_can_not_read() -> None:
    memory = HostMemory()
    whole = np.frombuffer(bytes(range(17)), "uint8")
    byte = Foreign(whole[1:].view("float64"))
    swapped = Foreign(np.arange(3, dtype=">f8"), typestr=">f8")
    for value in (byte, swapped):
        found = foreign(value, memory)
        assert not found.is_readable
        np.testing.assert_array_equal(found.to_host(), value.array)
        np.testing.assert_array_equal(found.copy().to_host(), value.array)
        assert found.copy().dtype == np.dtype("float64")


def test_masks_are_refused() -> None:
    array = np.ones(3)
    with pytest.raises(TypeError, match="Foreign: an array with a mask"):
        array_on(Foreign(array, mask=array), HostMemory())


@pytest.mark.parametrize("versions", [False, True])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float64", "complex64"])
def test_dlpack(versions: bool, dtype: str) -> None:
    memory = HostMemory()
    array = np.arange(6).reshape(2, 3).astype(dtype)
    before = sys.getrefcount(array)
    value = Exporter(array, HOST, versions)
    found = foreign(value, memory)
    assert found.is_readable
    assert (found.address, found.shape, found.dtype) == (array.ctypes.data, (2, 3), array.dtype)
    assert value.streams == [None]
    value.array = np.empty(0)
    np.testing.assert_array_equal(found.to_host(), array)
    assert sys.getrefcount(array) > before
    del found, value
    gc.collect()
    assert sys.getrefcount(array) == before, "the other library has not been told"


def test_read_only_arrays_have_a_version() -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    found = foreign(Exporter(array, HOST, True), HostMemory())
    assert found.address == array.ctypes.data
    with pytest.raises(BufferError):
        array_on(Exporter(array, HOST, False), HostMemory())


def test_their_stream_waits_for_them_and_we_for_it() -> None:
    memory = HostMemory()
    memory.own_stream = 4096
    value = Exporter(np.ones(3), HOST, True)
    foreign(value, memory)
    assert value.streams == [4096]
    assert memory.waited == [4096]


def test_other_devices() -> None:
    memory = HostMemory()
    array = np.ones(3)
    assert array_on(Exporter(array, (dlpack.CUDA, 0), True), memory) is None
    with pytest.raises(TypeError, match="Exporter: it is on device 3, and not on host"):
        array_on(Exporter(array, (dlpack.CPU, 3), True), memory)
    liar = Exporter(array, (dlpack.CUDA, 0), True)
    liar.__dict__["device"] = (dlpack.CUDA, 1)
    capsule = liar.__dlpack__()
    assert dlpack.take(_Of(capsule), None).device == (dlpack.CUDA, 1)

    class Both(Exporter):
        """An array whose device is not that of its capsule."""

        def __dlpack_device__(self) -> tuple[int, int]:
            return HOST

    with pytest.raises(BufferError, match="its capsule is not"):
        array_on(Both(array, (dlpack.CUDA, 0), True), memory)


class _Of:
    """What has a capsule."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> object:
        return self.capsule


def test_capsules_that_are_refused() -> None:
    array = np.ones(3)
    with pytest.raises(BufferError, match="returned no capsule of DLPack"):
        dlpack.take(_Of(array), None)
    capsule = array.__dlpack__(max_version=(1, 0))
    address = dlpack._address_of(capsule, b"dltensor_versioned")
    header = dlpack._Versioned.from_address(address)
    header.major = 2
    with pytest.raises(BufferError, match="version 2 of DLPack is not known"):
        dlpack.take(_Of(capsule), None)
    header.major = 1
    taken = dlpack.take(_Of(capsule), None)
    with pytest.raises(BufferError, match="returned no capsule of DLPack"):
        dlpack.take(_Of(capsule), None)
    assert taken.address == array.ctypes.data
    for code, bits, lanes in ((4, 16, 1), (2, 32, 4), (0, 4, 1), (9, 8, 1)):
        capsule = array.__dlpack__()
        managed = dlpack._Managed.from_address(dlpack._address_of(capsule, b"dltensor"))
        tensor = managed.tensor
        tensor.code, tensor.bits, tensor.lanes = code, bits, lanes
        with pytest.raises(TypeError, match=f"type {code} of {bits} bits in {lanes} lanes"):
            dlpack.take(_Of(capsule), None)


def test_arrays_that_need_no_deleter() -> None:
    array = np.ones(3)
    capsule = dlpack.capsule(array, array.ctypes.data, (3,), "float64", HOST)
    managed = dlpack._Managed.from_address(dlpack._address_of(capsule, b"dltensor"))
    ctypes.memset(ctypes.addressof(managed) + dlpack._Managed.deleter.offset, 0, 8)
    taken = dlpack.take(_Of(capsule), None)
    del taken
    gc.collect()
    dlpack._lent.pop(ctypes.addressof(managed))


def test_streams_whose_work_fails() -> None:
    class Broken(HostMemory):
        def wait_for(self, stream: int) -> None:
            raise DeviceError("work of another library: refused")

    with pytest.raises(DeviceError, match="work of another library"):
        array_on(Foreign(np.ones(3), stream=1), Broken())

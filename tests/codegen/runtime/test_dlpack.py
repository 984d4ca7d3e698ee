"""Capsules of DLPack: what their structure says."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from symtheano.codegen.runtime import dlpack
from tests.codegen.runtime.test_device_array import DeviceArray, HostMemory


@pytest.mark.parametrize(
    ("dtype", "code", "bits"),
    [("int8", 0, 8), ("uint32", 1, 32), ("float16", 2, 16), ("complex128", 5, 128), ("bool", 6, 8)],
)
def test_structure(dtype: str, code: int, bits: int) -> None:
    array = DeviceArray.of(HostMemory(), np.zeros((4, 5), dtype))
    capsule = dlpack.capsule(array, array.address, (4, 5), dtype, (dlpack.CUDA, 3))
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    words = (ctypes.c_int32 * 5).from_address(pointer(capsule, b"dltensor") + 8)
    assert list(words[:3]) == [dlpack.CUDA, 3, 2]
    assert (words[3] & 0xFF, words[3] >> 8 & 0xFF, words[3] >> 16) == (code, bits, 1)


def test_no_dims_and_no_elements() -> None:
    memory = HostMemory()
    assert np.from_dlpack(DeviceArray.of(memory, 3.5)) == 3.5
    assert np.from_dlpack(DeviceArray.of(memory, np.empty((0, 2)))).shape == (0, 2)

"""Arrays on a device: their memory, their protocols, and those of other libraries."""

from __future__ import annotations

import ctypes
import gc
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from symtheano import config, to_device
from symtheano.codegen.runtime import dlpack
from symtheano.codegen.runtime.device_array import DeviceArray, DeviceMemory
from symtheano.function.devices import memory_of
from tests.support.devices import HostMemory

pytestmark = pytest.mark.needs_cxx


@pytest.fixture
def memory() -> Iterator[DeviceMemory]:
    """The memory of the emulated device, of which a test keeps nothing."""
    with config.change_flags(device="emulated"):
        device = memory_of(config.snapshot())
    gc.collect()
    before = usage(device)
    yield device
    gc.collect()
    assert usage(device) == before


def usage(device: DeviceMemory) -> tuple[int, int]:
    """Return how many arrays are on the device, and their bytes."""
    count, size = ctypes.c_int64(), ctypes.c_int64()
    device.library.st_usage(0, ctypes.byref(count), ctypes.byref(size))
    return count.value, size.value


@pytest.mark.parametrize(
    "value",
    [
        3,
        2.5,
        [[1, 2], [3, 4]],
        np.empty((0, 3), "float32"),
        np.arange(12.0).reshape(3, 4).T,
        np.arange(12.0)[::-2],
        np.broadcast_to(np.int8(7), (2, 3)),
        np.arange(5, dtype=">i4"),
        np.frombuffer(bytes(17), "uint8")[1:].view("float64"),
        np.array([True, False]),
        np.array([1 + 2j, np.nan], "complex64"),
    ],
    ids=str,
)
def test_copies_there_and_back(memory: DeviceMemory, value: Any) -> None:
    there = DeviceArray.of(memory, value)
    host = np.asarray(value)
    back = there.to_host()
    np.testing.assert_array_equal(back, host)
    assert (back.shape, back.dtype) == (host.shape, host.dtype.newbyteorder("="))
    assert (there.shape, there.ndim, there.size) == (host.shape, host.ndim, host.size)
    assert (there.itemsize, there.nbytes) == (host.itemsize, host.nbytes)
    other = there.copy()
    assert other.address != there.address
    np.testing.assert_array_equal(other, host)
    assert DeviceArray.of(memory, there) is there


def test_numbers(memory: DeviceMemory) -> None:
    there = DeviceArray.of(memory, 2.5)
    assert (float(there), int(there), bool(there), there.item()) == (2.5, 2, True, 2.5)
    with pytest.raises(TypeError, match="0-d"):
        len(there)
    assert len(DeviceArray.of(memory, [1, 2, 3])) == 3
    assert repr(there) == "DeviceArray(shape=(), dtype=float64, device='emulated')"


def test_pickles_are_arrays_of_the_host(memory: DeviceMemory) -> None:
    copy = pickle.loads(pickle.dumps(DeviceArray.of(memory, [1.0, 2.0])))
    assert type(copy) is np.ndarray
    np.testing.assert_array_equal(copy, [1, 2])


def test_what_numpy_asks_for(memory: DeviceMemory) -> None:
    there = DeviceArray.of(memory, [1.5, 2.5])
    assert np.asarray(there, dtype="int32").tolist() == [1, 2]
    with pytest.raises(ValueError, match="can't be read without a copy"):
        np.array(there, copy=False)
    with pytest.raises(BufferError, match="other libraries can't reach the memory of emulated"):
        np.from_dlpack(there)
    assert not hasattr(there, "__cuda_array_interface__")


def test_more_memory_than_there_is(memory: DeviceMemory) -> None:
    with pytest.raises(MemoryError, match="emulated: the emulated device has no memory for"):
        DeviceArray(memory, (1 << 50,), "float64")


def test_the_host_can_not_reach_it() -> None:
    """A read from the host ends the process, which is another one."""
    import subprocess
    import sys

    program = (
        "import ctypes, symtheano as st\nx = st.to_device([1.0], 'emulated')\n"
        "print(float(x), flush=True)\nprint(ctypes.c_double.from_address(x.address).value)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout == "1.0\n"
    assert ended.returncode < 0


# -- other libraries -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "int16", "uint64", "float16", "float64", "complex64"])
def test_dlpack_without_a_copy(dtype: str) -> None:
    memory = HostMemory()
    value = np.arange(6).reshape(2, 3).astype(dtype)
    there = DeviceArray.of(memory, value)
    assert there.__dlpack_device__() == (dlpack.CPU, 0)
    taken = np.from_dlpack(there)
    np.testing.assert_array_equal(taken, value)
    assert taken.dtype == value.dtype
    assert taken.ctypes.data == there.address
    del there
    gc.collect()
    assert len(memory.kept) == 1, "who took it keeps it"
    del taken
    gc.collect()
    assert not memory.kept


def test_capsules_that_nobody_takes() -> None:
    memory = HostMemory()
    there = DeviceArray.of(memory, [1.0])
    capsule = there.__dlpack__()
    copied = there.__dlpack__(copy=True)
    assert len(memory.kept) == 2
    del capsule, copied, there
    gc.collect()
    assert not memory.kept
    with pytest.raises(BufferError, match="not on the device"):
        DeviceArray.of(memory, [1.0]).__dlpack__(dl_device=(dlpack.CUDA, 0))


def test_the_name_of_the_device() -> None:
    assert to_device(1, "emulated").device == "emulated"

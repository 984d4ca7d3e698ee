"""Arrays in the memory of a device."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.codegen.runtime.library import LoadedLibrary
from symtheano.errors import DeviceError

_TO_DEVICE, _TO_HOST, _WITHIN = range(3)
_DEFAULT_STREAM = 1
_OF_CONTEXT, _OF_OTHER_CONTEXT, _OF_OTHER_DEVICE = range(3)
"""Whose an address is, as the driver tells."""


class DeviceMemory:
    """The memory of a device, through the library of its driver.

    Parameters
    ----------
    library
        The library: ``st_allocate``, ``st_free``, ``st_copy`` and ``st_reason``.
    number
        Number of the device.
    name
        Its name, such as ``cuda:1``.
    interface
        The device of its arrays for DLPack: a type and a number; None if other libraries can't
        reach its memory.

    Attributes
    ----------
    library
        The library.
    """

    def __init__(
        self, library: LoadedLibrary, number: int, name: str, interface: tuple[int, int] | None
    ) -> None:
        self.number, self.name, self.interface = number, name, interface
        self.library = library
        # Calls of one thread at a time set these, to the same values.
        library.st_allocate.restype = ctypes.c_void_p
        library.st_allocate.argtypes = [ctypes.c_int32, ctypes.c_int64]
        library.st_free.argtypes = [ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64]
        library.st_copy.argtypes = [
            *(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)
        ]
        library.st_wait.argtypes = library.st_lead.argtypes = [ctypes.c_int32, ctypes.c_void_p]
        previous = ctypes.POINTER(ctypes.c_void_p)
        library.st_name_stream.argtypes = [ctypes.c_int32, ctypes.c_void_p, previous]
        library.st_stream.argtypes, library.st_stream.restype = [ctypes.c_int32], ctypes.c_void_p
        library.st_release.argtypes = [ctypes.c_void_p]
        if interface is not None:
            library.st_owner.argtypes = [
                *(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int32))
            ]
            library.st_fetch.argtypes = [
                *(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
            ]
        library.st_reason.restype = ctypes.c_char_p

    def __repr__(self) -> str:
        return f"<memory of {self.name}>"

    def reason(self) -> str:
        """Return why the driver has refused something in this thread."""
        return str(self.library.st_reason().decode(errors="replace"))

    def allocate(self, size: int) -> int:
        """Return the address of new memory of a size in bytes.

        Raises
        ------
        MemoryError
            If there is none.
        """
        address = self.library.st_allocate(self.number, size if size < 1 << 62 else -1)
        if not address:
            raise MemoryError(f"{self.name}: {self.reason()}")
        return int(address)

    def free(self, address: int, size: int) -> None:
        """Free memory of a size in bytes, which may be kept for later arrays."""
        self.library.st_free(self.number, address, size)

    def free_unused(self) -> None:
        """Give back to the driver what is kept for later arrays."""
        self.library.st_free_unused(self.number)

    def place(self) -> tuple[object, ...]:
        """Return what the dispatcher must know to read arrays, and to make them."""
        functions = (self.library.st_allocate, self.library.st_free, self.library.st_copy)
        addresses = (ctypes.cast(each, ctypes.c_void_p).value for each in functions)
        return (DeviceArray, self, self.number, *addresses)

    def is_reachable(self, address: int) -> bool:
        """Return whether kernels can read an address: not if it is of another context.

        Raises
        ------
        TypeError
            If it is on another device.
        """
        found = ctypes.c_int32(self.number)
        owner = self.library.st_owner(self.number, address, ctypes.byref(found))
        if owner == _OF_OTHER_DEVICE:
            raise TypeError(f"it is on device {found.value}, and not on {self.name}")
        return bool(owner == _OF_CONTEXT)

    def fetch(self, target: int, source: int, size: int) -> None:
        """Copy bytes of another context of the device, after all work there.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        if self.library.st_fetch(self.number, target, source, size) != 0:
            raise DeviceError(f"{self.name}: {self.reason()}")

    def to_device(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Copy a contiguous array to the device.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        self._copy(address, array.ctypes.data, array.nbytes, _TO_DEVICE)

    def to_host(self, array: np.ndarray[Any, Any], address: int) -> None:
        """Copy from the device to a contiguous array.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        self._copy(array.ctypes.data, address, array.nbytes, _TO_HOST)

    def within(self, target: int, source: int, size: int) -> None:
        """Copy bytes on the device.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        self._copy(target, source, size, _WITHIN)

    def stream(self) -> int | None:
        """Return the stream that other libraries are told to let wait for them; None without one.

        It is the one on which this thread's calls run, if it has named one.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        if self.interface is None:
            return None
        stream = self.library.st_stream(self.number)
        if not stream:
            raise DeviceError(f"{self.name}: {self.reason()}")
        return int(stream)

    def wait_for(self, stream: int) -> None:
        """Wait for the work of a stream, such as one of another library.

        If this thread has named a stream, that one waits, and not the host.

        Raises
        ------
        DeviceError
            If some of it has failed.
        """
        if self.library.st_wait(self.number, stream) != 0:
            raise DeviceError(f"{self.name}: {self.reason()}")

    def name_stream(self, stream: int | None) -> int | None:
        """Let calls of this thread run on a stream, or on their own; return the one before.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        before = ctypes.c_void_p()
        if self.library.st_name_stream(self.number, stream, ctypes.byref(before)) != 0:
            raise DeviceError(f"{self.name}: {self.reason()}")
        return before.value

    def lead(self, stream: int) -> None:
        """Let a stream of another library wait for all work of calls that may not have ended.

        Raises
        ------
        DeviceError
            If the driver refuses.
        """
        if self.is_busy() and self.library.st_lead(self.number, stream) != 0:
            raise DeviceError(f"{self.name}: {self.reason()}")

    def is_busy(self) -> bool:
        """Return whether calls on streams of callers may not have ended."""
        return bool(self.library.st_is_busy(self.number))

    def release(self, driver: int) -> None:
        """Free what is kept for later arrays, and for calls of a program: its driver's address."""
        self.library.st_release(driver)

    def spent(self, count: int) -> tuple[list[float], list[int]]:
        """Return the seconds and runs of the first steps of this thread's last measured call.

        They can be asked for once.
        """
        seconds, runs = (ctypes.c_double * count)(), (ctypes.c_int64 * count)()
        self.library.st_spent(count, seconds, runs)
        return list(seconds), list(runs)

    def _copy(self, target: int, source: int, size: int, direction: int) -> None:
        if self.library.st_copy(self.number, target, source, size, direction) != 0:
            raise DeviceError(f"{self.name}: {self.reason()}")


class _Owner:
    """Owns memory of a device. The dispatcher has a class of its own for it.

    Raises
    ------
    MemoryError
        If there is none.
    """

    __slots__ = ("address", "memory", "size")

    def __init__(self, memory: DeviceMemory, size: int) -> None:
        self.address = 0
        self.memory, self.size = memory, size
        self.address = memory.allocate(size)

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # By the end of the process, the driver may be gone.
        if self.address and not ending():
            self.memory.free(self.address, self.size)


class DeviceArray:
    """An array in the memory of a device, C-contiguous.

    Functions for the device return it for outputs that are ``Out(..., borrow=True)``, and shared
    variables keep it as their value. Other libraries take it without a copy, through
    ``__cuda_array_interface__`` and DLPack; NumPy gets a copy. Nothing changes its elements.

    Parameters
    ----------
    memory
        The memory of the device.
    shape, dtype
        Of the array.

    Attributes
    ----------
    address
        Where its elements are on the device.
    owner
        What owns them.

    Raises
    ------
    MemoryError
        If the device has no memory for it.

    Examples
    --------
    >>> from symtheano import to_device
    >>> x = to_device([[1.0, 2.0]], "emulated")
    >>> x.shape, x.dtype, x.device
    ((1, 2), dtype('float64'), 'emulated')
    >>> np.asarray(x) + 1
    array([[2., 3.]])
    """

    # The dispatcher reads and sets them.
    __slots__ = ("__weakref__", "address", "dtype", "memory", "owner", "shape")

    def __init__(self, memory: DeviceMemory, shape: Sequence[int], dtype: Any) -> None:
        self.memory, self.shape, self.dtype = memory, tuple(shape), np.dtype(dtype)
        owner = _Owner(memory, self.nbytes)
        self.owner: object = owner
        self.address = owner.address

    @classmethod
    def of(cls, memory: DeviceMemory, value: Any) -> DeviceArray:
        """Return an array on a device, or a copy on the device of any array.

        Raises
        ------
        TypeError
            If it has no dtype of numbers.
        MemoryError, DeviceError
            If the device refuses.
        """
        if isinstance(value, DeviceArray) and value.memory is memory:
            return value
        array = np.array(value, order="C", copy=None)
        if array.dtype.kind not in "biufc":
            raise TypeError(f"an array of dtype {array.dtype} can't be on a device")
        if not (array.flags.aligned and array.dtype.isnative):
            array = np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
        copy = cls(memory, array.shape, array.dtype)
        memory.to_device(copy.address, array)
        return copy

    @classmethod
    def of_owner(
        cls, memory: DeviceMemory, address: int, shape: Sequence[int], dtype: Any, owner: object
    ) -> DeviceArray:
        """Return an array whose elements something else owns."""
        array = cls.__new__(cls)
        array.memory, array.shape, array.dtype = memory, tuple(shape), np.dtype(dtype)
        array.owner, array.address = owner, address
        return array

    # -- what it is ------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def device(self) -> str:
        """Name of the device."""
        return self.memory.name

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device!r})"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d array")
        return self.shape[0]

    # -- copies ----------------------------------------------------------------------------------

    def to_host(self) -> np.ndarray[Any, Any]:
        """Return a copy as a NumPy array.

        Raises
        ------
        DeviceError
            If the driver refuses.

        Examples
        --------
        >>> from symtheano import to_device
        >>> to_device(np.arange(3), "emulated").to_host()
        array([0, 1, 2])
        """
        array = np.empty(self.shape, self.dtype)
        self.memory.to_host(array, self.address)
        return array

    def copy(self) -> DeviceArray:
        """Return a copy on the device.

        Raises
        ------
        MemoryError, DeviceError
            If the device refuses.
        """
        copy = DeviceArray(self.memory, self.shape, self.dtype)
        self.memory.within(copy.address, self.address, self.nbytes)
        return copy

    def __copy__(self) -> DeviceArray:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> DeviceArray:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        # The process that loads it may have no such device.
        return np.asarray, (self.to_host(),)

    # -- protocols -------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError(f"an array on {self.device} can't be read without a copy")
        array = self.to_host()
        return array if dtype is None else array.astype(dtype, copy=False)

    def item(self) -> Any:
        """Return the only element as a Python number."""
        return self.to_host().item()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array for other libraries, version 3.

        If work on it may not have ended, it names a stream for which to wait.
        """
        if self.memory.interface is None:
            raise AttributeError(f"an array on {self.device} has no __cuda_array_interface__")
        stream: dict[str, Any] = {}
        if self.memory.is_busy() and (own := self.memory.stream()) is not None:
            self.memory.lead(own)
            stream["stream"] = own
        return {
            **stream,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address if self.size else 0, False),
            "strides": None,
            "version": 3,
        }

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Return a capsule of DLPack. The stream waits for work on the array that has not ended.

        Raises
        ------
        BufferError
            If other libraries can't reach the array's memory, or ask for another device.
        """
        from symtheano.codegen.runtime.dlpack import capsule

        own = self.__dlpack_device__()
        if dl_device is not None and tuple(dl_device) != own:
            raise BufferError(f"the array is on {self.device}, not on the device {dl_device}")
        array = self.copy() if copy else self
        if stream != -1:
            self.memory.lead(_DEFAULT_STREAM if stream is None else stream)
        return capsule(array, array.address, self.shape, self.dtype, own)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the type of the device and its number, as DLPack numbers them."""
        if self.memory.interface is None:
            raise BufferError(f"other libraries can't reach the memory of {self.device}")
        return self.memory.interface

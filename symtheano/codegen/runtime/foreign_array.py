"""Arrays of other libraries on a device, which functions take without a copy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.codegen.runtime import dlpack
from symtheano.codegen.runtime.device_array import DeviceArray, DeviceMemory

_DEFAULT_STREAM = 1
"""The stream of work for which none is named, as interfaces of arrays number it."""


class ForeignArray:
    """An array of another library in the memory of a device. It is not written to.

    Parameters
    ----------
    memory
        The memory of the device.
    owner
        The object that keeps it.
    address, shape, dtype
        Where its elements are.
    strides
        The distances of elements in bytes; None: in C order.
    """

    __slots__ = ("address", "dtype", "memory", "ndim", "owner", "shape", "strides")

    def __init__(
        self,
        memory: DeviceMemory,
        owner: object,
        address: int,
        shape: tuple[int, ...],
        dtype: Any,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.memory, self.owner, self.address = memory, owner, address
        self.shape, self.ndim, self.dtype = shape, len(shape), np.dtype(dtype)
        natural = _steps(shape, self.dtype.itemsize)
        varied = [k for k, length in enumerate(shape) if length > 1]
        plain = strides is None or all(strides[k] == natural[k] for k in varied)
        self.strides = None if plain or 0 in shape else strides

    @property
    def is_readable(self) -> bool:
        """Whether kernels can read it as it is: C-contiguous, aligned, in native byte order."""
        aligned = self.address % self.dtype.itemsize == 0
        return self.strides is None and aligned and self.dtype.isnative

    def as_array(self) -> DeviceArray:
        """Return it as an array of ours, without a copy; it must be readable."""
        return DeviceArray.of_owner(self.memory, self.address, self.shape, self.dtype, self.owner)

    def to_host(self) -> np.ndarray[Any, Any]:
        """Return a copy as a NumPy array, with all that lies between its elements."""
        if self.strides is None:
            array = np.empty(self.shape, self.dtype)
            self.memory.to_host(array, self.address)
            return array
        first, last = _extent(self.shape, self.strides, self.dtype.itemsize)
        whole = np.empty(last - first, "uint8")
        self.memory.to_host(whole, self.address + first)
        return np.ndarray(self.shape, self.dtype, whole, -first, self.strides)

    def copy(self) -> DeviceArray:
        """Return a copy on the device, in C order and native byte order."""
        if not self.is_readable:
            return DeviceArray.of(self.memory, self.to_host())
        copy = DeviceArray(self.memory, self.shape, self.dtype)
        self.memory.within(copy.address, self.address, copy.nbytes)
        return copy


def array_on(value: Any, memory: DeviceMemory) -> DeviceArray | ForeignArray | None:
    """Return what an object has on a device.

    Parameters
    ----------
    value
        An array of ours, or any object with ``__cuda_array_interface__`` or DLPack's methods. Its
        work on streams is waited for.
    memory
        The memory of the device.

    Returns
    -------
    The array; None for objects that have none there.

    Raises
    ------
    TypeError
        If it is on another device of the kind, or has a mask, or another dtype than NumPy's.
    BufferError
        If the other library refuses.
    DeviceError
        If its work has failed.
    """
    if isinstance(value, DeviceArray):
        return value if value.memory is memory else None
    if memory.interface is None or isinstance(value, np.ndarray | np.generic | float | int):
        return None
    place = getattr(value, "__dlpack_device__", None)
    device = None if place is None else tuple(map(int, place()))
    if device is not None and device[0] == memory.interface[0] and device != memory.interface:
        raise TypeError(
            f"{type(value).__name__}: it is on device {device[1]}, and not on {memory.name}"
        )
    described = getattr(value, "__cuda_array_interface__", None)
    if described is not None:
        return _described(value, described, memory)
    if device == memory.interface:
        stream = memory.stream()
        taken = dlpack.take(value, stream)
        if taken.device != device:
            raise BufferError(f"{type(value).__name__}: it is on {device}, its capsule is not")
        if stream is not None:
            memory.wait_for(stream)
        address = taken.address if math.prod(taken.shape) else 0
        return ForeignArray(memory, taken.owner, address, taken.shape, taken.dtype, taken.strides)
    return None


def _described(value: Any, described: dict[str, Any], memory: DeviceMemory) -> ForeignArray:
    """Return what an object describes by ``__cuda_array_interface__``, after its work."""
    if described.get("mask") is not None:
        raise TypeError(f"{type(value).__name__}: an array with a mask can't be an argument")
    dtype, shape = np.dtype(described["typestr"]), tuple(described["shape"])
    address, strides = described["data"][0] or 0, described.get("strides")
    array = ForeignArray(memory, value, address, shape, dtype, strides)
    try:
        reachable = not address or 0 in shape or memory.is_reachable(address)
    except TypeError as error:
        raise TypeError(f"{type(value).__name__}: {error}") from None
    if not reachable:
        return _fetched(array)
    stream = described.get("stream")
    if stream is None and _is_of_pycuda(value):
        stream = _DEFAULT_STREAM  # of its operations, which it does not tell
    if stream is not None:
        memory.wait_for(stream)
    return array


def _is_of_pycuda(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "pycuda"


def _fetched(array: ForeignArray) -> ForeignArray:
    """Return a copy of an array of another context, with all that lies between its elements."""
    memory, itemsize = array.memory, array.dtype.itemsize
    first, last = 0, math.prod(array.shape) * itemsize
    if array.strides is not None:
        first, last = _extent(array.shape, array.strides, itemsize)
    whole = DeviceArray(memory, (last - first,), "uint8")
    memory.fetch(whole.address, array.address + first, last - first)
    address = whole.address - first
    return ForeignArray(memory, whole, address, array.shape, array.dtype, array.strides)


def _extent(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> tuple[int, int]:
    """Return where the bytes of an array begin and end, relative to its first element.

    Examples
    --------
    >>> _extent((3, 2), (-8, 4), 4)
    (-16, 8)
    """
    ends = [step * (length - 1) for step, length in zip(strides, shape, strict=True)]
    return sum(end for end in ends if end < 0), sum(end for end in ends if end > 0) + itemsize


def _steps(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the strides of an array in C order."""
    steps = []
    for length in reversed(shape):
        steps.append(size)
        size *= length
    return tuple(reversed(steps))

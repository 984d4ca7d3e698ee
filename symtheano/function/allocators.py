"""Allocators of the caller's for arrays on a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.config import config
from symtheano.dataclass import replace
from symtheano.function.devices import memory_of


def set_allocator(allocate: Callable[[int], Any] | None, device: str | None = None) -> None:
    """Let the memory of arrays on a device come from an allocator, such as another library's pool.

    Arrays are values of shared variables, results on the device and copies that are made there. The
    memory in which a call computes is the driver's.

    Parameters
    ----------
    allocate
        A function of a number of bytes, at least 1, that returns what owns as much memory: the
        memory is given back when the last reference to this object is dropped. It is an integer, or
        has ``__int__``, ``ptr`` or ``data_ptr()``, which is the address. None: the driver's memory
        again; arrays that are there stay where they are.
    device
        Name of the device, such as ``cuda:1``. By default that of ``config.device``.

    Raises
    ------
    TypeError
        If it can't be called.
    ValueError
        If no device is named.
    DeviceError
        If the device is not there.

    Notes
    -----
    An error of the allocator becomes a `MemoryError` of what has asked for an array. Before an
    array gets memory, work on the default stream is waited for, which may still use it.

    Examples
    --------
    >>> from symtheano import set_allocator, to_device
    >>> class Block:
    ...     def __init__(self, size):
    ...         self.bytes = np.empty(size, "uint8")
    ...         self.ptr = self.bytes.ctypes.data
    >>> set_allocator(Block, "emulated")
    >>> to_device(np.arange(3), "emulated").to_host()
    array([0, 1, 2])
    >>> set_allocator(None, "emulated")
    """
    if allocate is not None and not callable(allocate):
        raise TypeError(f"set_allocator: {type(allocate).__name__} is not a function of a size")
    options = config.snapshot()
    if device is not None:
        options = replace(options, device=device)
    if options.device == "cpu":
        raise ValueError(f"set_allocator: device={device!r} is not a device, such as 'cuda'")
    from symtheano.codegen.runtime.allocators import allocator_of

    allocator_of(memory_of(options)).use(allocate)

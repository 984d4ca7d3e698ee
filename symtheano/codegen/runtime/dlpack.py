"""DLPack: capsules that pass arrays on a device to other libraries without a copy.

The layout is that of DLPack's ``dlpack.h``, version 0: a ``DLManagedTensor`` in a capsule with the
name ``dltensor``. Who takes it renames the capsule, and calls the deleter when it is done.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

CPU, CUDA = 1, 2
"""Types of devices."""

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (
    ("tensor", _Tensor),
    ("context", ctypes.c_void_p),
    ("deleter", _Deleter),
)
# A capsule that is being deleted must not get references: it is passed by its address.
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# What capsules keep alive until they are deleted, by the address of their structure.
_lent: dict[int, tuple[Any, ...]] = {}


def _forget(managed: Any) -> None:
    """Let go of an array."""
    _lent.pop(ctypes.addressof(managed.contents), None)


_delete = _Deleter(_forget)


def _forget_unused(capsule: int) -> None:
    """Let go of the array of a capsule that nobody has taken."""
    if _is_valid(capsule, _NAME):
        _lent.pop(_pointer(capsule, _NAME), None)


_destroy = _Destructor(_forget_unused)


_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)


def capsule(
    owner: object, address: int, shape: tuple[int, ...], dtype: Any, device: tuple[int, int]
) -> Any:
    """Return a capsule that keeps an array alive until who takes it is done.

    Parameters
    ----------
    owner
        What keeps the array.
    address, shape, dtype
        Where its elements are, in C order.
    device
        The type of its device, and its number.
    """
    kind = np.dtype(dtype)
    lengths = (ctypes.c_int64 * max(1, len(shape)))(*shape)
    size = 8 * kind.itemsize
    tensor = _Tensor(address, *device, len(shape), _CODES[kind.kind], size, 1, lengths)
    managed = _Managed(tensor, None, _delete)
    place = ctypes.addressof(managed)
    _lent[place] = (managed, lengths, owner)
    return _new(place, _NAME, _destroy)

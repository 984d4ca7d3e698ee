"""DLPack: capsules that pass arrays on a device between libraries without a copy.

The layout is that of DLPack's ``dlpack.h``. In version 0, a capsule of the name ``dltensor`` has a
``DLManagedTensor``; in version 1, one of the name ``dltensor_versioned`` has a
``DLManagedTensorVersioned``. Who takes it renames the capsule, and calls the deleter when it is
done. Ours are of version 0; both are taken.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

CPU, CUDA = 1, 2
"""Types of devices."""

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_KINDS = {code: kind for kind, code in _CODES.items()}
_NAME, _VERSIONED = b"dltensor", b"dltensor_versioned"
_USED = {_NAME: b"used_dltensor", _VERSIONED: b"used_dltensor_versioned"}
_VERSION = (1, 1)


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


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
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
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_SetName", ctypes.pythonapi)
)
_address_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_has_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
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


class _Owner:
    """Keeps an array of another library alive, until it is deleted."""

    __slots__ = ("_delete",)

    def __init__(self, delete: Callable[[], None]) -> None:
        self._delete = delete

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # By the end of the process, the other library may be gone.
        if not ending():
            self._delete()


class Taken(NamedTuple):
    """An array of another library.

    Attributes
    ----------
    owner
        Keeps it alive.
    address
        Where its first element is.
    shape, strides
        Lengths, and distances in bytes; None: in C order.
    dtype
        Of its elements, in native byte order.
    device
        The type of its device, and its number.
    """

    owner: object
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: np.dtype[Any]
    device: tuple[int, int]


def take(array: Any, stream: int | None) -> Taken:
    """Take an array of another library, which keeps its elements.

    Parameters
    ----------
    array
        An object with ``__dlpack__``.
    stream
        The stream that is to wait for its work; None for devices without streams.

    Raises
    ------
    TypeError
        If it has no dtype of NumPy's.
    BufferError
        If the other library refuses, or has a version of DLPack that is not known.
    """
    try:
        capsule = array.__dlpack__(stream=stream, max_version=_VERSION)
    except TypeError:  # libraries from before version 1
        capsule = array.__dlpack__(stream=stream)
    name = _VERSIONED if _has_name(capsule, _VERSIONED) else _NAME
    if not _has_name(capsule, name):
        raise BufferError(f"{type(array).__name__}.__dlpack__ returned no capsule of DLPack")
    place = _address_of(capsule, name)
    managed: Any = (_Versioned if name == _VERSIONED else _Managed).from_address(place)
    if name == _VERSIONED and managed.major != _VERSION[0]:
        raise BufferError(f"version {managed.major} of DLPack is not known")
    taken = _described(managed.tensor)
    _rename(capsule, _USED[name])
    return taken._replace(owner=_Owner(_deleter(managed, place)))


def _described(tensor: Any) -> Taken:
    """Return what a structure says of an array, which nothing keeps yet."""
    axes, size = tensor.ndim, tensor.bits * tensor.lanes
    kind = _KINDS.get(tensor.code)
    try:
        dtype = np.dtype(f"{kind}{size // 8}")
    except TypeError:
        dtype = None
    if kind is None or dtype is None or tensor.lanes != 1 or size % 8:
        told = f"type {tensor.code} of {tensor.bits} bits in {tensor.lanes} lanes"
        raise TypeError(f"arrays of DLPack's {told} are not supported")
    strides = None
    if tensor.strides:
        strides = tuple(step * dtype.itemsize for step in tensor.strides[:axes])
    address = (tensor.data or 0) + tensor.byte_offset
    device = (tensor.device_type, tensor.device_id)
    return Taken(None, address, tuple(tensor.shape[:axes]), strides, dtype, device)


def _deleter(managed: Any, place: int) -> Callable[[], None]:
    """Return a function that tells the other library that its array is no longer used."""
    function = ctypes.cast(managed.deleter, ctypes.c_void_p).value
    if not function:
        return lambda: None
    delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)
    return lambda: delete(place)

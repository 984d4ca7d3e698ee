"""Conversion of the fields of ops and the data of constants to JSON, and back.

Numbers, strings, booleans and None are unchanged, tuples are lists. Anything else is an object with
one key that is its kind: ``{"float": "nan"}``, ``{"bytes": "AAE="}``, ``{"scalar_op": "exp"}``.
"""

from __future__ import annotations

import binascii
import math
from base64 import b64decode, b64encode
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

import numpy as np

from symtheano.graph.claims import Value
from symtheano.graph.fields import is_own, named_maker

Array: TypeAlias = np.ndarray

_MAKERS = {"scalar_op": ("symtheano.scalar.table", "scalar_op")}
"""The only functions that a text can call, each with one string."""


def to_plain(value: Value) -> object:
    """Convert a value for JSON; raise ``TypeError`` if it is not plain data."""
    cls = value.__class__
    if value is None or cls in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, tuple) and (type(value) is tuple or is_own(type(value))):
        return [to_plain(item) for item in value]
    if type(value) is complex:
        return {"complex": [to_plain(value.real), to_plain(value.imag)]}
    if type(value) is bytes:
        return {"bytes": b64encode(value).decode()}
    if type(value) is slice:
        return {"slice": [to_plain(item) for item in (value.start, value.stop, value.step)]}
    if isinstance(value, np.dtype) and value.kind in "biufc":
        return {"dtype": value.str}
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return {"number": array_to_plain(np.asarray(value))}
    maker = named_maker(value)
    for label, function in _MAKERS.items():
        if maker is not None and maker[:2] == function:
            return {label: maker[2]}
    raise TypeError(f"{value!r} of type {cls.__name__} is not plain data")


def from_plain(value: object) -> Value:
    """Return the value that :func:`to_plain` converted; raise ``ValueError`` for anything else."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return tuple(from_plain(item) for item in value)
    if isinstance(value, dict) and len(value) == 1:
        ((label, content),) = value.items()
        read = _READERS.get(label)
        if read is not None:
            return read(content)
    raise ValueError(f"{value!r} is not a value")


def _read_float(content: object) -> float:
    if content not in ("nan", "inf", "-inf"):
        raise ValueError(f"{content!r} is neither nan nor inf nor -inf")
    return float(content)


def _read_complex(content: object) -> complex:
    match from_plain(content):
        case (int() | float() as real, int() | float() as imag):
            return complex(real, imag)
    raise ValueError(f"{content!r} is not a complex number")


def _read_slice(content: object) -> slice:
    match from_plain(content):
        case (start, stop, step):
            return slice(start, stop, step)
    raise ValueError(f"{content!r} is not a slice")


def _read_bytes(content: object) -> bytes:
    if not isinstance(content, str):
        raise ValueError(f"{content!r} is not the text of bytes")
    try:
        return b64decode(content, validate=True)
    except binascii.Error as error:
        raise ValueError(f"bytes in base64: {error}") from None


def _read_dtype(content: object) -> np.dtype:
    # NumPy reads "\0" as bool, and None as float64.
    if not isinstance(content, str) or "\0" in content:
        raise ValueError(f"{content!r} is not a dtype of numbers")
    dtype: np.dtype = np.dtype(content)
    if dtype.kind not in "biufc":
        raise ValueError(f"{content!r} is not a dtype of numbers")
    return dtype


def _read_call(label: str, content: object) -> object:
    module, function = _MAKERS[label]
    if not isinstance(content, str):
        raise ValueError(f"{content!r} is not the name of a {label}")
    try:
        return getattr(import_module(module), function)(content)
    except (KeyError, TypeError):
        raise ValueError(f"there is no {label} {content!r}") from None


_READERS: dict[str, Callable[[object], object]] = {
    "float": _read_float,
    "complex": _read_complex,
    "bytes": _read_bytes,
    "slice": _read_slice,
    "dtype": _read_dtype,
    "number": lambda content: array_from_plain(content)[()],
    "scalar_op": lambda content: _read_call("scalar_op", content),
}


# -- arrays --------------------------------------------------------------------------------------


def array_to_plain(array: Array) -> dict[str, object]:
    """Return dtype, shape and content: a number if JSON can represent it exactly, or bytes."""
    plain: dict[str, object] = {"dtype": array.dtype.name, "shape": list(array.shape)}
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    raw = little.tobytes()
    if array.ndim == 0 and array.dtype.kind in "biuf":
        number = array.item()
        text = (
            number if array.dtype.kind != "f" or math.isfinite(number) else {"float": str(number)}
        )
        if np.asarray(from_plain(text)).astype(little.dtype).tobytes() == raw:
            return {**plain, "value": text}
    return {**plain, "bytes": b64encode(raw).decode()}


def array_from_plain(plain: object) -> Array:
    """Return the array that :func:`array_to_plain` converted, or raise ``ValueError``."""
    if not isinstance(plain, dict) or not {"dtype", "shape"} <= plain.keys():
        raise ValueError(f"{plain!r} is not an array")
    dtype, shape = _read_dtype(plain["dtype"]), plain["shape"]
    if "value" in plain:
        return _number_of(dtype, from_plain(plain["value"])).reshape(shape)
    raw = _read_bytes(plain.get("bytes"))
    array = np.frombuffer(raw, dtype.newbyteorder("<")).reshape(shape)
    return array.astype(dtype)


def _number_of(dtype: np.dtype, number: object) -> Array:
    if not isinstance(number, bool | int | float):
        raise ValueError(f"{number!r} is not a number")
    try:
        return np.asarray(number, dtype=dtype)
    except OverflowError as error:
        raise ValueError(str(error)) from None

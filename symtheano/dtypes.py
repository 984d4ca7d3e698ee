"""Dtypes: their names, kinds and promotion, and how Python numbers become typed constants.

``docs/dtypes.md`` contains the promotion table and describes ``config.cast_policy``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from symtheano.config import config

BOOL = ("bool",)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGER = SIGNED + UNSIGNED
DISCRETE = BOOL + INTEGER
FLOAT = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
CONTINUOUS = FLOAT + COMPLEX
ALL = DISCRETE + CONTINUOUS

_BITS_OF_UPGRADE = 16


def is_complex(dtype: str) -> bool:
    """Return whether ``dtype`` is a complex dtype."""
    return dtype in COMPLEX


def is_float(dtype: str) -> bool:
    """Return whether ``dtype`` is a real floating-point dtype."""
    return dtype in FLOAT


def is_continuous(dtype: str) -> bool:
    """Return whether ``dtype`` is floating or complex, that is, differentiable."""
    return dtype in CONTINUOUS


def is_discrete(dtype: str) -> bool:
    """Return whether ``dtype`` is an integer or bool."""
    return dtype in DISCRETE


def canonical(dtype: object) -> str:
    """Return the name of a dtype, given in any spelling that NumPy accepts, or as ``"floatX"``.

    Raises
    ------
    TypeError
        If the dtype is not one of :data:`ALL`.

    Examples
    --------
    >>> canonical("f4"), canonical(int), canonical(np.bool_)
    ('float32', 'int64', 'bool')
    """
    if isinstance(dtype, str):
        if dtype == "floatX":
            return str(config.floatX)
        if dtype in ALL:
            return str(dtype)  # which may be one of NumPy's strings
        if "\0" in dtype or not dtype.isascii():  # which NumPy cuts off, or can't encode
            raise TypeError(f"dtype {dtype!r} is not supported; supported are {', '.join(ALL)}")
    try:
        name = np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        name = dtype
    if name not in ALL:
        raise TypeError(f"dtype {name!r} is not supported; supported are {', '.join(ALL)}")
    return str(name)


@cache
def _promote(names: frozenset[str]) -> str:
    return str(np.result_type(*(np.dtype(name) for name in sorted(names))).name)


def upcast(*names: str) -> str:
    """Return the dtype to which operands of these dtypes are converted.

    This is NumPy's promotion. Under ``cast_policy="numpy+floatX"`` with floatX float32, a float64
    result becomes float32 if no operand is float64.

    Examples
    --------
    >>> upcast("int32", "float32"), upcast("int8", "uint8"), upcast("float32", "complex64")
    ('float64', 'int16', 'complex64')
    """
    result = _promote(frozenset(names))
    asked = {"float64", "complex128"} & set(names)
    if config.cast_policy == "numpy+floatX" and config.floatX == "float32" and not asked:
        result = {"float64": "float32", "complex128": "complex64"}.get(result, result)
    return result


def upgrade_to_float(dtype: str) -> str:
    """Return the float dtype in which functions such as ``exp`` of a discrete dtype are computed.

    This is float32 for integers of at most 16 bits, and float64 for wider ones.

    Examples
    --------
    >>> upgrade_to_float("int8"), upgrade_to_float("int64"), upgrade_to_float("float32")
    ('float32', 'float64', 'float32')
    """
    if dtype not in DISCRETE:
        return dtype
    return "float32" if np.dtype(dtype).itemsize * 8 <= _BITS_OF_UPGRADE else "float64"


def real_of(dtype: str) -> str:
    """Return the dtype of the real part of values of ``dtype``."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def complex_of(dtype: str) -> str:
    """Return the complex dtype that can represent real values of ``dtype``."""
    return dtype if dtype in COMPLEX else str(np.result_type(dtype, np.complex64).name)


def constant_dtype(value: bool | int | float | complex) -> str:
    """Return the dtype of a Python number under ``config.cast_policy``.

    ``custom`` (Theano's default): the smallest integer dtype; for floats, float32 if floatX is
    float32 or the value is exact in float32, otherwise float64. ``numpy+floatX``: int64 and floatX.
    ``numpy``: int64 and float64.

    Examples
    --------
    >>> constant_dtype(2), constant_dtype(300), constant_dtype(True), constant_dtype(0.5)
    ('int8', 'int16', 'bool', 'float32')
    """
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, complex):
        return "complex128"
    if config.cast_policy != "custom":
        if isinstance(value, int):
            return np.min_scalar_type(value).name if not -(2**63) <= value < 2**63 else "int64"
        return str(config.floatX) if config.cast_policy == "numpy+floatX" else "float64"
    if isinstance(value, int):
        return _smallest_integer(value)
    if config.floatX == "float16":
        return "float16"
    with np.errstate(over="ignore"):
        exact = value != value or float(np.float32(value)) == value
    return "float32" if config.floatX == "float32" or exact else "float64"


def _smallest_integer(value: int) -> str:
    for name in (*SIGNED, "uint64"):
        info = np.iinfo(name)
        if info.min <= value <= info.max:
            return name
    raise OverflowError(f"the integer {value} fits none of the integer dtypes")


# -- conversion -------------------------------------------------------------------------------


def convert(values: Any, dtype: str) -> np.ndarray[Any, Any]:
    """Return an array converted to ``dtype``, with the same result on every processor.

    In NumPy, the conversion of a float that is out of range of an integer dtype depends on the
    processor. Here the result is that of compiled functions; see ``docs/dtypes.md``. Complex
    numbers lose their imaginary part if ``dtype`` is real. There are no warnings.

    Parameters
    ----------
    values
        An array of any supported dtype.
    dtype
        Name of the dtype to convert to.

    Examples
    --------
    >>> convert(np.array([-1.5, 300.0, np.nan]), "uint8")
    array([255,  44,   0], dtype=uint8)
    """
    with np.errstate(all="ignore"):
        if values.dtype.kind == "c" and dtype in FLOAT + INTEGER:
            values = values.real
        if values.dtype.kind == "f" and dtype in INTEGER:
            return _to_integer(values.astype("float64"), dtype)
        return np.asarray(values.astype(dtype))


def _to_integer(values: np.ndarray[Any, Any], dtype: str) -> np.ndarray[Any, Any]:
    """Convert by way of int32 or int64; the result is their smallest number if it does not fit."""
    if dtype == "uint64":
        large = (values >= 2.0**63) & (values < 2.0**64)
        low = _to_integer(values - np.where(large, 2.0**63, 0), "int64").astype(dtype)
        return np.asarray(np.where(values >= 2.0**64, 0, low + large * np.uint64(2**63)), dtype)
    way = "int64" if dtype in ("int64", "uint32") else "int32"
    limits = np.iinfo(way)
    fits = np.abs(values) < -float(limits.min)
    whole = np.where(fits, values, 0).astype(way)
    return np.asarray(np.where(fits, whole, limits.min).astype(dtype))


def short_name(dtype: str) -> str:
    """Return the short name of a dtype that is used in the names of C functions.

    Examples
    --------
    >>> short_name("bool"), short_name("int8"), short_name("complex128")
    ('b8', 'i8', 'c128')
    """
    digits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
    return f"{dtype[0]}{digits or 8}"

"""Conversion of values to NumPy arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import MisfitError

_PLAIN = {bool, int, float, complex}
_DEEPEST = 64
"""NumPy's maximum number of dimensions."""


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """Return a value that is not symbolic as an array, with the dtype chosen by NumPy.

    Numbers, lists, buffers and arrays of other packages (``__array__`` or DLPack) are converted;
    anything else becomes a 0-d array of objects.

    Raises
    ------
    MisfitError
        If the mask of a masked array would be lost, or the other package raises an error.
    ValueError
        If it is a list of rows of different lengths.

    Examples
    --------
    >>> as_array([1, 2]), as_array(memoryview(np.ones(2)))
    (array([1, 2]), array([1., 1.]))
    """
    if value.__class__ is np.ndarray:
        return value
    refuse_masked(value)
    kind = type(value).__name__
    try:
        if hasattr(type(value), "__dlpack__") and not hasattr(type(value), "__array__"):
            return np.asarray(np.from_dlpack(value))
        return np.asarray(value)
    except (TypeError, RuntimeError, BufferError, AttributeError) as error:
        first = str(error).partition("\n")[0]
        raise MisfitError(
            f"this {kind} can't be converted to a NumPy array: {first}",
            "detach it and copy it to the CPU first",
        ) from None


def is_array_like(value: Any) -> bool:
    """Return whether a value of another package is an array or a buffer of numbers.

    Examples
    --------
    >>> is_array_like(memoryview(np.ones(2))), is_array_like("ab"), is_array_like([1, 2])
    (True, False, False)
    """
    kind = type(value)
    if hasattr(kind, "__array__") or hasattr(kind, "__dlpack__"):
        return True
    return kind is memoryview or (kind.__module__, kind.__name__) == ("array", "array")


def refuse_masked(value: Any) -> None:
    """Reject masked arrays and lists of them: the mask would be lost.

    Raises
    ------
    MisfitError
        If there is one.
    """
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    if masked is not None and holds(value, masked):
        raise MisfitError(
            "the mask of a masked array would be lost",
            "give value.filled(number), or give value.data and value.mask and use switch()",
        )


def holds(value: Any, wanted: type, depth: int = _DEEPEST) -> bool:
    """Return whether a value, or an element of a nested list, is an instance of a class.

    Examples
    --------
    >>> holds([1, [2.0, (None,)]], float), holds([1, 2], float)
    (True, False)
    """
    if not isinstance(value, list | tuple):
        return isinstance(value, wanted)
    kinds = set(map(type, value))
    if not depth or (kinds <= _PLAIN and wanted not in kinds):
        return False
    return any(holds(item, wanted, depth - 1) for item in value)


def _asarray(a: Any, dtype: Any = None, order: Any = None) -> np.ndarray[Any, Any]:
    """Return ``a`` as an array; ``dtype`` may also be ``"floatX"``.

    Examples
    --------
    >>> _asarray([1, 2], dtype="floatX").dtype.kind
    'f'
    """
    return np.asarray(a, None if dtype is None else dtypes.canonical(dtype), order)

"""Names of Python and NumPy that have gone since Theano's time, supplied within its programs only.

Importing ``theano`` supplies them, and :func:`symtheano.compat.uninstall` withdraws them. A name
that is there is not replaced, except functions that read pickles, and ``numpy.fromstring``.
"""

from __future__ import annotations

import collections
import collections.abc
import fractions
import inspect
import math
import pickle
import time
import warnings
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from symtheano.compat import old_h5py
from symtheano.compat.pickles import OF_PICKLE

_ABCS = """
    Callable Container Hashable ItemsView Iterable Iterator KeysView Mapping MappingView
    MutableMapping MutableSequence MutableSet Sequence Set Sized ValuesView
""".split()


def argspec(function: Any) -> Any:
    """Return the arguments of a function as ``inspect.getargspec`` did: four values.

    Raises
    ------
    ValueError
        If there are arguments by keyword only, of which it did not tell.
    """
    whole = inspect.getfullargspec(function)
    if whole.kwonlyargs:
        raise ValueError("getargspec: the function has arguments by keyword only")
    return _ArgSpec(whole.args, whole.varargs, whole.varkw, whole.defaults)


_ArgSpec = collections.namedtuple("_ArgSpec", "args varargs keywords defaults")


class _Casts(dict[Any, Any]):
    """``np.cast``: a function that converts arrays, for each dtype."""

    def __missing__(self, dtype: Any) -> Any:
        return lambda value: np.asarray(value).astype(dtype)


def _asfarray(a: Any, dtype: Any = np.float64) -> Any:
    kind = np.dtype(dtype)
    return np.asarray(a, dtype=kind if kind.kind in "fc" else np.float64)


def _fromstring(
    string: Any, dtype: Any = float, count: int = -1, *, sep: str = "", like: Any = None
) -> Any:
    """Return numbers of a text, or, as NumPy did before 2.3, of bytes."""
    if sep == "":
        data = string.encode("latin1") if isinstance(string, str) else string
        return np.frombuffer(data, dtype, count).copy()
    return _numpy_fromstring(string, dtype, count, sep=sep)


_numpy_fromstring = np.fromstring


def _find_common_type(array_types: Any, scalar_types: Any) -> Any:
    return np.result_type(*array_types, *scalar_types)


def _issubclass(first: Any, second: Any) -> bool:
    return isinstance(first, type) and issubclass(first, second)


def _issubsctype(first: Any, second: Any) -> bool:
    return issubclass(np.dtype(first).type, np.dtype(second).type)


def _types_by_kind() -> dict[str, list[type]]:
    return {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    }


def _numpy_names() -> dict[str, Any]:
    errors = np.exceptions
    return {
        "float": float,
        "int": int,
        "bool": bool,
        "object": object,
        "complex": complex,
        "str": str,
        "long": int,
        "unicode": str,
        "float_": np.float64,
        "complex_": np.complex128,
        "cfloat": np.complex128,
        "singlecomplex": np.complex64,
        "longfloat": np.longdouble,
        "longcomplex": np.clongdouble,
        "clongfloat": np.clongdouble,
        "unicode_": np.str_,
        "string_": np.bytes_,
        "unicode0": np.str_,
        "str0": np.str_,
        "bytes0": np.bytes_,
        "object0": np.object_,
        "void0": np.void,
        "bool8": np.bool_,
        "int0": np.intp,
        "uint0": np.uintp,
        "Inf": np.inf,
        "Infinity": np.inf,
        "infty": np.inf,
        "PINF": np.inf,
        "NINF": -np.inf,
        "NaN": np.nan,
        "NAN": np.nan,
        "PZERO": 0.0,
        "NZERO": -0.0,
        "product": np.prod,
        "cumproduct": np.cumprod,
        "sometrue": np.any,
        "alltrue": np.all,
        "round_": np.round,
        "row_stack": np.vstack,
        "in1d": np.isin,
        "rank": np.ndim,
        "msort": lambda a: np.sort(a, axis=0),
        "alen": len,
        "asfarray": _asfarray,
        "asscalar": lambda a: np.asarray(a).item(),
        "trapz": getattr(np, "trapezoid", None),
        "cast": _Casts(),
        "typeDict": np.sctypeDict,
        "sctypes": _types_by_kind(),
        "find_common_type": _find_common_type,
        "issubclass_": _issubclass,
        "issubsctype": _issubsctype,
        "obj2sctype": lambda rep: np.dtype(rep).type,
        "sctype2char": lambda t: np.dtype(t).char,
        "issctype": lambda t: _issubclass(t, np.generic),
        "maximum_sctype": lambda t: np.longdouble,
        "disp": print,
        "source": inspect.getsource,
        "AxisError": errors.AxisError,
        "ComplexWarning": errors.ComplexWarning,
        "RankWarning": errors.RankWarning,
        "TooHardError": errors.TooHardError,
        "ModuleDeprecationWarning": errors.ModuleDeprecationWarning,
        "VisibleDeprecationWarning": errors.VisibleDeprecationWarning,
        "fastCopyAndTranspose": lambda a: np.array(np.asarray(a).T, order="C"),
    }


def _names() -> list[tuple[ModuleType, Mapping[str, Any]]]:
    """Return the names of each module."""
    return [
        (np, _numpy_names()),
        (collections, {name: getattr(collections.abc, name) for name in _ABCS}),
        (time, {"clock": time.perf_counter}),
        (inspect, {"getargspec": argspec}),
        (fractions, {"gcd": math.gcd}),
    ]


_supplied: list[tuple[ModuleType, str, Any]] = []
"""What was supplied: module, name, and what it had before, or :data:`_ABSENT`."""
_ABSENT = object()


def supply() -> None:
    """Supply names that have gone, and let ``pickle`` read pickles of Theano's."""
    if _supplied:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        missing = [
            (module, name, value)
            for module, names in _names()
            for name, value in names.items()
            if value is not None and not hasattr(module, name)
        ]
    for module, name, value in missing:
        _set(module, name, value, _ABSENT)
    for name, function in OF_PICKLE.items():
        _set(pickle, name, function, getattr(pickle, name))
    _set(np, "fromstring", _fromstring, np.fromstring)
    old_h5py.supply()


def _set(module: ModuleType, name: str, value: Any, before: Any) -> None:
    _supplied.append((module, name, before))
    setattr(module, name, value)


def withdraw() -> None:
    """Undo :func:`supply`."""
    old_h5py.withdraw()
    while _supplied:
        module, name, before = _supplied.pop()
        if before is _ABSENT:
            delattr(module, name)
        else:
            setattr(module, name, before)


def supplied() -> list[str]:
    """Return the names that are supplied now, with their modules.

    Examples
    --------
    >>> supplied()
    []
    """
    return [f"{module.__name__}.{name}" for module, name, _ in _supplied]

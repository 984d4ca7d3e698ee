"""Evaluation of rows with NumPy: without warnings, float16 in single precision, SciPy on demand."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

import numpy as np

Function = Callable[..., Any]


def silently(function: Function) -> Function:
    """Return ``function`` without NumPy's floating-point warnings; inf and nan are results."""

    @wraps(function)
    def silent(*operands: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*operands)

    return silent


def in_single(function: Function) -> Function:
    """Return ``function`` without warnings, computing float16 in float32, as C does."""

    @wraps(function)
    def widened(*operands: Any) -> Any:
        with np.errstate(all="ignore"):
            if not any(operand.dtype == np.float16 for operand in operands):
                return function(*operands)
            result = function(*(_widen(operand) for operand in operands))
            return result.astype(np.float16) if result.dtype == np.float32 else result

    return widened


def _widen(operand: Any) -> Any:
    return operand.astype(np.float32) if operand.dtype == np.float16 else operand


def in_double(function: Function) -> Function:
    """Return ``function`` without warnings, computing in float64 and rounding the result."""

    @wraps(function)
    def widened(*operands: Any) -> Any:
        with np.errstate(all="ignore"):
            result = function(*(np.asarray(operand, np.float64) for operand in operands))
            return result.astype(operands[0].dtype)

    return widened


def special(name: str, *first: float) -> Function:
    """Return the function ``name`` of ``scipy.special``, which is imported on the first call.

    ``first`` are fixed leading operands.
    """

    def function(*operands: Any) -> Any:
        return getattr(import_module("scipy.special"), name)(*first, *operands)

    function.__name__ = name
    return in_double(function)


OF_C = {"erf": "erf", "erfc": "erfc", "gamma": "tgamma", "gammaln": "lgamma"}
"""Functions of SciPy and those of the C library that generated code calls in their place."""


@cache
def of_c_library(name: str) -> Function | None:
    """Return a function of doubles of the C library as one of arrays; None if there is none.

    ``name`` is SciPy's. For few elements it takes less time than the import of SciPy.

    Examples
    --------
    >>> of_c_library("gamma")(np.array([5.0, 0.5])).round(6)
    array([24.      ,  1.772454])
    """
    try:
        function = getattr(ctypes.CDLL(None), OF_C[name])
    except (AttributeError, KeyError, OSError, TypeError):  # a TypeError on Windows
        return None
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return in_double(lambda x: np.asarray(np.frompyfunc(function, 1, 1)(x), np.float64))

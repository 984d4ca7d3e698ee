"""Evaluation of rows with NumPy: without warnings, float16 in single precision, SciPy on demand."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
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

"""Errors of values and gradients in units in the last place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from tests.stability.forms import Form
from tests.stability.truth import truth


def points(form: Form, dtype: str) -> list[tuple[Any, ...]]:
    """Return the points whose numbers are normal in a dtype (or zero)."""
    limits = np.finfo(dtype)

    def fits(item: Any) -> bool:
        sizes = np.abs(np.atleast_1d(item))
        return bool(np.all((sizes == 0) | ((sizes >= limits.tiny) & (sizes <= limits.max))))

    return [point for point in form.points if all(fits(item) for item in point)]


def operands(form: Form, dtype: str) -> list[Any]:
    """Return one array for each operand: numbers, or rows."""
    return [np.array(column, dtype) for column in zip(*points(form, dtype), strict=True)]


def error(found: Any, wanted: Any, dtype: str, scale: Any = None) -> float:
    """Return the error in units in the last place of ``scale`` (of what is wanted by default).

    A value that is too large for the dtype has no error, whatever is found; nor has one that is too
    small for a normal number, if what is found is too.
    """
    limits = np.finfo(dtype)
    tiny = float(limits.tiny)
    if abs(wanted) > float(limits.max):
        return 0.0
    if not math.isfinite(float(found)):
        return math.inf
    if abs(wanted) < tiny and abs(float(found)) <= tiny:
        return 0.0
    with mpmath.workdps(40):
        size = max(abs(wanted if scale is None else scale), mpmath.mpf(tiny))
        unit = mpmath.mpf(2) ** (mpmath.floor(mpmath.log(size, 2)) - limits.nmant)
        return float(abs(mpmath.mpf(float(found)) - wanted) / unit)


@dataclass
class Errors:
    """The largest errors of a form, and the points where they are."""

    value: float = 0.0
    at: Any = None
    gradient: float = 0.0
    gradient_at: Any = None


def errors(form: Form, dtype: str, values: Any, gradients: Sequence[Any] | None) -> Errors:
    """Compare values and gradients at all points with the truth; None is not compared.

    Derivatives of a row are compared in units of the largest of them, which is what cancellation
    between elements of a row leaves.
    """
    found = Errors()
    for k, (point, (value, slopes)) in enumerate(
        (point, truth(form, point)) for point in points(form, dtype)
    ):
        size = 0.0 if values is None else error(values[k], value, dtype)
        if size > found.value:
            found.value, found.at = size, point
        if gradients is None or abs(value) > float(np.finfo(dtype).max):
            continue
        for wanted, given in zip(slopes, gradients, strict=True):
            largest = max(abs(number) for number in wanted)
            for number, one in zip(np.atleast_1d(given[k]), wanted, strict=True):
                size = error(number, one, dtype, largest)
                if size > found.gradient:
                    found.gradient, found.gradient_at = size, point
    return found

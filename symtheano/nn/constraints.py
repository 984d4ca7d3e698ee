"""What holds for parameters after each update: functions that move them to where it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.configuration import build, describe, find
from symtheano.nn.floats import as_float, like

Axis = int | tuple[int, ...] | list[int] | None


class Constraint:
    """A constraint: an object that is called with new values and returns those to store.

    A subclass has the method ``apply(x)``, which returns an expression of the same shape and dtype.

    Examples
    --------
    >>> class Clipped(Constraint):
    ...     def apply(self, x):
    ...         return T.clip(x, -1, 1)
    >>> Clipped()(np.array([0.5, -2.0])).eval()
    array([ 0.5, -1. ])
    """

    def __call__(self, x: Any) -> Any:
        """Return an expression like ``x`` for which the constraint holds."""
        return self.apply(as_float(x))

    def apply(self, x: Any) -> Any:
        """Return what is stored instead of an expression of floats."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'apply'")

    def config(self) -> dict[str, Any]:
        """Return the class and its fields as data for JSON; :func:`from_config` reads it."""
        return describe(self)


def norms(x: Any, axis: Axis = None) -> Any:
    """Return the lengths of the weights of each unit, with axes of length 1.

    Parameters
    ----------
    x
        An expression of floats.
    axis
        The axis or axes of one unit's weights. None: the first axis of a matrix (inputs, outputs),
        all axes but the first of filters (outputs, inputs, *window), and the whole of a vector.

    Returns
    -------
    Expression of the same dtype whose shape broadcasts to that of ``x``. Squares of ``float16`` are
    added up in ``float32``.

    Examples
    --------
    >>> norms(np.array([[3.0, 0.0], [4.0, 2.0]])).eval()
    array([[5., 2.]])
    """
    if axis is None:
        axis = tuple(range(1, x.ndim)) if x.ndim > 2 else (0,) * min(x.ndim, 1)
    elif isinstance(axis, list):
        axis = tuple(axis)
    wide = T.cast(x, "float32") if x.dtype == "float16" else x
    return T.cast(T.sqrt((wide * wide).sum(axis=axis, keepdims=True)), x.dtype)


def _tiny(x: Any) -> Any:
    """Return the smallest normal number, which avoids a division by zero."""
    return like(float(np.finfo(x.dtype).tiny), x)


@dataclass(frozen=True)
class MaxNorm(Constraint):
    """Weights of a unit that are longer than ``max_value`` are shortened to this length.

    ``x * min(1, max_value / norm(x))``. See Srivastava et al., 2014, Dropout. Other weights keep
    their bits.

    Parameters
    ----------
    max_value
        The largest length.
    axis
        The axes of a unit's weights, see :func:`norms`.

    Examples
    --------
    >>> MaxNorm(1.0)(np.array([[3.0, 0.5], [4.0, 0.0]])).eval()
    array([[0.6, 0.5], [0.8, 0. ]])
    """

    max_value: float = 2.0
    axis: Axis = None

    def apply(self, x: Any) -> Any:
        """Return what is stored instead of an expression of floats."""
        ratio = like(self.max_value, x) / T.maximum(norms(x, self.axis), _tiny(x))
        return x * T.minimum(like(1, x), ratio)


@dataclass(frozen=True)
class UnitNorm(Constraint):
    """The weights of each unit have length 1, ``x / norm(x)``; zeros stay zeros.

    See Salimans and Kingma, 2016, Weight normalization.

    Parameters
    ----------
    axis
        The axes of a unit's weights, see :func:`norms`.

    Examples
    --------
    >>> UnitNorm()(np.array([[3.0, 0.0], [4.0, 0.0]])).eval()
    array([[0.6, 0. ], [0.8, 0. ]])
    """

    axis: Axis = None

    def apply(self, x: Any) -> Any:
        """Return what is stored instead of an expression of floats."""
        return x / T.maximum(norms(x, self.axis), _tiny(x))


@dataclass(frozen=True)
class MinMaxNorm(Constraint):
    """The weights of each unit have a length between ``min_value`` and ``max_value``.

    ``x * (rate * clip(norm(x), min_value, max_value) / norm(x) + 1 - rate)``; zeros stay zeros.

    Parameters
    ----------
    min_value, max_value
        The smallest and the largest length.
    rate
        How much of the way is gone: 1 gives exactly the length, smaller numbers come near to it in
        several updates.
    axis
        The axes of a unit's weights, see :func:`norms`.

    Examples
    --------
    >>> MinMaxNorm(1.0, 2.0)(np.array([[3.0, 0.0], [4.0, 0.5]])).eval()
    array([[1.2, 0. ], [1.6, 1. ]])
    """

    min_value: float = 0.0
    max_value: float = 1.0
    rate: float = 1.0
    axis: Axis = None

    def apply(self, x: Any) -> Any:
        """Return what is stored instead of an expression of floats."""
        length = norms(x, self.axis)
        wanted = T.clip(length, like(self.min_value, x), like(self.max_value, x))
        ratio = wanted / T.maximum(length, _tiny(x))
        return x * (like(self.rate, x) * ratio + like(1 - self.rate, x))


@dataclass(frozen=True)
class NonNegative(Constraint):
    """Negative elements become 0.

    Examples
    --------
    >>> NonNegative()(np.array([1.0, -2.0])).eval()
    array([1., 0.])
    """

    def apply(self, x: Any) -> Any:
        """Return what is stored instead of an expression of floats."""
        return T.maximum(x, like(0, x))


CONSTRAINTS: dict[str, type[Constraint]] = {
    "max_norm": MaxNorm,
    "unit_norm": UnitNorm,
    "min_max_norm": MinMaxNorm,
    "non_negative": NonNegative,
    "non_neg": NonNegative,
}
"""Constraints by name."""


def get(what: Any) -> Any:
    """Return a constraint.

    Parameters
    ----------
    what
        A name (``"max_norm"``), a constraint or another function of an expression, what ``config``
        returned, or None.

    Raises
    ------
    ValueError
        For a name that does not exist.
    TypeError
        For anything else.

    Examples
    --------
    >>> get("non_negative"), get(None)
    (NonNegative(), None)
    """
    if what is None:
        return None
    expected = "a name, a Constraint or None"
    return find("constraint", what, CONSTRAINTS, Constraint, from_config, expected)


def from_config(config: Mapping[str, Any]) -> Constraint:
    """Return the constraint that ``config`` described.

    Examples
    --------
    >>> from_config(MaxNorm(3.0).config())
    MaxNorm(max_value=3.0, axis=None)
    """
    return build("constraint", config, CONSTRAINTS)

"""Constraints: conditions that parameters satisfy after each update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.configuration import Described, build, find
from symtheano.nn.floats import as_float, like
from symtheano.nn.missing import missing_in

Axis = int | tuple[int, ...] | list[int] | None


class Constraint(Described):
    """Base class of constraints, which change updated parameters so that a condition holds.

    A constraint is called with the expression of an updated parameter, and returns the expression
    to store. Subclasses define the method ``apply(x)``, which returns an expression of the same
    shape and dtype.

    Examples
    --------
    >>> class Clipped(Constraint):
    ...     def apply(self, x):
    ...         return T.clip(x, -1, 1)
    >>> Clipped()(np.array([0.5, -2.0])).eval()
    array([ 0.5, -1. ])
    """

    def __call__(self, x: Any) -> Any:
        """Return an expression of the shape of ``x`` that satisfies the constraint."""
        return self.apply(as_float(x))

    def apply(self, x: Any) -> Any:
        """Return the expression to store instead of ``x``, an expression of floats."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'apply'")


def norms(x: Any, axis: Axis = None) -> Any:
    """Return the Euclidean norm of the weights of each unit.

    Parameters
    ----------
    x
        An expression of floats.
    axis
        The axis or axes of the weights of one unit. None: for matrices of shape (inputs, outputs),
        the first axis; for filters of shape (outputs, inputs, *window), all axes but the first; for
        vectors, their only axis.

    Returns
    -------
    Expression of the same dtype. The axes of the weights are kept with length 1, so it broadcasts
    to the shape of ``x``. Squares of ``float16`` are added up in ``float32``.

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
    """Return the smallest normal number of the dtype, which avoids a division by zero."""
    return like(float(np.finfo(x.dtype).tiny), x)


class OfUnits(Constraint):
    """Base class of constraints on the norm of the weights of each unit.

    Parameters
    ----------
    axis
        The axis or axes of the weights of one unit. None: for matrices of shape (inputs, outputs),
        the first axis; for filters of shape (outputs, inputs, *window), all axes but the first; for
        vectors, their only axis.
    """


@dataclass(frozen=True)
class MaxNorm(OfUnits):
    """Limits the norm of the weights of each unit: ``x * min(1, max_value / norm(x))``.

    Weights within the limit do not change. See Srivastava et al., 2014, Dropout.

    Parameters
    ----------
    max_value
        The largest norm. The default is 2.

    Examples
    --------
    >>> MaxNorm(1.0)(np.array([[3.0, 0.5], [4.0, 0.0]])).eval()
    array([[0.6, 0.5], [0.8, 0. ]])
    """

    max_value: float = 2.0
    axis: Axis = None

    def apply(self, x: Any) -> Any:
        ratio = like(self.max_value, x) / T.maximum(norms(x, self.axis), _tiny(x))
        return x * T.minimum(like(1, x), ratio)


@dataclass(frozen=True)
class UnitNorm(OfUnits):
    """Scales the weights of each unit to norm 1: ``x / norm(x)``.

    Weights that are all zero do not change. See Salimans and Kingma, 2016, Weight normalization.

    Examples
    --------
    >>> UnitNorm()(np.array([[3.0, 0.0], [4.0, 0.0]])).eval()
    array([[0.6, 0. ], [0.8, 0. ]])
    """

    axis: Axis = None

    def apply(self, x: Any) -> Any:
        return x / T.maximum(norms(x, self.axis), _tiny(x))


@dataclass(frozen=True)
class MinMaxNorm(OfUnits):
    """Limits the norm of the weights of each unit to the range from ``min_value`` to ``max_value``.

    The new weights are ``x * (rate * clip(norm(x), min_value, max_value) / norm(x) + 1 - rate)``.
    Weights that are all zero do not change.

    Parameters
    ----------
    min_value, max_value
        The smallest and the largest norm. The defaults are 0 and 1.
    rate
        The share of the way to the limited norm that each update goes. With 1, the default, the
        norm is within the limits after each update. With smaller numbers, it comes closer to them
        in each update.

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
        length = norms(x, self.axis)
        wanted = T.clip(length, like(self.min_value, x), like(self.max_value, x))
        ratio = wanted / T.maximum(length, _tiny(x))
        return x * (like(self.rate, x) * ratio + like(1 - self.rate, x))


@dataclass(frozen=True)
class NonNegative(Constraint):
    """Replaces negative elements by 0.

    Examples
    --------
    >>> NonNegative()(np.array([1.0, -2.0])).eval()
    array([1., 0.])
    """

    def apply(self, x: Any) -> Any:
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
        A name such as ``"max_norm"``; a :class:`Constraint`, or another function of an expression;
        the result of :meth:`Constraint.config`; or None for no constraint.

    Raises
    ------
    ValueError
        If there is no constraint of this name.
    TypeError
        If the argument is something else.

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
    """Return the constraint from the result of :meth:`Constraint.config`.

    Examples
    --------
    >>> from_config(MaxNorm(3.0).config())
    MaxNorm(max_value=3.0, axis=None)
    """
    return build("constraint", config, CONSTRAINTS)


__getattr__ = missing_in(
    __name__,
    ("Constraint", "MaxNorm", "MinMaxNorm", "NonNegative", "UnitNorm", "from_config", "get"),
)

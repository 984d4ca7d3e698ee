"""Theano's module of the same name: ``x * log(y)`` with the value 0 for x = 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable

__all__ = ["xlogx", "xlogy0"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)


def xlogx(x: Any) -> Any:
    """Return ``x * log(x)``, and 0 where ``x`` is 0.

    Examples
    --------
    >>> xlogx([0.0, 1.0]).eval().tolist()
    [0.0, 0.0]
    """
    return xlogy0(x, x)


def xlogy0(x: Any, y: Any) -> Any:
    """Return ``x * log(y)``, or 0 where ``x`` is 0, for every ``y``.

    Examples
    --------
    >>> xlogy0([0.0, 2.0], [0.0, 1.0]).eval().tolist()
    [0.0, 0.0]
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    # Only where the product would be NaN: the derivative by an x of 0 is log(y) elsewhere.
    has_logarithm = scalar.and_(scalar.gt(y, 0), scalar.invert(scalar.isinf(y)))
    absent = scalar.and_(scalar.eq(x, 0), scalar.invert(has_logarithm))
    safe = scalar.switch(absent, y.constant_like(1), y)
    return x * scalar.log(safe)

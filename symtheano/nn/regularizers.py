"""Penalties on parameters and activities, which are added to the cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symtheano.nn.configuration import build, describe, find
from symtheano.nn.floats import as_float, setting


class Regularizer:
    """A penalty: an object that is called with an array and returns a 0-d expression of its dtype.

    A subclass has the method ``penalty(x)``.

    Examples
    --------
    >>> import numpy as np
    >>> class Largest(Regularizer):
    ...     def penalty(self, x):
    ...         return abs(x).max()
    >>> Largest()(np.array([1.0, -2.0])).eval()
    array(2.)
    """

    def __call__(self, x: Any) -> Any:
        """Return the penalty of an array, an expression or a shared variable of any shape."""
        return self.penalty(as_float(x))

    def penalty(self, x: Any) -> Any:
        """Return the penalty of an expression of floats."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'penalty'")

    def config(self) -> dict[str, Any]:
        """Return the class and its fields as data for JSON; :func:`from_config` reads it."""
        return describe(self)


@dataclass(frozen=True)
class L1(Regularizer):
    """``rate * sum(abs(x))``: few elements stay different from 0.

    See Tibshirani, 1996, Regression shrinkage and selection via the lasso.

    Parameters
    ----------
    rate
        The factor of the sum.

    Examples
    --------
    >>> import numpy as np
    >>> L1(0.5)(np.array([1.0, -3.0])).eval()
    array(2.)
    """

    rate: float = 0.01

    def penalty(self, x: Any) -> Any:
        """Return the penalty of an expression of floats."""
        return setting("l1", self.rate, x.dtype) * abs(x).sum()


@dataclass(frozen=True)
class L2(Regularizer):
    """``rate * sum(x**2)``: weight decay for plain gradient descent, where it is ``2 * rate``.

    See Hoerl and Kennard, 1970, Ridge regression.

    Parameters
    ----------
    rate
        The factor of the sum.

    Examples
    --------
    >>> import numpy as np
    >>> L2(0.5)(np.array([1.0, -3.0])).eval()
    array(5.)
    """

    rate: float = 0.01

    def penalty(self, x: Any) -> Any:
        """Return the penalty of an expression of floats."""
        return setting("l2", self.rate, x.dtype) * (x * x).sum()


@dataclass(frozen=True)
class L1L2(Regularizer):
    """``l1 * sum(abs(x)) + l2 * sum(x**2)``.

    See Zou and Hastie, 2005, Regularization and variable selection via the elastic net.

    Parameters
    ----------
    l1, l2
        The factors of the two sums.

    Examples
    --------
    >>> import numpy as np
    >>> L1L2(1.0, 0.5)(np.array([1.0, -3.0])).eval()
    array(9.)
    """

    l1: float = 0.01
    l2: float = 0.01

    def penalty(self, x: Any) -> Any:
        """Return the penalty of an expression of floats."""
        return L1(self.l1).penalty(x) + L2(self.l2).penalty(x)


REGULARIZERS: dict[str, type[Regularizer]] = {"l1": L1, "l2": L2, "l1_l2": L1L2}
"""Regularizers by name."""


def get(what: Any) -> Any:
    """Return a regularizer.

    Parameters
    ----------
    what
        A name (``"l2"``), a regularizer or another function of an expression, what ``config``
        returned, or None.

    Raises
    ------
    ValueError
        For a name that does not exist.
    TypeError
        For anything else.

    Examples
    --------
    >>> get("l2"), get(None)
    (L2(rate=0.01), None)
    """
    if what is None:
        return None
    expected = "a name, a Regularizer or None"
    return find("regularizer", what, REGULARIZERS, Regularizer, from_config, expected)


def from_config(config: Mapping[str, Any]) -> Regularizer:
    """Return the regularizer that ``config`` described.

    Examples
    --------
    >>> from_config(L2(0.5).config())
    L2(rate=0.5)
    """
    return build("regularizer", config, REGULARIZERS)

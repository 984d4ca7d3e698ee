"""Regularizers: penalties on parameters and outputs that are added to the loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symtheano.nn.configuration import Described, build, find
from symtheano.nn.floats import as_float, setting
from symtheano.nn.missing import missing_in


class Regularizer(Described):
    """Base class of regularizers, which compute penalties on arrays.

    A regularizer is called with an array and returns a 0-d expression of the same dtype. Subclasses
    define the method ``penalty(x)``.

    Examples
    --------
    >>> class Largest(Regularizer):
    ...     def penalty(self, x):
    ...         return abs(x).max()
    >>> Largest()(np.array([1.0, -2.0])).eval()
    array(2.)
    """

    def __call__(self, x: Any) -> Any:
        """Return the penalty on an array, an expression or a shared variable of any shape."""
        return self.penalty(as_float(x))

    def penalty(self, x: Any) -> Any:
        """Return the penalty on an expression of floats. Subclasses define this method."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'penalty'")


@dataclass(frozen=True)
class L1(Regularizer):
    """L1 penalty: ``rate * sum(abs(x))``. It makes many elements 0.

    See Tibshirani, 1996, Regression shrinkage and selection via the lasso.

    Parameters
    ----------
    rate
        The factor of the sum. The default is 0.01.

    Examples
    --------
    >>> L1(0.5)(np.array([1.0, -3.0])).eval()
    array(2.)
    """

    rate: float = 0.01

    def __post_init__(self) -> None:
        check_rates(self, rate=self.rate)

    def penalty(self, x: Any) -> Any:
        """Return the penalty on an expression of floats."""
        return setting("l1", self.rate, x.dtype) * abs(x).sum()


@dataclass(frozen=True)
class L2(Regularizer):
    """L2 penalty: ``rate * sum(x**2)``.

    With plain gradient descent, it equals a weight decay of ``2 * rate``. See Hoerl and Kennard,
    1970, Ridge regression.

    Parameters
    ----------
    rate
        The factor of the sum. The default is 0.01.

    Examples
    --------
    >>> L2(0.5)(np.array([1.0, -3.0])).eval()
    array(5.)
    """

    rate: float = 0.01

    def __post_init__(self) -> None:
        check_rates(self, rate=self.rate)

    def penalty(self, x: Any) -> Any:
        """Return the penalty on an expression of floats."""
        return setting("l2", self.rate, x.dtype) * (x * x).sum()


@dataclass(frozen=True)
class L1L2(Regularizer):
    """The sum of an L1 and an L2 penalty: ``l1 * sum(abs(x)) + l2 * sum(x**2)``.

    See Zou and Hastie, 2005, Regularization and variable selection via the elastic net.

    Parameters
    ----------
    l1, l2
        The factors of the two sums. The defaults are 0.01.

    Examples
    --------
    >>> L1L2(1.0, 0.5)(np.array([1.0, -3.0])).eval()
    array(9.)
    """

    l1: float = 0.01
    l2: float = 0.01

    def __post_init__(self) -> None:
        check_rates(self, l1=self.l1, l2=self.l2)

    def penalty(self, x: Any) -> Any:
        """Return the penalty on an expression of floats."""
        return L1(self.l1).penalty(x) + L2(self.l2).penalty(x)


def check_rates(regularizer: Regularizer, **rates: float) -> None:
    """Raise an error for a negative rate, for which training would make parameters larger.

    Raises
    ------
    ValueError
        If there is one.

    Examples
    --------
    >>> L2(-0.1)
    Traceback (most recent call last):
    ...
    ValueError: L2: rate must be at least 0, not -0.1
    """
    for name, rate in rates.items():
        if not rate >= 0:
            raise ValueError(
                f"{type(regularizer).__name__}: {name} must be at least 0, not {rate!r}"
            )


REGULARIZERS: dict[str, type[Regularizer]] = {"l1": L1, "l2": L2, "l1_l2": L1L2}
"""Regularizers by name."""


def get(what: Any) -> Any:
    """Return a regularizer.

    Parameters
    ----------
    what
        A name such as ``"l2"``; a :class:`Regularizer`, or another function of an expression; the
        result of :meth:`Regularizer.config`; or None for no penalty.

    Raises
    ------
    ValueError
        If there is no regularizer of this name.
    TypeError
        If the argument is something else.

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
    """Return the regularizer from the result of :meth:`Regularizer.config`.

    Examples
    --------
    >>> from_config(L2(0.5).config())
    L2(rate=0.5)
    """
    return build("regularizer", config, REGULARIZERS)


__getattr__ = missing_in(__name__, ("L1", "L1L2", "L2", "Regularizer", "from_config", "get"))

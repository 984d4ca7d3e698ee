"""Conditions on the parameters of distributions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symtheano.graph.variable import Constant
from symtheano.tensor.assertion import Require
from symtheano.tensor.messages import build_message

_MOST_EVENTS = 9.2e18
"""The largest mean number of events for which numbers fit int64."""


def is_probability(p: Any) -> Any:
    """Return where numbers are between 0 and 1."""
    return (p >= 0) & (p <= 1)


def _require(what: str, holds: Callable[..., Any], value: Any, *others: Any) -> Any:
    """Return a parameter; what must hold of it is checked at once if it is constant, or in calls.

    Raises
    ------
    ValueError
        If it does not hold of constants.
    """
    items = (value, *others)
    if not all(isinstance(item, Constant) for item in items):
        return Require(what)(value, holds(*items))
    if not np.all(holds(*(item.data for item in items))):
        raise ValueError(build_message(what, *items))
    return value


def _order(low: Any, high: Any) -> list[Any]:
    what = "random_integers: low is larger than high"
    return [_require(what, operator.le, low, high), high]


def _count(name: str, n: Any) -> Any:
    return _require(f"{name}: n is negative", _is_not_negative, n)


def _trials(n: Any, p: Any) -> list[Any]:
    return [_count("binomial", n),
            _require("binomial: p is not between 0 and 1", is_probability, p)]  # fmt: skip


def _outcomes(n: Any, pvals: Any) -> list[Any]:
    what = "multinomial: pvals must be probabilities that sum to 1"
    return [_count("multinomial", n), _require(what, _are_outcomes, pvals)]


_EXCESS = {"float16": 1e-2, "float32": 1e-5}
"""How much more than 1 probabilities of a dtype may sum to; those of float64 as in NumPy, 1e-12.

A softmax has such sums.
"""


def _are_outcomes(pvals: Any) -> Any:
    enough = pvals[..., :-1].sum(-1) <= 1 + _EXCESS.get(str(pvals.dtype), 1e-12)
    return is_probability(pvals).all() & enough.all()


def _events(lam: Any) -> list[Any]:
    what = "poisson: lam is negative or too large"
    return [_require(what, lambda lam: (lam >= 0) & (lam <= _MOST_EVENTS), lam)]


def _shape(shape: Any) -> list[Any]:
    return [_require("gamma: a shape is negative", _is_not_negative, shape)]


def _positive(*parameters: Any) -> list[Any]:
    what = "beta: a parameter is not positive"
    return [_require(what, lambda parameter: parameter > 0, item) for item in parameters]


def _is_not_negative(item: Any) -> Any:
    return item >= 0


def weights(p: Any) -> Any:
    """Return the probabilities of items, after a check that none is negative."""
    return _require("choice: a probability is negative or NaN", _is_not_negative, p)


def scale_of(what: str, scale: Any) -> Any:
    """Return the scale of a distribution, which is not negative; as in NumPy, it may be NaN.

    A constant or a number is checked. An array that is computed is not: all of it would have to be
    there before the first number is drawn.
    """
    if scale.ndim and not isinstance(scale, Constant):
        return scale
    return _require(f"{what} is negative", lambda item: ~(item < 0), scale)


def bounds(name: str, low: Any, high: Any) -> list[Any]:
    """Return the bounds of a distribution, which are in order; see :func:`scale_of`."""
    if any(item.ndim and not isinstance(item, Constant) for item in (low, high)):
        return [low, high]
    what = f"{name}: low is larger than high"
    if isinstance(high, Constant):
        return [_require(what, lambda low, high: ~(low > high), low, high), high]
    return [low, _require(what, lambda high, low: ~(low > high), high, low)]


_CHECKS: Mapping[str, Callable[..., list[Any]]] = {
    "integers": _order,
    "binomial": _trials,
    "multinomial": _outcomes,
    "poisson": _events,
    "standard_gamma": _shape,
    "beta": _positive,
}


def checked(name: str, *parameters: Any) -> list[Any]:
    """Return the parameters of a distribution; a call raises ``ValueError`` if they are invalid.

    Parameters
    ----------
    name
        One of the names of :data:`symtheano.tensor.random.drawing.DISTRIBUTIONS`.
    parameters
        Its parameters as variables.

    Examples
    --------
    >>> n, p = checked("binomial", T.lscalar("n"), T.dscalar("p"))
    >>> float(p.eval({"p": 0.5}))
    0.5
    """
    check = _CHECKS.get(name)
    return list(parameters) if check is None else check(*parameters)

"""What distributions require of their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Require

_MOST_EVENTS = 9.2e18
"""The largest mean number of events for which numbers fit int64."""


def is_probability(p: Any) -> Any:
    """Return where numbers are between 0 and 1."""
    return scalar.and_(scalar.ge(p, 0), scalar.le(p, 1))


def _order(low: Any, high: Any) -> list[Any]:
    ordered = Require("random_integers: low is larger than high")
    return [ordered(low, scalar.le(low, high)), high]


def _count(name: str, n: Any) -> Any:
    return Require(f"{name}: n is negative")(n, scalar.ge(n, 0))


def _trials(n: Any, p: Any) -> list[Any]:
    return [_count("binomial", n),
            Require("binomial: p is not between 0 and 1")(p, is_probability(p))]  # fmt: skip


def _outcomes(n: Any, pvals: Any) -> list[Any]:
    total = pvals[..., :-1].sum(-1)
    valid = Require("multinomial: pvals are no probabilities with sum 1")
    return [_count("multinomial", n),
            valid(pvals, is_probability(pvals), scalar.le(total, 1 + 1e-12))]  # fmt: skip


def _events(lam: Any) -> list[Any]:
    fits = scalar.and_(scalar.ge(lam, 0), scalar.le(lam, _MOST_EVENTS))
    return [Require("poisson: lam is negative or too large")(lam, fits)]


def _shape(shape: Any) -> list[Any]:
    return [Require("gamma: a shape is negative")(shape, scalar.ge(shape, 0))]


def _positive(*parameters: Any) -> list[Any]:
    positive = Require("beta: a parameter is not positive")
    return [positive(item, scalar.gt(item, 0)) for item in parameters]


_CHECKS: Mapping[str, Callable[..., list[Any]]] = {
    "integers": _order,
    "binomial": _trials,
    "multinomial": _outcomes,
    "poisson": _events,
    "standard_gamma": _shape,
    "beta": _positive,
}


def checked(name: str, *parameters: Any) -> list[Any]:
    """Return the parameters of a distribution; a call raises ValueError if it has no such ones.

    Parameters
    ----------
    name
        One of the names of :data:`symtheano.tensor.random.drawing.DISTRIBUTIONS`.
    parameters
        Its parameters as variables.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> n, p = checked("binomial", T.lscalar("n"), T.dscalar("p"))
    >>> float(p.eval({"p": 0.5}))
    0.5
    """
    check = _CHECKS.get(name)
    return list(parameters) if check is None else check(*parameters)

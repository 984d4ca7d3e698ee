"""Distributions as functions of the state of NumPy's generator: the new state, and the numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from symtheano.tensor.random import distributions
from symtheano.tensor.random.source import NumPySource


def from_state(draw: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Return a function of a state for one of a source."""

    @wraps(draw)
    def drawn(random_state: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        source = NumPySource(random_state)
        numbers = draw(source, *args, **kwargs)
        return source.state, numbers

    return drawn


uniform = from_state(distributions.uniform)
normal = from_state(distributions.normal)
exponential = from_state(distributions.exponential)
random_integers = from_state(distributions.integers)

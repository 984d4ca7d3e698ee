"""Distributions as functions of the state of NumPy's generator: the new state, and the numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from symtheano.tensor.random import discrete, distributions
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
truncated_normal = from_state(distributions.truncated_normal)
exponential = from_state(distributions.exponential)
gamma = from_state(distributions.gamma)
beta = from_state(distributions.beta)
laplace = from_state(distributions.laplace)
random_integers = from_state(discrete.integers)
binomial = from_state(discrete.binomial)
poisson = from_state(discrete.poisson)
multinomial = from_state(discrete.multinomial)
choice = from_state(discrete.choice)
permutation = from_state(discrete.permutation)
shuffle_row_elements = from_state(discrete.shuffle_row_elements)

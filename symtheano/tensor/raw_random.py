"""Theano's module of the same name: functions of the state of NumPy's generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.random.base import RandomStreamsBase
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.random.raw import (
    beta,
    binomial,
    choice,
    exponential,
    gamma,
    laplace,
    multinomial,
    normal,
    permutation,
    poisson,
    random_integers,
    shuffle_row_elements,
    truncated_normal,
    uniform,
)
from symtheano.tensor.random.state import random_state_type

__all__ = [
    "RandomFunction", "RandomStreamsBase", "beta", "binomial", "choice", "exponential", "gamma",
    "laplace", "multinomial", "normal", "permutation", "poisson", "random_integers",
    "random_state_type", "shuffle_row_elements", "truncated_normal", "uniform",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
